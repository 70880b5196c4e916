"""Playouts a second by the planner's policy, from the middle of games, with what is hidden dealt again each time."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from scripts.tools.bench.bots import player_counts
from scripts.tools.bench.measure import Row
from ttr_sim.bots import load_bots
from ttr_sim.bots.search.playouts import NO_HORIZON, ask_planner, play_out, step
from ttr_sim.bots.skills import tastes
from ttr_sim.edition import load_edition, official_names
from ttr_sim.engine.actions import pass_turn
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.determinise import determinise
from ttr_sim.engine.game import must_pass, show_own
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.records import new_state
from ttr_sim.engine.rng import item_key
from ttr_sim.engine.setup import set_up
from ttr_sim.engine.worlds import copy_game

DEALS, QUICK_DEALS = 40, 8
PLAYOUTS = 25
MOST_PLAYERS = 4
TO_THE_END = 1_000_000


def measure(quick: bool) -> list[Row]:
    tables = [
        (name, players) for name in official_names() for players in player_counts(name) if players <= MOST_PLAYERS
    ]
    return [_row(name, players, QUICK_DEALS if quick else DEALS) for name, players in tables]


def _row(name: str, players: int, deals: int) -> Row:
    edition = load_edition(name)
    boards, states, plays = compile_board(edition), new_state(), new_state()
    parameters = load_bots(["planner"], edition).table.parameters[0]
    parameters[tastes.HORIZON] = NO_HORIZON
    seconds = 0.0
    for deal in range(deals):
        turns = play_until(boards, states, players, deal, parameters, TO_THE_END)
        play_until(boards, states, players, deal, parameters, turns // 2)
        play_from(boards, states, plays, 1)
        start = time.process_time()
        play_from(boards, states, plays, PLAYOUTS)
        seconds += time.process_time() - start
    playouts = deals * PLAYOUTS
    return {
        "edition": name,
        "players": players,
        "playouts": playouts,
        "playouts_per_second": playouts / seconds,
        "microseconds": seconds / playouts * 1e6,
    }


@compiled
def play_until(boards: Any, states: Any, players: Any, deal: Any, parameters: Any, last: Any) -> Any:
    """Play a game of planners until this turn, or to its end; return the turn it has come to."""
    board, state = boards[0], states[0]
    set_up(board, state, players, np.uint64(1), deal, 0)
    for seat in range(players):
        for i in range(parameters.shape[0]):
            state.seats[seat].parameters[i] = parameters[i]
    is_over = False
    while not is_over and state.mover_view.turn < last:
        is_over = step(board, state, _answer(board, state))
    return state.mover_view.turn


@compiled
def play_from(boards: Any, states: Any, plays: Any, times: Any) -> None:
    """Play the game on to its end, again and again."""
    board, play = boards[0], plays[0]
    for number in range(times):
        copy_game(play, states[0])
        determinise(board, play, play.mover_view.seat, item_key(play.hidden.deal_key, number))
        play_out(board, play, _answer(board, play))


@compiled
def _answer(board: Any, state: Any) -> Any:
    show_own(state)
    return pass_turn() if must_pass(board, state) else ask_planner(board, state)
