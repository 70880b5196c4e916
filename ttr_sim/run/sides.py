"""The two runs of a comparison."""

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
from ttr_sim.run.fields import OWN, RIVAL_BOTS, RIVALS, STRONG, STRONG_BOT
from ttr_sim.run.folder import RUN_FILE
from ttr_sim.run.plan import Request, check_request, make_plans
from ttr_sim.run.read import Run, open_run
from ttr_sim.run.study import FEWER, PlannedRun

if TYPE_CHECKING:
    from ttr_sim.run.workers import ProgressListener, Workers

Side = Run | Request


def play_sides(sides: tuple[Side, Side], workers: Workers, listener: ProgressListener, command: str) -> tuple[Run, Run]:
    """Play each side that is not yet a run."""
    a, b = (side if isinstance(side, Run) else _play_side(side, workers, listener, command) for side in sides)
    return a, b


def _play_side(request: Request, workers: Workers, listener: ProgressListener, command: str) -> Run:
    # Numba loads here, after the request was checked.
    from ttr_sim.run.play import play_plan

    (plan,) = make_plans(request, listener)
    field = {(STRONG_BOT,): STRONG, RIVAL_BOTS: RIVALS}.get(request.bots, OWN)
    listener.note(PlannedRun(field, request, plan).heading)
    return play_plan(request, plan, plan.default_folder, workers, listener, command)


def plan_sides(
    a: str, b: str, bots: tuple[str, ...], games: int, seed: int, players: int | None, given: Collection[str]
) -> tuple[Side, Side]:
    """Open or plan both sides of a comparison.

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
    """Plan both sides with rival bots, if possible."""
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
    """Request games with the first edition's tuned bots."""
    requests = {side: Request(edition, (players,), bots, games, seed) for side, edition in editions.items()}
    for request in requests.values():
        check_request(request)
    return {side: replace(request, edition=with_bots_of(request.edition, first)) for side, request in requests.items()}


def _middle(old: Edition, new: Edition) -> int:
    """Upper middle of the shared player counts."""
    fewest, most = max(old.players[0], new.players[0]), min(old.players[1], new.players[1])
    if fewest > most:
        raise UserError(f"{old.title} and {new.title} have no number of players in common")
    return fewest + (most - fewest + 1) // 2
