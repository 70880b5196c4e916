from __future__ import annotations

import pytest

from ttr_sim.cli import output
from ttr_sim.cli.output import Progress


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    quiet = Progress(quiet=True)
    quiet.note("hello")
    with quiet.count(10) as show:
        show(5)
    assert capsys.readouterr() == ("", "")


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "SECONDS_BETWEEN_LINES", 0.0)
    watch = Progress()
    watch.note("compiling, once")
    with watch.count(2_000, done=500) as show:
        show(1_000)
    printed = capsys.readouterr()
    assert printed.out == ""
    first, second = printed.err.splitlines()
    assert first == "compiling, once"
    assert second.startswith("1,000 of 2,000 games, ")
    assert second.endswith(" s left")


def test_a_bar_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress(unit="parts").count(2_000) as show:
        show(1_000)
    assert "1,000 of 2,000 parts" in capsys.readouterr().err


def test_waiting_is_a_spinner_with_the_time_on_a_terminal_and_else_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Progress().wait("compiling"):
        assert capsys.readouterr().err == "compiling\n"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress().wait("compiling"):
        pass
    shown = capsys.readouterr().err
    assert "compiling" in shown
    assert "0:00:00" in shown
    with Progress(quiet=True).wait("compiling"):
        assert capsys.readouterr().err == ""


def test_what_takes_long_shows_its_turn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "SECONDS_BETWEEN_LINES", 0.0)
    with Progress().count(10) as show:
        show(0, 41)
    assert capsys.readouterr().err == "0 of 10 games, 0.00 per second, now at turn 41\n"


def test_the_count_never_goes_back(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "SECONDS_BETWEEN_LINES", 0.0)
    with Progress().count(10) as show:
        show(6)
        show(4)
    assert [line[:7] for line in capsys.readouterr().err.splitlines()] == ["6 of 10"] * 2
