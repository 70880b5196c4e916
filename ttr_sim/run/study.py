"""The runs of a study in one folder, and the two runs of a comparison."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.write import with_bots_of
from ttr_sim.errors import UserError
from ttr_sim.files import write_whole
from ttr_sim.run.folder import RUN_FILE, DamagedRecordError, RunFolder
from ttr_sim.run.lineups import (
    ALL,
    ALL_BOTS,
    MIXES,
    MIXES_BOT,
    OWN,
    REWARDS,
    RIVAL_BOTS,
    RIVALS,
    STRONG,
    STRONG_BOT,
    field_of,
    variants,
)
from ttr_sim.run.plan import RESULTS, RUNS, Plan, Request, check_request, make_plans
from ttr_sim.run.read import Run, open_run
from ttr_sim.run.record import build

if TYPE_CHECKING:
    from ttr_sim.run.workers import ProgressListener, Workers

Side = Run | Request

# Marks a folder of a study, whose runs `runs --prune` may delete.
STUDY_FILE = "study.json"
# Games of the strong field at each player count; other fields scale with it.
STUDY_GAMES = 20_000
# The fields that show how far a finding holds have one game for so many of the strong one.
FEWER = 2
# Games of the rewards for each of the strong field.
REWARD_GAMES = 0.75
# Games of the mixes, where strong ones are as many, and of the strong ones beyond.
MIXES_GAMES, MIXES_SHARE = 5_000, 4
HEADINGS = {
    STRONG: "strong players",
    RIVALS: "rivals of several styles",
    ALL: "all styles",
    REWARDS: "what it rewards",
    MIXES: "decks drawn by chance",
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
    def first(self) -> tuple[Request, ...]:
        """The games that the verdict rests on."""
        bots = self.bots or (STRONG_BOT,)
        strong = Request(self.edition, self.players, bots, self.games, self.seed, part_size=self.part_size)
        return with_mixes(strong)

    @property
    def rest(self) -> Iterator[Request]:
        if self.bots or self.quick:
            return
        fewer = -(-self.games // FEWER)
        yield Request(self.edition, self.players, RIVAL_BOTS, fewer, self.seed)
        yield Request(self.edition, self.players, ALL_BOTS, fewer, self.seed)
        one_of, games = tuple(variants(self.edition).values()), math.ceil(self.games * REWARD_GAMES)
        for players in self.players:
            lineup = (STRONG_BOT,) * players
            yield Request(self.edition, (players,), lineup, games, self.seed, RESULTS, one_of=one_of)


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """Contents of study.json."""

    edition: str
    title: str
    players: tuple[int, ...]
    games: int
    seed: int
    bots: tuple[str, ...]
    command: str


def with_mixes(strong: Request) -> tuple[Request, ...]:
    """Add strong players with random decks where a player chooses the decks of the deal."""
    edition, games = strong.edition, strong.games
    if strong.bots != (STRONG_BOT,) or not edition.ticket_rules.mix or len(edition.decks) == 1:
        return (strong,)
    return strong, replace(strong, bots=(MIXES_BOT,), games=max(min(games, MIXES_GAMES), games // MIXES_SHARE))


def run_folder_name(plan: Plan) -> str:
    return f"{plan.players}p-{field_of(plan)}"


def heading(edition: Edition, plan: Plan) -> str:
    return f"{edition.title} with {plan.players} players: {HEADINGS[field_of(plan)]}"


def play_study(study: Study, workers: Workers, listener: ProgressListener, command: str) -> Iterator[list[Run]]:
    """Yield the runs that the page rests on, then all of them."""
    # Numba loads here, after the request was checked.
    from ttr_sim.run.play import play_plan

    planned = [(request, plan) for request in [*study.first, *study.rest] for plan in make_plans(request, listener)]
    names = (study.edition.name if number == 1 else f"{study.edition.name}-{number}" for number in count(1))
    folder = next(RUNS / name for name in names if _fits(RUNS / name, study, [plan for _, plan in planned]))
    folder.mkdir(parents=True, exist_ok=True)
    # Player counts that were studied before stay in the folder, and in the list of `ttr-sim runs`.
    before = study_facts(folder)
    players = tuple(sorted({*(before.players if before else ()), *study.players}))
    edition, title = study.edition.name, study.edition.title
    facts = StudyFacts(edition, title, players, study.games, study.seed, study.bots or (), command)
    write_whole(folder / STUDY_FILE, (json.dumps(asdict(facts), indent=2, ensure_ascii=False) + "\n").encode())
    places = [RunFolder(folder / run_folder_name(plan)) for _, plan in planned]
    are_finished = [place.is_finished(plan) for place, (_, plan) in zip(places, planned, strict=True)]
    played = list[Run]()
    for (request, plan), place in zip(planned, places, strict=True):
        # A first page is worth its time only if something is left to play after it.
        if len(played) == len(study.first) * len(study.players) and not all(are_finished[len(played) :]):
            yield [*played]
        listener.note(heading(study.edition, plan))
        played.append(play_plan(request, plan, place.path, workers, listener, command))
    yield played


def _fits(folder: Path, study: Study, plans: Sequence[Plan]) -> bool:
    """Check that no run in the folder has another plan, nor the study another seed or other bots."""
    if not folder.exists():
        return True
    facts = study_facts(folder)
    if not (folder / STUDY_FILE).is_file() or (facts and (facts.seed, facts.bots) != (study.seed, study.bots or ())):
        return False
    for plan in plans:
        place = RunFolder(folder / run_folder_name(plan))
        try:
            if (place.path / RUN_FILE).is_file() and place.read().plan != plan:
                return False
        except DamagedRecordError:
            continue  # repaired by playing again
        except UserError:
            return False  # a run of another schema is left alone
    return True


def study_facts(folder: Path) -> StudyFacts | None:
    """Contents of a study's study.json, None for any other folder."""
    try:
        return build(StudyFacts, json.loads((folder / STUDY_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def play_sides(sides: Sequence[Side], workers: Workers, listener: ProgressListener, command: str) -> list[Run]:
    # Numba loads here, after the requests were checked.
    from ttr_sim.run.play import play_plan

    runs = []
    for side in sides:
        if isinstance(side, Run):
            runs.append(side)
        else:
            (plan,) = make_plans(side, listener)
            listener.note(heading(side.edition, plan))
            runs.append(play_plan(side, plan, plan.default_folder, workers, listener, command))
    return runs


def plan_sides(
    a: str, b: str, bots: tuple[str, ...], games: int, seed: int, players: int | None, given: Collection[str]
) -> tuple[Side, Side]:
    """Open or plan both sides of a comparison.

    An edition is played the way the other side's run was. `given` names the options that the user gave.
    """
    runs = {side: open_run(side) for side in (a, b) if is_run(side)}
    if runs and given:
        options = ", ".join(f"--{name}" for name in given)
        raise UserError(f"{next(iter(runs))} is already played, and its plan cannot change; omit {options}")
    sides: dict[str, Side] = dict(runs)
    editions: dict[str, Edition] = {}
    for side in (a, b):
        if side in runs:
            continue
        folder = find_folder(side)
        if not (folder / RULES_FILE).is_file():
            raise UserError(f"{folder} is neither a run (it has no {RUN_FILE}) nor an edition (it has no {RULES_FILE})")
        editions[side] = load_edition(side)
    if runs:
        run = next(iter(runs.values()))
        first, players, bots, seed = run.edition, run.plan.players, run.plan.bots, run.plan.seed
        games = run.record.requested_games
    else:
        first, second = editions[a], editions[b]
        fewest, most = max(first.players[0], second.players[0]), min(first.players[1], second.players[1])
        if players is None and fewest > most:
            raise UserError(f"{first.title} and {second.title} have no number of players in common")
        players = players or fewest + (most - fewest + 1) // 2
    for side, edition in editions.items():
        request = Request(edition, (players,), bots, games, seed)
        check_request(request)
        # Both sides play with the first edition's tuned bots.
        sides[side] = replace(request, edition=with_bots_of(edition, first))
    return sides[a], sides[b]


def among_rivals(sides: tuple[Side, Side]) -> tuple[Side, Side] | None:
    """Plan both sides with rival bots, if possible."""
    a, b = sides
    if isinstance(a, Run) or isinstance(b, Run) or a.bots != (STRONG_BOT,):
        return None
    fewer = -(-a.games // FEWER)
    return replace(a, bots=RIVAL_BOTS, games=fewer), replace(b, bots=RIVAL_BOTS, games=fewer)


def among_mixes(sides: tuple[Side, Side]) -> list[Request]:
    """Plan both sides with random decks, where strong players choose decks on both."""
    found = [mixes for side in sides if not isinstance(side, Run) for mixes in with_mixes(side)[1:]]
    return found if len(found) == len(sides) else []


def is_run(side: str) -> bool:
    return (Path(side) / RUN_FILE).is_file()
