"""How much hangs on a choice: at turns of strong players' games, what the best action wins more than the next best.

Each action is tried on worlds that the mover cannot tell from the game, played on by strong players. The two that look
best on some worlds are compared on others: which of many looks best on the same worlds would look better than it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ttr_sim.errors import UserError
from ttr_sim.files import write_whole
from ttr_sim.run.fields import STRONG, STRONG_BOT
from ttr_sim.run.opened import Run

if TYPE_CHECKING:
    from ttr_sim.edition.model import Edition
    from ttr_sim.run.control import Watch

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
TryMoves = Callable[[list[int], int, int], Floats]  # moves, the first world, how many: wins by world and move

FILE = "choices.json"
FIRST_LOOK, SECOND_LOOK, LAST_LOOK = 60, 150, 600  # worlds: for all moves, the leading actions, the last two
LEADING = 4  # actions that get a second look
SEED = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """One turn: how many actions were open, and the share of wins that the best has more than the next, None where
    there was but one; below 0 where the next proves better. All draws of cards count as one action, and so do all
    payments for one connection."""

    game: int
    turn: int
    actions: int
    gap: float | None


def find_gap(actions: Sequence[Hashable], try_moves: TryMoves) -> float | None:
    """Return what the best action wins more than the next best; `actions` says by move which action it is part of."""
    moves = list(range(len(actions)))
    wins = try_moves(moves, 0, FIRST_LOOK).sum(axis=0)
    best = {action: max((m for m in moves if actions[m] == action), key=lambda m: wins[m]) for action in set(actions)}
    if len(best) == 1:
        return None
    leading = sorted(best.values(), key=lambda move: (-wins[move], move))[:LEADING]
    both = wins[leading] + try_moves(leading, FIRST_LOOK, SECOND_LOOK).sum(axis=0)
    last = [leading[place] for place in np.argsort(-both, kind="stable")[:2]]
    gain = try_moves(last, FIRST_LOOK + SECOND_LOOK, LAST_LOOK)
    return float(gain[:, 0].mean() - gain[:, 1].mean())


def weigh_choices(run: Run, turns: int, jobs: int, watch: Watch) -> None:
    """Look at one turn of each of the first games and write down what was found beside the run's tables."""
    if run.field != STRONG:
        raise UserError(f"{run.path} was not played by {STRONG_BOT} in every seat, whose choices alone can be weighed")
    if len(read_choices(run)) >= min(turns, run.finished_games):
        return
    with watch.wait(f"weighing the choices of {turns} turns, {run.plan.players} players"):
        found = sorted(_weigh(run, _places(run, turns), jobs), key=lambda choice: choice.game)
    record = {"plan": run.plan.hash, "turns": [asdict(choice) for choice in found]}
    write_whole(run.path / FILE, f"{json.dumps(record)}\n".encode())


def read_choices(run: Run) -> list[Choice]:
    """Return what was found at turns of this run; nothing when none was looked at."""
    file = run.path / FILE
    if not file.is_file():
        return []
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        return [Choice(**turn) for turn in record["turns"]] if record["plan"] == run.plan.hash else []
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{file} is damaged; delete it, and weigh choices again with `study --choices`") from None


def _places(run: Run, turns: int) -> Iterator[tuple[int, int, int]]:
    """Yield game, deal and turn: each turn of a game is as likely as the others."""
    games = run.games(["game", "deal", "turns"]).head(turns)
    chance = np.random.default_rng([SEED, run.plan.seed])
    for game, deal, length in games.to_numpy(np.int64).tolist():
        yield game, deal, int(chance.integers(length))


def _weigh(run: Run, places: Iterator[tuple[int, int, int]], jobs: int) -> Iterator[Choice]:
    table = _Table(run)
    first, *others = places
    yield from table.choice(*first)  # compiled before threads share it
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for done in as_completed([pool.submit(table.choice, *place) for place in others]):
                yield from done.result()
        finally:
            pool.shutdown(cancel_futures=True)


class _Table:
    """All that games of a run are played again with."""

    def __init__(self, run: Run) -> None:
        from ttr_sim.bots import load_bots
        from ttr_sim.edition.canonical import in_canonical_order
        from ttr_sim.engine.batch import bot_records
        from ttr_sim.engine.board import compile_board

        self.plan = run.plan
        self.edition: Edition = in_canonical_order(run.edition).edition
        self.boards = compile_board(run.edition)
        self.loaded = load_bots((STRONG_BOT,), run.edition)
        self.bots = bot_records(self.loaded.table)

    def choice(self, game: int, deal: int, turn: int) -> list[Choice]:
        """Return the choice at a turn; nothing where the game is over before, as it may be for a newer version."""
        from ttr_sim.bots.search.desk import MAX_CANDIDATES
        from ttr_sim.bots.search.weighing import list_moves, play_to_turn, try_moves
        from ttr_sim.engine.records import new_state, new_workspace

        states, workspaces = new_state(), new_workspace()
        plan, seed = self.plan, np.uint64(self.plan.seed)
        if not play_to_turn(self.boards, states, plan.players, seed, deal, self.bots, turn):
            return []
        moves = np.zeros(MAX_CANDIDATES, np.int64)
        count = int(list_moves(self.boards, states, workspaces, moves))
        actions = [self._action(int(move)) for move in moves[:count]]
        if not actions:
            return [Choice(game, turn, 0, None)]

        def tried(wanted: list[int], first: int, worlds: int) -> Floats:
            wins = np.zeros((worlds, len(wanted)))
            try_moves(self.boards, workspaces, np.array(wanted, np.int64), first, wins)
            return wins

        return [Choice(game, turn, len(set(actions)), find_gap(actions, tried))]

    def _action(self, move: int) -> tuple[int, int]:
        """Return what a move does, in so far as it makes a choice: draw, claim a connection, build at a city..."""
        from ttr_sim.engine import actions

        kind, first = move & 255, (move >> 8) & 255
        if kind in (actions.ANSWER_DRAW_ROW, actions.ANSWER_DRAW_DECK):
            return actions.ANSWER_DRAW_DECK, 0
        if kind == actions.ANSWER_CLAIM:
            return kind, self.edition.routes[first].group
        return kind, first if kind == actions.ANSWER_STATION else 0
