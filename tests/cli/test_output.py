"""Sentences on a terminal of any width, the commands in them, and progress."""

from __future__ import annotations

import pytest

from tests.conftest import Command
from ttr_sim.cli import output
from ttr_sim.cli.output import Progress, paragraph
from ttr_sim.errors import CALLED_AS, command_line

Capture = pytest.CaptureFixture[str]


def test_sentences_keep_to_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = paragraph("A well-known sentence that is longer than the terminal is wide. " * 3, "- ", "  ").splitlines()
    assert max(map(len, lines)) <= 40
    assert [line[:2] for line in lines] == ["- ", *["  "] * (len(lines) - 1)]


@pytest.mark.parametrize("columns", [60, 80, 300])
def test_commands_obey_the_width(command: Command, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    longest = max(map(len, command("bots").out.splitlines()))
    assert min(columns, 100) - 15 < longest <= min(columns, 100)


@pytest.mark.parametrize("called_as", ["", "../a-checkout/scripts/ttr-sim"])
def test_commands_are_never_broken(called_as: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv(CALLED_AS, called_as)
    command = command_line("run", "--resume", "my runs/usa-4p-1a2b3c4d")
    for sentence in (
        f"To go on with a run that was interrupted: {command}",
        f"It is not finished; go on with: {command}; what is finished is kept",
        f"It is not finished, and `{command}` goes on with it.",
    ):
        lines = paragraph(sentence).splitlines()
        assert any(command in line for line in lines)
        assert " ".join(lines) == sentence
    assert paragraph("Saint\u00a0Louis and Saint\u2011Malo") == "Saint\u00a0Louis and Saint\u2011Malo"


def test_quiet_prints_nothing(capsys: Capture) -> None:
    quiet = Progress(quiet=True)
    quiet.note("hello")
    with quiet.wait("compiling"), quiet.count(10) as show:
        show(5)
    assert capsys.readouterr() == ("", "")


def test_lines_where_there_is_no_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "SECONDS_BETWEEN_LINES", 0.0)
    progress = Progress()
    progress.note("compiling, once")
    with progress.count(2_000, done=500) as show:
        show(1_000)
        show(900)
    printed = capsys.readouterr()
    assert printed.out == ""
    first, second, third = printed.err.splitlines()
    assert first == "compiling, once"
    assert second.startswith("1,000 of 2,000 games, ") and second.endswith(" s left")
    assert third.startswith("1,000 of 2,000 games, "), "the count never goes back"


def test_a_slow_game_shows_its_turn(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "SECONDS_BETWEEN_LINES", 0.0)
    with Progress().count(10) as show:
        show(0, 41)
    assert capsys.readouterr().err == "0 of 10 games, 0.00 per second, now at turn 41\n"


def test_a_bar_and_a_spinner_on_a_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with Progress().wait("compiling"):
        assert capsys.readouterr().err == "compiling\n"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress(unit="parts").count(2_000) as show:
        show(1_000)
    assert "1,000 of 2,000 parts" in capsys.readouterr().err
    with Progress().wait("compiling"):
        pass
    shown = capsys.readouterr().err
    assert "compiling" in shown and "0:00:00" in shown
