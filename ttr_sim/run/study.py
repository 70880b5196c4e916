"""The runs of a study, one for each player count of an edition, and the two runs of a comparison."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.write import with_bots_of
from ttr_sim.errors import UserError
from ttr_sim.run.folder import RUN_FILE
from ttr_sim.run.opened import Run, open_run
from ttr_sim.run.plan import Plan, Request, check_request, make_plans

if TYPE_CHECKING:
    from ttr_sim.run.control import Watch

Side = Run | Request


def play_study(request: Request, jobs: int, watch: Watch, command: str) -> list[Run]:
    """Play what is not yet finished and return the runs by player count."""
    return [_play(request, plan, jobs, watch, command) for plan in make_plans(request, watch.note)]


def _play(request: Request, plan: Plan, jobs: int, watch: Watch, command: str) -> Run:
    from ttr_sim.run.play import play_plan  # Numba loads here, after the request was checked

    watch.note(f"{request.edition.title} with {plan.players} players")
    return play_plan(request, plan, plan.default_folder, jobs, watch, command)


def play_sides(sides: tuple[Side, Side], jobs: int, watch: Watch, command: str) -> tuple[Run, Run]:
    """Play the side or sides of a comparison that are not runs yet."""
    a, b = (side if isinstance(side, Run) else play_study(side, jobs, watch, command)[0] for side in sides)
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
        requests = _requests(editions, run.edition, plan.players, plan.bots, plan.games, plan.seed)
    else:
        requests = _requests(editions, editions[a], players or _middle(*editions.values()), bots, games, seed)
    sides: dict[str, Side] = {**runs, **requests}
    return sides[a], sides[b]


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
