"""The plan of a run: a pure value with a hash. The same plan always gives the same rows."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError

SCHEMA = 1
FULL, RESULTS = "full", "results"
LOG_LEVELS = (FULL, RESULTS)
PART_SIZE = 2_000
SLOW_PART_SIZE = 20
MAX_GAMES = 100_000_000
MAX_BOTS = 100
MAX_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Plan:
    edition: str
    fingerprint: str
    players: int
    bots: tuple[str, ...]
    games: int  # as asked for; whole blocks make it a few more
    seed: int
    log: str
    part_size: int
    kernel: str  # hash of the kernel sources
    tuning: str  # hash of the bots' tuned parameters and of the user's bot files
    schema: int = SCHEMA

    @property
    def hash(self) -> str:
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def tables(self) -> tuple[str, ...]:
        """In the order a part's files are written: the games last, for they tell that a part is whole."""
        return ("turns", "tickets", "seats", "games") if self.log == FULL else ("tickets", "seats", "games")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "bots": list(self.bots)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Plan:
        """Raises KeyError or TypeError when a field is missing or strange."""
        known = {field.name: values[field.name] for field in fields(cls)}
        return cls(**{**known, "bots": tuple(known["bots"])})


def check_numbers(edition: Edition, players: int, bots: int, games: int, seed: int) -> None:
    """Refuse in words what cannot be played."""
    fewest, most = edition.players
    if not fewest <= players <= most:
        raise UserError(f"{edition.title} is for {fewest} to {most} players, not {players:,} (--players)")
    if not 1 <= games <= MAX_GAMES:
        raise UserError(f"a run has from 1 to {MAX_GAMES:,} games, not {games:,} (--games)")
    if not 0 <= seed <= MAX_SEED:
        raise UserError(f"a seed is a number from 0 to {MAX_SEED}, not {seed} (--seed)")
    if not 1 <= bots <= MAX_BOTS:
        raise UserError(f"a run has from 1 to {MAX_BOTS} bots, not {bots} (--bots)")
