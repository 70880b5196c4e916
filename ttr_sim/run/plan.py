"""Requests, and the hashed plan of each player count."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.log import SCHEMA
from ttr_sim.run.processes import compiling

if TYPE_CHECKING:
    from ttr_sim.run.workers import ProgressListener

RUNS = Path("runs")  # where runs go unless --out says otherwise
FULL, RESULTS = "full", "results"
PART_SIZE = 2_000
SLOW_PART_SIZE = 20
SMALL_PART = 500  # so that all workers share in a run of few games
MAX_GAMES = 100_000_000
MAX_BOTS = 100
MAX_SEED = 2**63 - 1
MAX_PART_SIZE = 1_000_000


@dataclass(frozen=True, slots=True)
class Request:
    """Runs of one edition, one for each player count."""

    edition: Edition
    players: tuple[int, ...]
    bots: tuple[str, ...]
    games: int
    seed: int
    log: str = FULL
    settings: tuple[str, ...] = ()  # every `--set` that the edition was loaded with
    part_size: int | None = None  # by default what the bots need
    # In each block one of these plays in one place of the lineup.
    one_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    edition: str
    fingerprint: str
    players: int
    bots: tuple[str, ...]
    games: int  # as requested; whole blocks make it a few more
    seed: int
    log: str
    part_size: int
    kernel: str  # hash of the kernel sources
    # Hash of the bots' tuned parameters and of the user's bot files.
    tuning: str
    schema: int = SCHEMA
    one_of: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def default_folder(self) -> Path:
        return RUNS / f"{self.edition}-{self.players}p-{self.hash[:8]}"

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables in the order a part writes them: the games file, which marks a part as complete, last."""
        return ("turns", "tickets", "seats", "games") if self.log == FULL else ("tickets", "seats", "games")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "bots": list(self.bots), "one_of": list(self.one_of)}


def all_player_counts(edition: Edition) -> tuple[int, ...]:
    fewest, most = edition.players
    return tuple(range(fewest, most + 1))


def check_request(request: Request) -> None:
    edition, bots = request.edition, len(request.bots)
    fewest, most = edition.players
    for players in request.players:
        if not fewest <= players <= most:
            raise UserError(f"{edition.title} is for {fewest} to {most} players, not {players:,} (--players)")
    if not 1 <= request.games <= MAX_GAMES:
        raise UserError(f"a run has from 1 to {MAX_GAMES:,} games, not {request.games:,} (--games)")
    if not 0 <= request.seed <= MAX_SEED:
        raise UserError(f"a seed is a number from 0 to {MAX_SEED}, not {request.seed} (--seed)")
    if not 1 <= bots <= MAX_BOTS:
        raise UserError(f"a run has from 1 to {MAX_BOTS} bots, not {bots} (--bots)")


def make_plans(request: Request, watch: ProgressListener) -> tuple[Plan, ...]:
    """Plan each player count before anything is written."""
    check_request(request)

    from ttr_sim.bots import load_bots
    from ttr_sim.bots.api import parse_spec
    from ttr_sim.bots.loading import bots_print_to_stderr
    from ttr_sim.engine.jit import SOURCE_HASH

    names, variants = (tuple(str(parse_spec(spec)) for spec in specs) for specs in (request.bots, request.one_of))
    with compiling(watch), bots_print_to_stderr():
        bots = load_bots(tuple(dict.fromkeys((*names, *variants))), request.edition)
    for sentence in bots.notes:
        watch.note(sentence)
    return tuple(
        Plan(
            edition=request.edition.name,
            fingerprint=request.edition.fingerprint,
            players=players,
            bots=names,
            games=request.games,
            seed=request.seed,
            log=request.log,
            part_size=request.part_size or (SLOW_PART_SIZE if bots.slow else PART_SIZE),
            kernel=SOURCE_HASH,
            tuning=bots.fingerprint,
            one_of=variants,
        )
        for players in request.players
    )
