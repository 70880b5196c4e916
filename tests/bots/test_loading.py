"""A user's own bot: the documented example, and every mistake in its file in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.bot_games import EDITIONS, actions, edition_of, example, load, play_loaded, write
from ttr_sim.bots import load_bots
from ttr_sim.errors import UserError


def test_documented_example_is_short(tmp_path: Path) -> None:
    assert len(example().splitlines()) < 25


@pytest.mark.parametrize("edition", EDITIONS)
def test_documented_example_plays_every_edition_compiled(edition: str, tmp_path: Path) -> None:
    bots = load([f"{write(tmp_path, example())}:Greedy", "random"], edition)
    assert bots.compiled and not bots.slow and bots.notes == ()
    log = play_loaded(bots, edition, blocks=20)
    assert log.failure is None
    assert actions(log, bot=0)["claim"] > 100


def test_what_numba_cannot_compile_is_played_plain(tmp_path: Path) -> None:
    text = "def Odd(board, view, seat):\n    return -1 if {'a': [1, 'x']} else open('x')\n"
    bots = load([f"{write(tmp_path, text)}:Odd", "random"])
    assert not bots.compiled
    assert "my_bots.py:Odd runs in plain Python" in bots.notes[0]
    assert play_loaded(bots, "usa", blocks=1).failure is None


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (None, "Greedy", "there is no file"),
        ("def Greedy(board, view, seat):\n    return -1\n", "Gredy", 'no bot "Gredy" (did you mean "Greedy"?)'),
        ("x = 1\n", "x", 'no bot "x"'),
        ("class Greedy:\n    pass\n", "Greedy", "has no method choose(board, view, seat)"),
        ("def Greedy(:\n", "Greedy", "my_bots.py:1: "),
        ("x = 1\0\n", "Greedy", "my_bots.py: source code"),
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
    assert bots.table["guarded"].all()


def test_fingerprint_follows_parameters_and_files(tmp_path: Path) -> None:
    file = write(tmp_path, example())
    prints = {load([spec]).fingerprint for spec in ("planner", "planner:greed=0.31", "racer", f"{file}:Greedy")}
    write(tmp_path, example() + "\n# changed\n")
    prints.add(load([f"{file}:Greedy"]).fingerprint)
    assert len(prints) == 5
    assert load(["planner", "racer"]).fingerprint == load(["racer", "planner"]).fingerprint
