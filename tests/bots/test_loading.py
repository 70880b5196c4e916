"""A user's own bot: compiled or plain, the documented example, and every mistake in a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.bots.bot_games import EDITIONS, actions, column, edition_of, load, play_loaded
from ttr_sim.bots import LoadedBots, calling, load_bots
from ttr_sim.bots.calling import describe_failure
from ttr_sim.errors import UserError

DOCUMENT = Path(__file__).parents[2] / "docs" / "bots.md"


def example() -> str:
    """The bot of docs/bots.md."""
    found = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def write(folder: Path, text: str) -> str:
    (folder / "my_bots.py").write_text(text, encoding="utf-8")
    return str(folder / "my_bots.py")


def fail(bots: LoadedBots, edition: str = "usa") -> str:
    failure = play_loaded(bots, edition, blocks=2).failure
    assert failure is not None
    return describe_failure(bots, failure.seat, failure.decision, failure.answer)


def test_documented_example_is_short(tmp_path: Path) -> None:
    assert len(example().splitlines()) < 25


@pytest.mark.parametrize("edition", EDITIONS)
def test_documented_example_plays_every_edition_compiled(edition: str, tmp_path: Path) -> None:
    bots = load([f"{write(tmp_path, example())}:Greedy", "random"], edition)
    assert bots.compiled and not bots.slow and bots.notes == ()
    log = play_loaded(bots, edition, blocks=20)
    assert log.failure is None
    assert actions(log, bot=0)["claim"] > 100


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


def test_what_numba_cannot_compile_is_played_plain(tmp_path: Path) -> None:
    text = "def Odd(board, view, seat):\n    return -1 if {'a': [1, 'x']} else open('x')\n"
    bots = load([f"{write(tmp_path, text)}:Odd", "random"])
    assert not bots.compiled
    assert "my_bots.py:Odd is played in plain Python" in bots.notes[0]
    assert play_loaded(bots, "usa", blocks=1).failure is None


def test_instance_is_new_in_every_game_and_seat(tmp_path: Path) -> None:
    text = "class Once:\n    def __init__(self):\n        self.turn = -2\n\n    def choose(self, board, view, seat):\n"
    text += "        if view.turn < self.turn:\n            raise RuntimeError('from another game')\n"
    text += "        self.turn = view.turn\n        return -1\n"
    assert play_loaded(load([f"{write(tmp_path, text)}:Once"] * 2), "usa", blocks=2).failure is None


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 // (view.turn - view.turn)", "was to choose which tickets to keep and raised an exception"),
        ("return view.hand[40 + view.turn]", "raised an exception (an index out of range"),
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
    assert "raised an exception (an index out of range" in fail(bots)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 // 0", "raised ZeroDivisionError in line 3 of my_bots.py"),
        ("return 'a card'", "raised TypeError"),
        ("return None", "raised TypeError"),
        ("return 10 ** 30", "answered a number that means nothing"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt in line 3"),
        ("return 2 if view.turn >= 0 else -1", "which the rules refuse"),
    ],
)
def test_plain_bot_that_fails_is_told(body: str, says: str, tmp_path: Path) -> None:
    text = f"class Bad:\n    def choose(self, board, view, seat):\n        {body}\n"
    assert says in fail(load([f"{write(tmp_path, text)}:Bad"] * 2))


@pytest.mark.parametrize("wait", ["while True:\n            pass", "import time\n        time.sleep(60)"])
def test_plain_bot_that_hangs_is_stopped(wait: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "CHOICE_SECONDS", 0.2)
    text = f"class Bad:\n    def choose(self, board, view, seat):\n        {wait}\n"
    assert "took more than 0 s over one choice" in fail(load([f"{write(tmp_path, text)}:Bad"] * 2))


def test_bot_cannot_change_the_game(tmp_path: Path) -> None:
    """What it writes goes into a copy that is thrown away."""
    text = "def Cheat(board, view, seat):\n    view.trains[view.seat] = 0\n    view.score[view.seat] = 999\n"
    text += "    board.route_points[0] = 99\n    view.hand[12] = 14\n    return -1\n"
    honest = "def Cheat(board, view, seat):\n    return -1\n"
    (tmp_path / "honest").mkdir()
    files = (write(tmp_path, text), write(tmp_path / "honest", honest))
    logs = [play_loaded(load([f"{file}:Cheat", "random"]), "usa", blocks=5) for file in files]
    for name in ("action", "card1", "score", "trains"):
        assert np.array_equal(column(logs[0], "turns", name), column(logs[1], "turns", name))


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (None, "Greedy", "there is no file"),
        ("def Greedy(board, view, seat):\n    return -1\n", "Gredy", 'no bot "Gredy" (did you mean "Greedy"?)'),
        ("x = 1\n", "x", 'no bot "x"'),
        ("class Greedy:\n    pass\n", "Greedy", "has no method choose(board, view, seat)"),
        ("def Greedy(:\n", "Greedy", "my_bots.py:1: "),
        ("import no_such_module_anywhere\n", "Greedy", "cannot be imported: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "Greedy", "cannot be imported: SystemExit"),
    ],
)
def test_unusable_file_is_told(text: str | None, name: str, says: str, tmp_path: Path) -> None:
    if text is not None:
        write(tmp_path, text)
    with pytest.raises(UserError) as error:
        load([f"{tmp_path / 'my_bots.py'}:{name}"])
    assert says in str(error.value)


def test_copy_in_the_run_comes_before_the_original(tmp_path: Path) -> None:
    """The run goes on with the bot it began with, wherever the user's file is now."""
    copies = tmp_path / "copies"
    copies.mkdir()
    write(copies, example())
    bots = load_bots(["elsewhere/my_bots.py:Greedy"], edition_of("usa"), copies)
    assert bots.specs == ("elsewhere/my_bots.py:Greedy",)
    assert bots.files == (copies / "my_bots.py",)


def test_fingerprint_follows_parameters_and_files(tmp_path: Path) -> None:
    file = write(tmp_path, example())
    prints = {load([spec]).fingerprint for spec in ("planner", "planner:greed=0.31", "racer", f"{file}:Greedy")}
    write(tmp_path, example() + "\n# changed\n")
    prints.add(load([f"{file}:Greedy"]).fingerprint)
    assert len(prints) == 5
    assert load(["planner", "racer"]).fingerprint == load(["racer", "planner"]).fingerprint
