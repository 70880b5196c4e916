"""A user's bot that looks at hidden cards, writes to the game or is not steady is found out, and no other."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.bots.bot_games import EDITIONS, example, fail, load, play_loaded, write
from tests.conftest import Command
from tests.run.forging import forge_record
from ttr_sim.bots.loading import bots_in
from ttr_sim.cli.main import FINDINGS, FINE, WRONG_USE
from ttr_sim.engine.bot_abi import SPOILED
from ttr_sim.run.honesty import Examined, examine

HEAD = "import ctypes, random\nfrom numpy.lib.stride_tricks import as_strided\n\n"
REACH = "47_000"  # numbers of two bytes: nearly all of a game's record lies before the view that a bot is shown
COMPILED = """def Bot(board, view, seat):
    behind = as_strided(view.hand, (REACH,), (-2,))
    total = 0
    for i in range(5000, REACH):
        total += behind[i]
    seat.memory[0] = total
    return -1
"""
PLAIN = """class Bot:
    def choose(self, board, view, seat):
        at = view.hand.__array_interface__["data"][0]
        seat.memory[3] = hash(ctypes.string_at(at - 94_000, 84_000)) >> 8
        return -1
"""
RANDOM = """class Bot:
    def choose(self, board, view, seat):
        seat.memory[3] = random.getrandbits(40)
        return -1
"""
COUNTING = """class Bot:
    def __init__(self):
        self.asked = 0
    def choose(self, board, view, seat):
        self.asked += 1
        seat.memory[3] = self.asked
        return -1
"""
NOTING = """def Bot(board, view, seat):
    seat.memory[0] += view.hand[0] + view.discard_cards + view.known[0, 0]
    return -1
"""
NOT_COPIED = """class Bot:
    def __init__(self):
        self.steps = (step for step in range(9))
    def choose(self, board, view, seat):
        return -1
"""
WRITERS = ["board.trains = 3", "view.hand[0] = 9", "board.route_points[0] = 99"]


def examined(tmp_path: Path, text: str, edition: str = "usa") -> Examined:
    return examine(load([f"{write(tmp_path, HEAD + text)}:Bot"], edition), 0, 3, 2, 150, 60.0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (COMPILED.replace("REACH", REACH), "looks at hidden cards|memory that is not its own"),
        (PLAIN, "looks at hidden cards|memory that is not its own"),
        (RANDOM, "answers differently when asked the same question again"),
    ],
)
def test_bot_that_is_not_honest_is_found_out(text: str, sentence: str, tmp_path: Path) -> None:
    assert re.search(sentence, examined(tmp_path, text).trouble or "")


@pytest.mark.parametrize("text", [COUNTING, NOTING, NOT_COPIED])
def test_honest_bot_passes(text: str, tmp_path: Path) -> None:
    assert examined(tmp_path, text) == Examined(150, None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_documented_example_passes_on_every_edition(edition: str, tmp_path: Path) -> None:
    bots = load([f"{write(tmp_path, example())}:Greedy"], edition)
    found = examine(bots, 0, 3, 2, 150, 60.0)
    assert found.trouble is None and found.decisions > 20


@pytest.mark.parametrize("line", WRITERS)
@pytest.mark.parametrize("kind", ["compiled", "plain"])
def test_write_to_board_or_view_ends_the_game_in_words(line: str, kind: str, tmp_path: Path) -> None:
    head = "class Bot:\n  def choose(self, board, view, seat):\n    "
    if kind == "compiled":
        head = "def Bot(board, view, seat):\n    "
    file = write(tmp_path, f"{head}{line}\n    return -1\n")
    assert "wrote to the board or the view" in fail(load([f"{file}:Bot", "random"]))
    assert "wrote to the board or the view" in (examined(tmp_path, f"{head}{line}\n    return -1\n").trouble or "")


def test_write_in_a_later_game_is_found_at_the_end_of_it(tmp_path: Path) -> None:
    text = "games = [0]\n\nclass Bot:\n  def __init__(self):\n    games[0] += 1\n"
    text += "  def choose(self, board, view, seat):\n    if games[0] > 30 and view.turn > 9:\n"
    text += "      board.trains = 3\n    return -1\n"
    log = play_loaded(load([f"{write(tmp_path, text)}:Bot", "random"]), "usa", blocks=20)
    assert log.failure is not None and log.failure.answer == SPOILED
    assert log.games == log.failure.game >= 25


def test_what_a_sample_finds_stands_in_the_run_and_on_the_page(command: Command, tmp_path: Path) -> None:
    file = write(tmp_path, HEAD + COMPILED.replace("REACH", REACH))
    run = tmp_path / "run"
    words = ("--players", 2, "--bots", f"{file}:Bot,random", "--games", 8, "--out", run)
    assert command("run", "amsterdam", *words).code == FINE
    record = json.loads((run / "run.json").read_text("utf-8"))
    [doubt] = record["warnings"]
    assert doubt.startswith(f"{file}:Bot ")
    assert command("report", run, "--out", tmp_path / "page").code == FINE
    page = next((tmp_path / "page").glob("*.html")).read_text("utf-8")
    assert page.count(f"{doubt}.") == 1
    forge_record(run, warnings="none")
    assert "warnings is 'none', not a list of 0 to 100 texts" in command("report", run).err
    forge_record(run, warnings=["random looks at hidden cards"])
    assert "not sentences about bot files of this run" in command("report", run).err


def test_bot_that_reads_memory_of_nobody_ends_in_words(command: Command, tmp_path: Path) -> None:
    """A compiled one too, which would end the whole program."""
    file = write(tmp_path, HEAD + COMPILED.replace("REACH", "500_000_000"))
    words = ("--players", 2, "--bots", f"{file}:Bot", "--games", 2, "--out", tmp_path / "run", "-q")
    outcome = command("run", "amsterdam", *words)
    assert (outcome.code, outcome.err.count("\n")) == (WRONG_USE, 1)
    assert f"{file}:Bot did not answer within 90 s, or ended the process it was asked in" in outcome.err


HANGING = """class Bot:
  def choose(self, board, view, seat):
    if view.turn >= {turn}:
      sum(range(10**15))
    return -1
