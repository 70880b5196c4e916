"""The verdict on the terminal: short, plain where it must be, with exit codes for scripts."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.targets import SEAT, TICKET, Target
from ttr_sim.analysis.verdict import Verdict
from ttr_sim.balance.remedies import NO_REMEDIES, Remedies, Remedy
from ttr_sim.cli.output import print_lines
from ttr_sim.cli.verdict import print_verdict, verbose_lines, verdict_lines
from ttr_sim.edition import load_edition, official_names
from ttr_sim.report.page import Report

ROOT = Path(__file__).parents[2]
USA = load_edition("usa")
ANALYSIS = fabricated(USA)
MARGIN = (-0.05, 0.05)
ESCAPE = "\x1b["

Capture = pytest.CaptureFixture[str]


def ticket(row: int, value: float, half: float = 0.01) -> Target:
    return Target(f"ticket {row}", TICKET, 0, value, value - half, value + half, MARGIN, row)


FIRST_PLAYER = Target("seat 0", SEAT, 4, 0.6, 0.59, 0.61, (None, 0.3))
MET, OPEN, MISSED = ticket(0, 0.0), ticket(1, 0.055), ticket(2, -0.09)


def judged(*targets: Target) -> Analysis:
    """The made-up analysis with these targets."""
    return replace(ANALYSIS, verdict=Verdict(USA, ANALYSIS.tables, targets, ANALYSIS.verdict.ranges))


def report(analysis: Analysis, remedies: Remedies = NO_REMEDIES) -> Report:
    return Report(Path("reports/usa/index.html"), analysis, remedies)


def printed(capsys: Capture, analysis: Analysis, remedies: Remedies = NO_REMEDIES) -> list[str]:
    print_verdict(report(analysis, remedies), verbose=False)
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("name", official_names())
@pytest.mark.parametrize("margin", [5.0, 1.0], ids=["usual targets", "targets of its own"])
def test_at_most_25_lines_whatever_is_wrong(capsys: Capture, name: str, margin: float) -> None:
    edition = load_edition(name)
    analysis = fabricated(replace(edition, targets=replace(edition.targets, margin=margin, seats=0.1)))
    assert analysis.verdict.word == "not fair"
    lines = printed(capsys, analysis)
    assert len(lines) <= 25
    assert lines[0].startswith(f"{edition.title} · {len(edition.tickets)} tickets")
    assert [line.split()[1] for line in lines[4:7]] == ["Targets", "Tickets", "Turn"]
    assert lines[-1].strip() == Path("reports/usa/index.html").resolve().as_uri()


def test_it_says_how_many_what_to_fix_and_what_to_do_next(capsys: Capture) -> None:
    lines = printed(capsys, judged(MET, OPEN, MISSED))
    assert " ".join(lines[2].split()) == "NOT FAIR 1 to fix, 1 too close to call limits: ✓ 1 ? 1 ✗ 1"
    assert any("ttr-sim balance usa" in line and line.startswith("  NEXT") for line in lines)
    unsure = printed(capsys, judged(MET, OPEN))
    assert unsure[2].startswith("  NOT SURE YET   1 too close to call ")
    assert any("ttr-sim study usa --games " in line for line in unsure)
    fair = printed(capsys, judged(MET))
    assert fair[2].startswith("  FAIR   nothing to fix ")
    assert not any("ttr-sim balance usa" in line for line in fair)


def test_the_worst_ticket_stands_first_with_its_bar_and_what_to_try(capsys: Capture) -> None:
    remedies = Remedies((Remedy(2, (1, 33), 15, 0.01), Remedy(3, (1, 33))))
    lines = printed(capsys, judged(MET, OPEN, MISSED, ticket(3, 0.12)), remedies)
    head = next(number for number, line in enumerate(lines) if line.startswith("  TICKETS"))
    assert "wins per 100 games, each ±1.0" in lines[head]
    rows = [line.split() for line in lines[head + 1 : head + 4]]
    assert [row[0] for row in rows] == ["✗", "✗", "?"]
    assert rows[0][-5:] == ["+12.0", "█" * 14, "not", "points", "(1–33)"]
    assert (rows[1][-3], rows[1][-1]) == ("−9.0", "15")
    assert (rows[2][-3], rows[2][-1]) == ("+5.5", "–")
    assert lines[head + 4].split()[:4] == ["1", "more", "within", "±0.0"]


def test_a_route_or_seat_has_a_line_with_its_limit(capsys: Capture) -> None:
    lines = printed(capsys, judged(MET, FIRST_PLAYER))
    (line,) = [line for line in lines if "first player" in line]
    assert line.startswith("  ✗ ") and line.endswith("with 4 players (limit: at most 30.0)")


def test_colors_only_on_a_terminal_that_wants_them(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    piped = printed(capsys, ANALYSIS)
    assert ESCAPE not in "".join(piped)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    print_lines(verdict_lines(ANALYSIS, NO_REMEDIES))
    assert ESCAPE in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(capsys, ANALYSIS) == piped


def test_plain_letters_where_the_encoding_lacks_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    written, germany = BytesIO(), fabricated(load_edition("germany"))
    monkeypatch.setattr("sys.stdout", TextIOWrapper(written, encoding="ascii", write_through=True))
    print_lines(verdict_lines(ANALYSIS, NO_REMEDIES))
    text = written.getvalue().decode("ascii")
    assert "  x Tickets " in text and "  ##" in text and "+-" in text
    print_lines(verbose_lines(germany))
    assert r"D\xfcsseldorf" in written.getvalue().decode("ascii")


def test_verbose_prints_every_ticket_route_and_sentence() -> None:
    lines = list(verbose_lines(ANALYSIS))
    routes, counts = len(USA.routes), len(ANALYSIS.main_runs)
    assert len(lines) == len(USA.tickets) + routes * counts + len(ANALYSIS.findings) + 5
    assert all(any(finding.sentence in line for line in lines) for finding in ANALYSIS.findings)


@pytest.mark.parametrize(
    ("targets", "fail_missed", "fail_open"),
    [((MET,), 0, 0), ((MET, OPEN), 0, 1), ((MET, MISSED), 1, 1), ((OPEN, MISSED), 1, 1), ((FIRST_PLAYER,), 1, 1)],
)
def test_states_make_the_exit_code(
    command: Command, monkeypatch: pytest.MonkeyPatch, targets: tuple[Target, ...], fail_missed: int, fail_open: int
) -> None:
    monkeypatch.setattr("ttr_sim.cli.study.StudySession.report", lambda *given: report(judged(*targets)))
    assert command("study", "usa").code == 0
    assert command("study", "usa", "--fail", "missed").code == fail_missed
    assert command("study", "usa", "--check").code == fail_missed
    assert command("study", "usa", "--fail", "open").code == fail_open
    told = command("study", "usa", "--fail", "open", "--json")
    assert (told.code, told.err) == (fail_open, "")
    counts = {state: sum(target.state == state for target in targets) for state in ("met", "open", "missed")}
    assert told.json["verdict"].items() >= counts.items()
