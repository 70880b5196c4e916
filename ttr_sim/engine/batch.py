"""A batch: many games in one compiled call that fills preallocated pages of the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ttr_sim.engine.actions import ASK_TURN, DEFAULT, pass_turn
from ttr_sim.engine.calls import call_bot, copy_record
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.defaults import default_answer
from ttr_sim.engine.game import begin_turn, finish_turn, go_on, must_pass, show_own
from ttr_sim.engine.moves import apply, why_not
from ttr_sim.engine.pages import (
    ROOM_FOR_TEXT,
    TEXTS,
    Pages,
    has_room,
    write_completed,
    write_game,
    write_seat,
    write_setup,
    write_tickets,
    write_turn,
)
from ttr_sim.engine.reasons import FINE
from ttr_sim.engine.setup import enter_bot, set_up
from ttr_sim.engine.state import MAX_TICKET_EVENTS, new_state
from ttr_sim.log import NULL, TABLES

DONE, STOPPED, PAGES_FULL, ILLEGAL = range(4)
TURN_GOES_ON, TURN_OVER, ANSWER_REFUSED = range(3)
STOP_WORD, AT_GAME, AT_TURN, AT_SEAT = range(4)  # places in `control`
N_CONTROL = 4
FOR_GUARDED = 1  # place of the board's copy that a user's bot may spoil


class Games(NamedTuple):
    """What is played: a row a game; bots (places in the BotTable) and lineup places by seat."""

    deals: np.ndarray
    rotations: np.ndarray
    bots: np.ndarray
    places: np.ndarray


class BotTable(NamedTuple):
    """Who plays: addresses of code, parameters, whether wants are published, whether it is guarded."""

    addresses: np.ndarray
    parameters: np.ndarray
    plans: np.ndarray
    guarded: np.ndarray


class Failure(NamedTuple):
    """An answer that the rules refuse (or calls.RAISED): which game of the batch, and where in it."""

    game: int
    turn: int
    seat: int
    decision: int
    answer: int


@dataclass(frozen=True)
class TableLog:
    """A table's rows: int16 columns as in log.TABLES, and texts as (offsets, bytes)."""

    numbers: np.ndarray
    texts: dict[str, tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class BatchLog:
    """Games played from the first on; fewer than asked when stopped or failed."""

    games: int
    tables: dict[str, TableLog]
    failure: Failure | None
    stopped: bool


@compiled
def _ask(boards, state, bots, bot):
    """The bot's answer. A guarded bot sees copies, so that it can spoil nothing but its own game."""
    view = state.table
    room = state.seats[view.seat]
    show_own(state)
    if bots.guarded[bot]:
        copy_record(state.table_copy, view)
        answer = call_bot(bots.addresses[bot], boards[FOR_GUARDED], state.table_copy, room)
    else:
        answer = call_bot(bots.addresses[bot], boards[0], view, room)
    return default_answer(boards[0], view) if answer == DEFAULT else answer


@compiled
def _decide(boards, state, bots, bot, failure):
    """One decision of the mover: asked, checked, applied."""
    board, view = boards[0], state.table
    answer = pass_turn()
    if must_pass(board, state):
        apply(board, state, answer)
        return TURN_OVER
    answer = _ask(boards, state, bots, bot)
    if why_not(board, view, answer) != FINE:
        failure[1], failure[2], failure[3], failure[4] = view.turn, view.seat, view.decision, answer
        return ANSWER_REFUSED
    return TURN_OVER if apply(board, state, answer) else TURN_GOES_ON


@compiled
def _play_turn(boards, state, bots, seat_bots, failure):
    """All decisions of one turn, or of setup; false when an answer was refused."""
    step = TURN_GOES_ON
    while step == TURN_GOES_ON:
        step = _decide(boards, state, bots, seat_bots[state.table.seat], failure)
    return step == TURN_OVER


@compiled
def _begin_game(boards, state, players, seed, games, bots, g):
    set_up(boards[0], state, players, seed, games.deals[g])
    for seat in range(players):
        bot = games.bots[g, seat]
        enter_bot(state, seat, bots.parameters[bot], games.rotations[g], games.places[g, seat])


@compiled
def _play_game(boards, state, players, seed, games, bots, g, log_turns, pages, filled, control, failure):
    """One game from deal to final reckoning, written as it is played."""
    board, view = boards[0], state.table
    game, turn_row, ticket_row = filled[0], filled[1], filled[2]
    if not has_room(pages, turn_row, ticket_row, game, game * players):
        return PAGES_FULL
    _begin_game(boards, state, players, seed, games, bots, g)
    write_setup(board, state, pages, game, game * players)
    if view.decision != ASK_TURN and not _play_turn(boards, state, bots, games.bots[g], failure):
        return ILLEGAL
    ticket_row = write_tickets(state, pages, ticket_row, g)
    begin_turn(board, state, 0, 0)
    while True:
        control[AT_GAME], control[AT_TURN], control[AT_SEAT] = g, view.turn, view.seat
        if control[STOP_WORD] != 0:
            return STOPPED
        if not _play_turn(boards, state, bots, games.bots[g], failure):
            return ILLEGAL
        finish_turn(board, state)
        if not has_room(pages, turn_row, ticket_row, game, game * players):
            return PAGES_FULL
        ticket_row = write_tickets(state, pages, ticket_row, g)
        if log_turns:
            write_turn(board, state, pages, turn_row, g)
            turn_row += 1
        if go_on(board, state):
            break
    _end_game(board, state, games, bots, g, pages, filled)
    filled[0], filled[1], filled[2] = game + 1, turn_row, ticket_row
    return DONE


@compiled
def _end_game(board, state, games, bots, g, pages, filled):
    game, players = filled[0], state.table.players
    write_game(board, state, pages, game)
    pages.games[0, game] = g
    for seat in range(players):
        bot = games.bots[g, seat]
        write_seat(board, state, pages, game * players + seat, g, seat, bot, bots.plans[bot])
        write_completed(board, state, pages, filled[2], seat)


@compiled
def play_games(boards, states, players, seed, games, bots, first, log_turns, pages, filled, control, failure):
    """Games from `first` on until all are played, the pages are full, or the stop word is set."""
    state = states[0]
    for g in range(first, games.deals.shape[0]):
        failure[0] = g
        status = _play_game(
            boards, state, players, seed, games, bots, g, log_turns, pages, filled, control, failure
        )
        if status != DONE:
            return status
    return DONE


def new_control() -> np.ndarray:
    """[stop word, game, turn, seat]: set the first to stop, read the others as the heartbeat."""
    return np.zeros(N_CONTROL, np.int64)


def play_batch(
    board: np.ndarray,
    players: int,
    seed: int,
    games: Games,
    bots: BotTable,
    log_turns: bool = True,
    control: np.ndarray | None = None,
) -> BatchLog:
    """Play all games; the log's rows come back as arrays."""
    control = new_control() if control is None else control
    boards, states = np.concatenate([board, board]), new_state()
    failure = np.zeros(len(Failure._fields), np.int64)
    n_games, played, turns_per_game = len(games.deals), 0, 45.0 * players
    chunks: list[tuple[Pages, np.ndarray]] = []
    status = PAGES_FULL
    while status == PAGES_FULL:
        pages = _new_pages(n_games - played, players, turns_per_game, log_turns, board)
        filled = np.zeros(3, np.int64)
        status = play_games(
            boards, states, players, np.uint64(seed), games, bots, played, log_turns, pages, filled, control, failure
        )
        played += int(filled[0])
        turns_per_game = max(turns_per_game * 1.3, filled[1] / max(1, filled[0]) * 1.1)
        chunks.append((pages, filled))
    tables = {table: _join(table, [_cut(table, pages, filled, players) for pages, filled in chunks]) for table in TABLES}
    failed = Failure(*map(int, failure)) if status == ILLEGAL else None
    return BatchLog(played, tables, failed, status == STOPPED)


def _new_pages(games: int, players: int, turns_per_game: float, log_turns: bool, board: np.ndarray) -> Pages:
    """Room for about so many games; a batch that needs more goes on with new pages."""
    turns = int(games * turns_per_game) + 2000 if log_turns else 2
    tickets = games * players * 12 + 4 * MAX_TICKET_EVENTS
    text = max(turns * max(2, int(board[0]["row_size"])), games * players * 32, games * 200) + 2 * ROOM_FOR_TEXT
    rows = {"games": games, "seats": games * players, "turns": turns, "tickets": tickets}
    numbers = [np.full((len(TABLES[table]), rows[table]), NULL, np.int16) for table in TABLES]
    ends = np.zeros((len(TEXTS), max(rows.values()) + 1), np.int32)
    return Pages(*numbers, np.empty((len(TEXTS), text), np.uint8), ends)


def _cut(table: str, pages: Pages, filled: np.ndarray, players: int) -> TableLog:
    """The filled part of a table's pages."""
    rows = {"games": filled[0], "seats": filled[0] * players, "turns": filled[1], "tickets": filled[2]}[table]
    texts = {}
    for index, (its_table, column) in enumerate(TEXTS):
        if its_table == table:
            offsets = pages.ends[index, : rows + 1]
            texts[column] = (offsets, pages.text[index, : offsets[-1]])
    return TableLog(getattr(pages, table)[:, :rows], texts)


def _join(table: str, parts: list[TableLog]) -> TableLog:
    if len(parts) == 1:
        return parts[0]
    numbers = np.concatenate([part.numbers for part in parts], axis=1)
    return TableLog(numbers, {column: _join_texts([part.texts[column] for part in parts]) for column in parts[0].texts})


def _join_texts(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(data) for _, data in parts)])
    offsets: Iterator[np.ndarray] = (part[0][1:] + start for part, start in zip(parts, starts, strict=False))
    return np.concatenate([[0], *offsets]).astype(np.int32), np.concatenate([data for _, data in parts])