"""


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        (0, "did not answer within 15 s"),  # when a sample of it is taken, before the run
        (
            80,
            "has not finished its turn in a minute, as in an endless loop or a call into a library that never returns",
        ),
    ],
)
def test_bot_that_hangs_in_a_library_is_given_up(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turn: int, sentence: str
) -> None:
    """The alarm of a choice is not heard in there, but the process ends from outside, or its heartbeat stands still."""
    monkeypatch.setattr("ttr_sim.run.play.MOST_SAMPLING", 15.0)
    monkeypatch.setattr("ttr_sim.run.workers.TURN_TIMEOUT", 3.0)
    monkeypatch.setattr("ttr_sim.run.workers.ALARM_SECONDS", 0.0)
    file = write(tmp_path, HANGING.format(turn=turn))
    words = ("--players", 2, "--bots", f"{file}:Bot", "--games", 2, "--out", tmp_path / "run", "-q")
    outcome = command("run", "usa", *words)
    assert outcome.code == WRONG_USE
    where = f"game 0, turn {turn}, seat 0: " if turn else ""
    assert outcome.err.startswith(f"Error: {where}{file}:Bot {sentence}") and outcome.err.count("\n") == 1


def test_bots_of_a_file_are_found(tmp_path: Path) -> None:
    file = write(tmp_path, f"{HEAD}def helper(a, b, c):\n    return 1\n\n{example()}")
    assert bots_in(Path(file)) == [f"{file}:Greedy"]


def test_command(command: Command, tmp_path: Path) -> None:
    file = write(tmp_path, example())
    outcome = command("bots", "--check", file)
    assert outcome.code == FINE
    assert "answers the same whatever the hidden cards are" in outcome.out.replace("\n", " ")
    file = write(tmp_path, HEAD + PLAIN)
    assert command("bots", "--check", f"{file}:Bot").code == FINDINGS
    assert command("bots", "--check", tmp_path / "none.py").code == WRONG_USE
    (tmp_path / "empty.py").write_text("x = 1\n")
    assert "has no bot" in command("bots", "--check", tmp_path / "empty.py").err
