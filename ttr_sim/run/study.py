"""The runs of a study, by field and player count of an edition, and the two runs of a comparison."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.write import with_bots_of
from ttr_sim.errors import UserError
from ttr_sim.run.fields import (
    ALL,
    ALL_BOTS,
    OWN,
    REWARDS,
    RIVAL_BOTS,
    RIVALS,
    STRONG,
    STRONG_BOT,
    field_of,
    variants,
)
from ttr_sim.run.folder import RUN_FILE, finished_digest
from ttr_sim.run.opened import Run, open_run
from ttr_sim.run.plan import RESULTS, SMALL_PART, Plan, Request, check_request, make_plans

if TYPE_CHECKING:
    from ttr_sim.run.backends import Workers
    from ttr_sim.run.control import Watch

Side = Run | Request
FEWER = 2  # the other fields have one game for so many of the strong one
GAMES_FOR_A_DEAL = 20  # what a board rewards is measured on one deal for so many games of the strong field
WORDS = {
    STRONG: "strong players",
    RIVALS: "rivals of several styles",
    ALL: "all styles",
    REWARDS: "what it rewards",
    OWN: "your bots",
}


@dataclass(frozen=True, slots=True)
class Study:
    """What a study is to play; `games` are for each player count of the field that the page rests on."""

    edition: Edition
    players: tuple[int, ...]
    games: int
    seed: int
    bots: tuple[str, ...] | None = None  # the user's own, who then play alone
    quick: bool = False  # nothing but what the page rests on
    part_size: int | None = None  # of what the page rests on

    @property
    def first(self) -> Request:
        """Return what the page rests on."""
        bots = self.bots or (STRONG_BOT,)
        return Request(self.edition, self.players, bots, self.games, self.seed, part_size=self.part_size)

    @property
    def rest(self) -> Iterator[Request]:
        """Yield what completes the page, by smaller runs."""
        if self.bots or self.quick:
            return
        fewer = -(-self.games // FEWER)
        yield Request(self.edition, self.players, RIVAL_BOTS, fewer, self.seed)
        yield Request(self.edition, self.players, ALL_BOTS, fewer, self.seed, RESULTS)
        for players in self.players:
            for bot in variants(self.edition).values():
                yield self._small((bot, *[STRONG_BOT] * (players - 1)), GAMES_FOR_A_DEAL)

    def _small(self, lineup: tuple[str, ...], games_for_a_deal: int) -> Request:
        """Return a run in all rotations of the lineup, with a deal for this many games of the strong field."""
        games = -(-self.games // games_for_a_deal) * len(lineup)
        return Request(self.edition, (len(lineup),), lineup, games, self.seed, RESULTS, part_size=SMALL_PART)


def play_study(study: Study, workers: Workers, watch: Watch, command: str) -> Iterator[list[Run]]:
    """Play what is not yet finished and yield all runs so far: first those that the page rests on, then all of them;
    at once all of them when there is nothing left to play."""
    yield from play_rest(study, play_first(study, workers, watch, command), workers, watch, command)


def play_first(study: Study, workers: Workers, watch: Watch, command: str) -> list[Run]:
    """Play what the page rests on."""
    return list(_play(study.first, workers, watch, command))


def play_rest(study: Study, runs: list[Run], workers: Workers, watch: Watch, command: str) -> Iterator[list[Run]]:
    """Play what completes the page after these runs, and yield as `play_study` does."""
    rest = [(request, plan) for request in study.rest for plan in make_plans(request, watch)]
    if any(finished_digest(plan) is None for _, plan in rest):
        yield [*runs]
    said = ""
    for request, plan in rest:
        heading = _heading(plan, request.edition)
        if heading != said:
            watch.note(said := heading)
        runs.append(_play_plan(request, plan, workers, watch, command))
    yield runs


def _play(request: Request, workers: Workers, watch: Watch, command: str) -> Iterator[Run]:
    """Play what is not yet finished and yield the runs by player count."""
    for plan in make_plans(request, watch):
        watch.note(_heading(plan, request.edition))
        yield _play_plan(request, plan, workers, watch, command)


def _play_plan(request: Request, plan: Plan, workers: Workers, watch: Watch, command: str) -> Run:
    from ttr_sim.run.play import play_plan  # Numba loads here, after the request was checked

    return play_plan(request, plan, plan.default_folder, workers, watch, command)


def _heading(plan: Plan, edition: Edition) -> str:
    return f"{edition.title} with {plan.players} players: {WORDS[field_of(plan)]}"


def play_sides(sides: tuple[Side, Side], workers: Workers, watch: Watch, command: str) -> tuple[Run, Run]:
    """Play the side or sides of a comparison that are not runs yet."""
    a, b = (side if isinstance(side, Run) else next(_play(side, workers, watch, command)) for side in sides)
    return a, b


def plan_sides(
    a: str, b: str, bots: tuple[str, ...], games: int, seed: int, players: int | None, given: Collection[str]
) -> tuple[Side, Side]:
    """Return a run for each side that is one, and a request for each that is an edition.

    Beside a run, an edition is played the way that run was; `given` names the options that the user gave explicitly.
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
    """Return the requests for bots that play alike on both sides: with the values tuned for the first edition."""
    requests = {side: Request(edition, (players,), bots, games, seed) for side, edition in editions.items()}
    for request in requests.values():
        check_request(request)
    return {side: replace(request, edition=with_bots_of(request.edition, first)) for side, request in requests.items()}


def _middle(old: Edition, new: Edition) -> int:
    """Return the middle one of the player counts that both allow, rather the larger."""
    fewest, most = max(old.players[0], new.players[0]), min(old.players[1], new.players[1])
    if fewest > most:
        raise UserError(f"{old.title} and {new.title} have no number of players in common")
    return fewest + (most - fewest + 1) // 2
