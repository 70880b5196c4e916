"""A user's own bot, compiled or plain, sees the same; failures and hangs are described; the toolbox checks rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.bots.bot_games import EDITIONS, column, example, fail, load, play_loaded, write
from ttr_sim.bots import plain_bots


@pytest.mark.parametrize("edition", EDITIONS)
def test_same_bot_in_plain_python_plays_the_same_games(edition: str, tmp_path: Path) -> None:
    """With `self` it cannot be compiled, and must still see and answer the same."""
    slow = example().replace("    @staticmethod\n", "").replace("choose(board", "choose(self, board")
    (tmp_path / "slow").mkdir()
    logs = []
    for text, folder in ((example(), tmp_path), (slow, tmp_path / "slow")):
        bots = load([f"{write(folder, text)}:Greedy", "random"], edition)
        logs.append(play_loaded(bots, edition, blocks=2))
    assert not bots.compiled and bots.slow
    assert "plain Python, slower than compiled: it keeps things in `self`" in bots.notes[0]
    for name in ("action", "route", "score", "trains"):
        assert np.array_equal(column(logs[0], "turns", name), column(logs[1], "turns", name))


def test_instance_is_new_in_every_game_and_seat(tmp_path: Path) -> None:
    text = "class Once:\n    def __init__(self):\n        self.turn = -2\n\n    def choose(self, board, view, seat):\n"
    text += "        if view.turn < self.turn:\n            raise RuntimeError('from another game')\n"
    text += "        self.turn = view.turn\n        return -1\n"
    assert play_loaded(load([f"{write(tmp_path, text)}:Once"] * 2), "usa", blocks=2).failure is None


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "return 1 // (view.turn - view.turn)",
            "to keep and raised FloatingPointError in line 2 of my_bots.py: divide",
        ),
        ("return view.hand[40 + view.turn]", "raised IndexError in line 2 of my_bots.py: index 39 is out of bounds"),
        ("return view.hand[-40]", "raised IndexError"),
        (
            "if view.turn < 9: raise ValueError('no idea')\n    return -1",
            "raised ValueError in line 2 of my_bots.py: no",
        ),
        ("return 2 if view.turn >= 0 else -1", 'was to take a turn and answered "claim '),
        ("return -7", "answered"),
        ("return 1 << 50", "which the rules refuse"),
    ],
)
def test_compiled_bot_that_fails_is_told(body: str, says: str, tmp_path: Path) -> None:
    bots = load([f"{write(tmp_path, f'def Bad(board, view, seat):{chr(10)}    {body}{chr(10)}')}:Bad"] * 2)
    assert bots.compiled
    assert says in fail(bots)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 // 0", "raised ZeroDivisionError in line 3 of my_bots.py"),
        ("return 'a card'", "raised TypeError"),
        ("return None", "raised TypeError"),
        ("return 10 ** 30", "answered with a meaningless number"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt in line 3"),
        ("return 2 if view.turn >= 0 else -1", "which the rules refuse"),
    ],
)
def test_plain_bot_that_fails_is_told(body: str, says: str, tmp_path: Path) -> None:
    text = f"class Bad:\n    def choose(self, board, view, seat):\n        {body}\n"
    assert says in fail(load([f"{write(tmp_path, text)}:Bad"] * 2))


@pytest.mark.parametrize("wait", ["while True:\n            pass", "import time\n        time.sleep(60)"])
def test_plain_bot_that_hangs_is_stopped(wait: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_bots, "CHOICE_SECONDS", 0.2)
    text = f"class Bad:\n    def choose(self, board, view, seat):\n        {wait}\n"
    assert "took more than 0 s for one choice" in fail(load([f"{write(tmp_path, text)}:Bad"] * 2))


@pytest.mark.parametrize(
    "call",
    [
        "add_route(seat.wants, -1)",
        "has_route(seat.wants, 1_000_000)",
        "cheapest_claim(board, view, -1)",
        "colored_cards(board, view, board.n_routes)",
        "may_claim(board, view, view.players, 0)",
        "is_met(board, view.network[view.seat], -1)",
    ],
)
def test_toolbox_looks_at_the_rows_it_is_handed(call: str, tmp_path: Path) -> None:
    text = f"from ttr_sim.bots.toolbox import *\n\ndef Bad(board, view, seat):\n    {call}\n    return -1\n"
    bots = load([f"{write(tmp_path, text)}:Bad"] * 2)
    assert bots.compiled
    assert " and raised " in fail(bots)
