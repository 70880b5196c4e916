"""The runs of a study in one folder."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.files import write_whole
from ttr_sim.run.fields import ALL, ALL_BOTS, OWN, REWARDS, RIVAL_BOTS, RIVALS, STRONG, STRONG_BOT, variants
from ttr_sim.run.folder import RUN_FILE, DamagedRecordError, RunFolder, is_finished
from ttr_sim.run.plan import MAX_BOTS, MAX_GAMES, MAX_SEED, RESULTS, RUNS, Plan, Request, make_plans
from ttr_sim.run.read import Run
from ttr_sim.run.record import MAX_PLAYERS_EVER, Fields

if TYPE_CHECKING:
    from ttr_sim.run.workers import ProgressListener, Workers

# Marks a folder of a study, whose runs `runs --prune` may delete.
STUDY_FILE = "study.json"
# The fields that show how far a finding holds have one game for so many of the strong one.
FEWER = 2
# Games of the rewards for each of the strong field.
REWARD_GAMES = 0.75
HEADINGS = {
    STRONG: "strong players",
    RIVALS: "rivals of several styles",
    ALL: "all styles",
    REWARDS: "what it rewards",
    OWN: "your bots",
}


@dataclass(frozen=True, slots=True)
class Study:
    """Plan of a study, with games for each player count."""

    edition: Edition
    players: tuple[int, ...]
    games: int
    seed: int
    bots: tuple[str, ...] | None = None  # the user's own, who then play alone
    quick: bool = False  # nothing but the runs that the page rests on
    part_size: int | None = None  # of these

    @property
    def first(self) -> Request:
        """Request of the main field."""
        bots = self.bots or (STRONG_BOT,)
        return Request(self.edition, self.players, bots, self.games, self.seed, part_size=self.part_size)

    @property
    def rest(self) -> Iterator[tuple[str, Request]]:
        """Yield the requests of the remaining fields."""
        if self.bots or self.quick:
            return
        fewer = -(-self.games // FEWER)
        yield RIVALS, Request(self.edition, self.players, RIVAL_BOTS, fewer, self.seed)
        yield ALL, Request(self.edition, self.players, ALL_BOTS, fewer, self.seed)
        one_of, games = tuple(variants(self.edition).values()), math.ceil(self.games * REWARD_GAMES)
        for players in self.players:
            lineup = (STRONG_BOT,) * players
            yield REWARDS, Request(self.edition, (players,), lineup, games, self.seed, RESULTS, one_of=one_of)


class PlannedRun(NamedTuple):
    """One run of a study, by its field."""

    field: str
    request: Request
    plan: Plan

    @property
    def folder_name(self) -> str:
        return f"{self.plan.players}p-{self.field}"

    @property
    def heading(self) -> str:
        return f"{self.request.edition.title} with {self.plan.players} players: {HEADINGS[self.field]}"


def play_study(study: Study, workers: Workers, listener: ProgressListener, command: str) -> Iterator[list[Run]]:
    """Yield the runs that the page rests on, then all of them."""
    # Numba loads here, after the request was checked.
    from ttr_sim.run.play import play_plan

    fields = [(OWN if study.bots else STRONG, study.first), *study.rest]
    planned = [PlannedRun(name, request, plan) for name, request in fields for plan in make_plans(request, listener)]
    folder, played = _study_folder(study, planned, command), list[Run]()
    for number, run in enumerate(planned):
        # A first page is worth its time only if something is left to play after it.
        if number == len(study.players) and any(
            not is_finished(RunFolder(folder / later.folder_name), later.plan) for later in planned[number:]
        ):
            yield [*played]
        listener.note(run.heading)
        played.append(play_plan(run.request, run.plan, folder / run.folder_name, workers, listener, command))
    yield played


def _study_folder(study: Study, planned: Sequence[PlannedRun], command: str) -> Path:
    """Choose the first numbered folder that fits these plans."""
    for number in count(1):
        folder = RUNS / (study.edition.name if number == 1 else f"{study.edition.name}-{number}")
        if not folder.exists() or _fits(folder, study, planned):
            folder.mkdir(parents=True, exist_ok=True)
            # Player counts that were studied before stay in the folder, and in the list of `ttr-sim runs`.
            before = study_facts(folder) or {"players": []}
            facts = {
                "edition": study.edition.name,
                "title": study.edition.title,
                "players": sorted({*before["players"], *(run.plan.players for run in planned)}),
                "games": study.games,
                "seed": study.seed,
                "bots": list(study.bots or ()),
                "command": command,
            }
            write_whole(folder / STUDY_FILE, (json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode())
            return folder
    raise AssertionError("numbers do not end")


def _fits(folder: Path, study: Study, planned: Sequence[PlannedRun]) -> bool:
    """Check that no run in the folder has another plan, nor the study another seed or other bots."""
    if not (folder / STUDY_FILE).is_file():
        return False
    facts = study_facts(folder)
    if facts is not None and (facts["seed"], facts["bots"]) != (study.seed, list(study.bots or ())):
        return False
    for run in planned:
        place = RunFolder(folder / run.folder_name)
        if (place.path / RUN_FILE).is_file():
            try:
                if place.read().plan != run.plan:
                    return False
            except DamagedRecordError:
                continue  # repaired by playing again
            except UserError:
                return False  # a run of another schema is left alone
    return True


def study_facts(folder: Path) -> dict[str, Any] | None:
    """Contents of a study's study.json, None for any other folder."""

    def are_player_counts(value: Any) -> bool:
        return isinstance(value, list) and all(type(v) is int and 1 <= v <= MAX_PLAYERS_EVER for v in value)

    try:
        facts = Fields(json.loads((folder / STUDY_FILE).read_text(encoding="utf-8")))
        return {
            "edition": facts.text("edition"),
            "title": facts.text("title"),
            "players": facts.take("players", are_player_counts, "a list of player counts"),
            "games": facts.number("games", 1, MAX_GAMES),
            "seed": facts.number("seed", 0, MAX_SEED),
            "bots": list(facts.texts("bots", 0, MAX_BOTS)),
        }
    except (OSError, ValueError, RecursionError):
        return None
