"""The runs of a study in one folder, and the two runs of a comparison."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.write import with_bots_of
from ttr_sim.errors import UserError
from ttr_sim.files import write_whole
from ttr_sim.run.folder import RUN_FILE, DamagedRecordError, RunFolder
from ttr_sim.run.lineups import ALL, ALL_BOTS, OWN, REWARDS, RIVAL_BOTS, RIVALS, STRONG, STRONG_BOT, field_of, variants
from ttr_sim.run.plan import MAX_BOTS, MAX_GAMES, MAX_SEED, RESULTS, RUNS, Plan, Request, check_request, make_plans
from ttr_sim.run.read import Run, open_run
from ttr_sim.run.record import MAX_PLAYERS_EVER, JsonObject

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
        bots = self.bots or (STRONG_BOT,)
        return Request(self.edition, self.players, bots, self.games, self.seed, part_size=self.part_size)

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


def run_folder_name(plan: Plan) -> str:
    return f"{plan.players}p-{field_of(plan)}"


def heading(edition: Edition, plan: Plan) -> str:
    return f"{edition.title} with {plan.players} players: {HEADINGS[field_of(plan)]}"


def play_study(study: Study, workers: Workers, listener: ProgressListener, command: str) -> Iterator[list[Run]]:
    """Yield the runs that the page rests on, then all of them."""
    # Numba loads here, after the request was checked.
    from ttr_sim.run.play import play_plan

    planned = [(request, plan) for request in [study.first, *study.rest] for plan in make_plans(request, listener)]
    plans = [plan for _, plan in planned]
    names = (study.edition.name if number == 1 else f"{study.edition.name}-{number}" for number in count(1))
    folder = next(RUNS / name for name in names if _fits(RUNS / name, study, plans))
    folder.mkdir(parents=True, exist_ok=True)
    # Player counts that were studied before stay in the folder, and in the list of `ttr-sim runs`.
    before = study_facts(folder) or {"players": []}
    facts = {
        "edition": study.edition.name,
        "title": study.edition.title,
        "players": sorted({*before["players"], *(plan.players for plan in plans)}),
        "games": study.games,
        "seed": study.seed,
        "bots": list(study.bots or ()),
        "command": command,
    }
    write_whole(folder / STUDY_FILE, (json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode())
    played = list[Run]()
    for number, (request, plan) in enumerate(planned):
        # A first page is worth its time only if something is left to play after it.
        if number == len(study.players) and any(
            not RunFolder(folder / run_folder_name(later)).is_finished(later) for later in plans[number:]
        ):
            yield [*played]
        listener.note(heading(study.edition, plan))
        played.append(play_plan(request, plan, folder / run_folder_name(plan), workers, listener, command))
    yield played


def _fits(folder: Path, study: Study, plans: Sequence[Plan]) -> bool:
    """Check that no run in the folder has another plan, nor the study another seed or other bots."""
    if not folder.exists():
        return True
    if not (folder / STUDY_FILE).is_file():
        return False
    facts = study_facts(folder)
    if facts is not None and (facts["seed"], facts["bots"]) != (study.seed, list(study.bots or ())):
        return False
    for plan in plans:
        place = RunFolder(folder / run_folder_name(plan))
        if (place.path / RUN_FILE).is_file():
            try:
                if place.read().plan != plan:
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
        facts = JsonObject(json.loads((folder / STUDY_FILE).read_text(encoding="utf-8")))
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


def play_sides(sides: tuple[Side, Side], workers: Workers, listener: ProgressListener, command: str) -> tuple[Run, Run]:
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
    return runs[0], runs[1]


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


def is_run(side: str) -> bool:
    return (Path(side) / RUN_FILE).is_file()
