"""The runs of a study in one folder, and the two runs of a comparison."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.write import with_bots_of
from ttr_sim.errors import UserError
from ttr_sim.files import write_whole
from ttr_sim.run.fields import ALL, ALL_BOTS, OWN, REWARDS, RIVAL_BOTS, RIVALS, STRONG, STRONG_BOT, variants
from ttr_sim.run.folder import RUN_FILE, DamagedRecordError, RunFolder, is_finished
from ttr_sim.run.plan import MAX_BOTS, MAX_GAMES, MAX_SEED, RESULTS, RUNS, Plan, Request, check_request, make_plans
from ttr_sim.run.read import Run, open_run
from ttr_sim.run.record import MAX_PLAYERS_EVER, Fields

if TYPE_CHECKING:
    from ttr_sim.run.workers import ProgressListener, Workers

Side = Run | Request
STUDY_FILE = "study.json"  # marks a folder of a study, whose runs `runs --prune` may delete
FEWER = 2  # the fields that show how far a finding holds have one game for so many of the strong one
REWARD_GAMES = 0.75  # games of the rewards for each of the strong field
WORDS = {
    STRONG: "strong players",
    RIVALS: "rivals of several styles",
    ALL: "all styles",
    REWARDS: "what it rewards",
    OWN: "your bots",
}


@dataclass(frozen=True, slots=True)
class Study:
    """What to play; `games` are for each player count of the field that the page rests on."""

    edition: Edition
    players: tuple[int, ...]
    games: int
    seed: int
    bots: tuple[str, ...] | None = None  # the user's own, who then play alone
    quick: bool = False  # nothing but the runs that the page rests on
    part_size: int | None = None  # of these

    @property
    def first(self) -> Request:
        """Runs that the page rests on."""
        bots = self.bots or (STRONG_BOT,)
        return Request(self.edition, self.players, bots, self.games, self.seed, part_size=self.part_size)

    @property
    def rest(self) -> Iterator[tuple[str, Request]]:
        """Runs that complete the page, each with its field."""
        if self.bots or self.quick:
            return
        fewer = -(-self.games // FEWER)
        yield RIVALS, Request(self.edition, self.players, RIVAL_BOTS, fewer, self.seed)
        yield ALL, Request(self.edition, self.players, ALL_BOTS, fewer, self.seed)
        one_of, games = tuple(variants(self.edition).values()), -int(-self.games * REWARD_GAMES // 1)
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
        return f"{self.request.edition.title} with {self.plan.players} players: {WORDS[self.field]}"


def play_study(study: Study, workers: Workers, listener: ProgressListener, command: str) -> Iterator[list[Run]]:
    """Play and yield all runs so far: those that the page rests on, then all; at once all if nothing is missing."""
    yield from play_rest(study, play_first(study, workers, listener, command), workers, listener, command)


def play_first(study: Study, workers: Workers, listener: ProgressListener, command: str) -> list[Run]:
    """Play the runs that the page rests on."""
    field = OWN if study.bots else STRONG
    planned = [PlannedRun(field, study.first, plan) for plan in make_plans(study.first, listener)]
    rest = [PlannedRun(name, request, plan) for name, request in study.rest for plan in make_plans(request, listener)]
    folder = _study_folder(study, [*planned, *rest], command)
    runs = []
    for run in planned:
        listener.note(run.heading)
        runs.append(_play_plan(run.request, run.plan, folder / run.folder_name, workers, listener, command))
    return runs


def play_rest(
    study: Study, runs: Sequence[Run], workers: Workers, listener: ProgressListener, command: str
) -> Iterator[list[Run]]:
    """Play the runs that complete the page after these, and yield as `play_study` does."""
    folder, played = runs[0].path.parent, [*runs]
    rest = [PlannedRun(name, request, plan) for name, request in study.rest for plan in make_plans(request, listener)]
    if any(not is_finished(RunFolder(folder / run.folder_name), run.plan) for run in rest):
        yield [*played]
    for run in rest:
        listener.note(run.heading)
        played.append(_play_plan(run.request, run.plan, folder / run.folder_name, workers, listener, command))
    yield played


def _study_folder(study: Study, planned: Sequence[PlannedRun], command: str) -> Path:
    """`runs/usa`, or the first `runs/usa-2`, `runs/usa-3`... that holds no run of another plan."""
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


def _play_plan(
    request: Request, plan: Plan, folder: Path, workers: Workers, listener: ProgressListener, command: str
) -> Run:
    from ttr_sim.run.play import play_plan  # Numba loads here, after the request was checked

    return play_plan(request, plan, folder, workers, listener, command)


def play_sides(sides: tuple[Side, Side], workers: Workers, listener: ProgressListener, command: str) -> tuple[Run, Run]:
    """Play the side or sides of a comparison that are not runs yet."""
    a, b = (side if isinstance(side, Run) else _play_side(side, workers, listener, command) for side in sides)
    return a, b


def _play_side(request: Request, workers: Workers, listener: ProgressListener, command: str) -> Run:
    (plan,) = make_plans(request, listener)
    field = {(STRONG_BOT,): STRONG, RIVAL_BOTS: RIVALS}.get(request.bots, OWN)
    listener.note(PlannedRun(field, request, plan).heading)
    return _play_plan(request, plan, plan.default_folder, workers, listener, command)


def plan_sides(
    a: str, b: str, bots: tuple[str, ...], games: int, seed: int, players: int | None, given: Collection[str]
) -> tuple[Side, Side]:
    """A run for each side that is one, a request for each that is an edition.

    An edition is played the way the other side's run was; `given` names the options that the user gave.
    """
    runs = {side: open_run(side) for side in (a, b) if is_run(side)}
    if runs and given:
        options = ", ".join(f"--{name}" for name in given)
        raise UserError(f"{next(iter(runs))} is already played, and its plan cannot change; omit {options}")
    editions = {side: _load_side(side) for side in (a, b) if side not in runs}
    if runs:
        run = next(iter(runs.values()))
        plan = run.plan
        requests = _requests(editions, run.edition, plan.players, plan.bots, run.record.requested_games, plan.seed)
    else:
        requests = _requests(editions, editions[a], players or _middle(editions[a], editions[b]), bots, games, seed)
    sides: dict[str, Side] = {**runs, **requests}
    return sides[a], sides[b]


def among_rivals(sides: tuple[Side, Side]) -> tuple[Side, Side] | None:
    """The same editions played by rivals; None beside a run, or where the user chose the bots."""
    a, b = sides
    if isinstance(a, Run) or isinstance(b, Run) or a.bots != (STRONG_BOT,):
        return None
    fewer = -(-a.games // FEWER)
    return replace(a, bots=RIVAL_BOTS, games=fewer), replace(b, bots=RIVAL_BOTS, games=fewer)


def is_run(side: str) -> bool:
    return (Path(side) / RUN_FILE).is_file()


def _load_side(side: str) -> Edition:
    folder = find_folder(side)
    if not (folder / RULES_FILE).is_file():
        raise UserError(f"{folder} is neither a run (it has no {RUN_FILE}) nor an edition (it has no {RULES_FILE})")
    return load_edition(side)


def _requests(
    editions: Mapping[str, Edition], first: Edition, players: int, bots: tuple[str, ...], games: int, seed: int
) -> dict[str, Request]:
    """Requests for bots that play alike on both sides: with the values tuned for the first edition."""
    requests = {side: Request(edition, (players,), bots, games, seed) for side, edition in editions.items()}
    for request in requests.values():
        check_request(request)
    return {side: replace(request, edition=with_bots_of(request.edition, first)) for side, request in requests.items()}


def _middle(old: Edition, new: Edition) -> int:
    """Middle of the player counts that both allow, rather the larger."""
    fewest, most = max(old.players[0], new.players[0]), min(old.players[1], new.players[1])
    if fewest > most:
        raise UserError(f"{old.title} and {new.title} have no number of players in common")
    return fewest + (most - fewest + 1) // 2
