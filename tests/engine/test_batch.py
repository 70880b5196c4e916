"""A batch of games in one compiled call: the same games however it is cut, stopped, or stepped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engine.rig import Position, edition_of, table_of
from ttr_sim.edition import official_names
from ttr_sim.engine import log_writer
from ttr_sim.engine.actions import ANSWER_PASS
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, nth_choice
from ttr_sim.engine.play import BatchLog, Games, new_control, play_batch
from ttr_sim.log import TABLES, index_of

LEFT_TO_THE_HOST = {"game", "deal", "block", "win_share"}


@compiled
def roundabout(board, view, seat):
    """A legal choice that depends on the turn and the sizes of hands alone."""
    return nth_choice(board, view, (31 * view.turn + 7 * view.hand_cards[view.seat]) % count_choices(board, view))


@compiled
def always_pass(board, view, seat):
    return ANSWER_PASS


def play(name: str, bot: Any, deals: range, players: int = 2, **options: Any) -> BatchLog:
    seats = np.zeros((len(deals), players), np.int64)
    games = Games(np.array(deals), np.zeros(len(deals), np.int64), seats, seats + np.arange(players))
    return play_batch(compile_board(edition_of(name)), players, 1, games, table_of(bot), **options)


def column(log: BatchLog, table: str, name: str) -> list[int]:
    return [int(value) for value in log.tables[table].numbers[index_of(table, name)]]


def test_europe_tunnel_given_up_is_not_claimed_in_the_log() -> None:
    log = play("europe", roundabout, range(40))
    cost, claimed = column(log, "turns", "tunnel_cost"), column(log, "turns", "claimed")
    assert 0 in [done for done, extra in zip(claimed, cost, strict=True) if extra > 0]


def rows_of(log: BatchLog, table: str) -> np.ndarray:
    """The columns that the engine fills; numbers of games are the host's."""
    mine = [number for number, entry in enumerate(TABLES[table]) if entry.name not in LEFT_TO_THE_HOST]
    return np.array([log.tables[table].numbers[number] for number in mine])


def texts_of(log: BatchLog, table: str) -> dict[str, bytes]:
    return {name: data.tobytes() for name, (_, data) in log.tables[table].texts.items()}


def assert_same_rows(whole: BatchLog, *parts: BatchLog) -> None:
    for table in TABLES:
        assert (rows_of(whole, table) == np.concatenate([rows_of(part, table) for part in parts], axis=1)).all()
        for name, data in texts_of(whole, table).items():
            assert data == b"".join(texts_of(part, table)[name] for part in parts)


def test_batch_is_the_same_however_it_is_cut() -> None:
    parts = [play("germany", roundabout, deals) for deals in (range(0, 2), range(2, 6))]
    assert_same_rows(play("germany", roundabout, range(6)), *parts)


def test_batch_goes_on_when_its_pages_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play("usa", roundabout, range(4))
    monkeypatch.setattr(log_writer, "TURNS_OF_A_SEAT", 3)
    assert_same_rows(whole, play("usa", roundabout, range(4)))


def test_batch_stops_at_a_word_and_tells_its_last_turn() -> None:
    control = new_control()
    log = play("usa", roundabout, range(2), control=control)
    assert control[1:3].tolist() == [1, column(log, "games", "turns")[1] - 1]
    control[0] = 1
    log = play("usa", roundabout, range(3), control=control)
    assert (log.games, log.stopped) == (0, True)


def test_log_of_results_alone_has_no_turns() -> None:
    log, full = play("usa", roundabout, range(3), log_turns=False), play("usa", roundabout, range(3))
    assert len(log.tables["turns"].numbers[0]) == 0
    assert (rows_of(log, "seats") == rows_of(full, "seats")).all()


def test_illegal_choice_is_told_with_its_place() -> None:
    log = play("usa", always_pass, range(3))
    assert log.failure is not None
    assert (log.games, log.failure.game, log.failure.turn, log.failure.seat) == (0, 0, -1, 0)
    assert log.failure.answer == ANSWER_PASS


@pytest.mark.parametrize("name", official_names())
def test_stepped_game_is_the_batchs(name: str) -> None:
    """Scores and length of games are those that stepping from Python comes to."""
    log = play(name, roundabout, range(2))
    for deal in range(2):
        game = Position(edition_of(name), 2, seed=1, deal=deal)
        while not game.is_over:
            wanted = 31 * game.turn + 7 * int(game.view["hand_cards"][game.seat])
            choices = game.choices()
            game.apply(choices[wanted % len(choices)])
        assert column(log, "seats", "score")[2 * deal : 2 * deal + 2] == game.scores()
        assert column(log, "games", "turns")[deal] == game.turn + 1
