"""`balance`: from a board to an edited one, in a folder of its own; what cannot be done is refused in words."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.cli.conftest import replace_in, set_points
from tests.conftest import Command
from ttr_sim.analysis.targets import Target
from ttr_sim.analysis.verdict import describe
from ttr_sim.balance import evaluate, remedies, search
from ttr_sim.balance import outcome as outcomes
from ttr_sim.edition import load_edition
from ttr_sim.edition.write import write_folder

QUICK = ("--players", "2", "--margin", "20", "-q")


@pytest.fixture(autouse=True)
def mine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board with few games to play, whose shortest contract is worth much more than the board gives for it."""
    monkeypatch.setattr(search, "GAMES", 1_500)
    monkeypatch.setattr(search, "MOST_GAMES", 1_500)
    monkeypatch.setattr(remedies, "GAMES", 1_500)
    monkeypatch.setattr(outcomes.Order.__init__, "__defaults__", (1_500,))  # games of the board's study
    monkeypatch.setattr(outcomes, "SPOT_CHECK_GAMES", 60)
    monkeypatch.setattr(evaluate, "variants", lambda _: {"races": "racer"})
    write_folder(load_edition("amsterdam"), Path("mine"))
    set_points(20, Path("mine"))
    return Path("mine")


def test_a_spoiled_ticket_is_mended_in_a_folder_beside(command: Command, mine: Path) -> None:
    outcome = command("balance", "mine", "--allow", "tickets", "--edits", "2", "--json", *QUICK)
    told = outcome.json
    assert list(told) == ["edition", "out", "margin", "met", "edits", "path", "targets", "proof", "unmended"]
    assert outcome.code == (0 if told["met"] else 1)
    assert told["out"] == "mine-balanced"
    mended = next(edit for edit in told["edits"] if edit["line"] == 2)
    assert (mended["file"], mended["from"]) == ("tickets.csv", "20")
    assert int(mended["to"]) < 20
    assert len(told["edits"]) <= 2
    assert [step["edits"] for step in told["path"]] == list(range(len(told["edits"]) + 1))
    old, new = (Path(name, "tickets.csv").read_text("utf-8").splitlines() for name in ("mine", "mine-balanced"))
    changed = [number for number, (one, other) in enumerate(zip(old, new, strict=True), 1) if one != other]
    assert changed == sorted(edit["line"] for edit in told["edits"])
    for name in ("edition.toml", "cities.csv", "routes.csv"):
        assert (mine / name).read_bytes() == Path("mine-balanced", name).read_bytes()
    page = (Path("reports") / "mine-balanced-changes" / "index.html").read_text("utf-8")
    assert f"{mended['to']} points instead of 20" in page
    assert "What fair means here" in page
    assert "A spot check, 60 games" in page
    assert (Path("reports") / "mine-balanced-changes" / "tables" / "asked.csv").is_file()
    assert not Path("mine-balanced-games").exists()
    refused = command("balance", "mine", *QUICK)
    assert (refused.code, "mine-balanced already exists" in refused.err) == (2, True)


def test_the_result_first_then_what_changes(command: Command, mine: Path) -> None:
    ticket = load_edition("mine").tickets[0]
    outcome = command("balance", "mine", "--allow", "tickets", "--edits", "1", *QUICK)
    mended = load_edition("mine-balanced").tickets[0].points
    lines = outcome.out.splitlines()
    assert lines[0].startswith("Amsterdam · balance with 2 players · ")
    assert lines[2].startswith("  ✓ no target is missed with 1 edit, " if outcome.code == 0 else "  ✗ ")
    (change,) = lines[5 : lines.index("", 5)]
    assert lines[4] == "  CHANGES"
    assert change.startswith(f"    {ticket.a}–{ticket.b}  20 → {mended} points  +")
    assert change.endswith(" wins per 100 games beyond tickets as long")
    assert "  NEXT  ttr-sim study mine-balanced " in outcome.out
    assert lines[-1] == f"  {Path('reports/mine-balanced-changes/index.html').resolve().as_uri()}"
    assert len(lines) <= 25


def test_edits_that_fix_nothing_are_not_written(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes.Proof, "fixes", lambda *_: False)
    outcome = command("balance", "mine", "--allow", "tickets", "--edits", "1", *QUICK)
    assert outcome.code == 1
    assert "and no edit fixes " in outcome.out.splitlines()[2]
    assert "STAYS" in outcome.out and "CHANGES" not in outcome.out
    assert "the points that were found for it did not help" in " ".join(outcome.out.split())
    assert not Path("mine-balanced").exists()


def test_a_fix_is_a_missed_target_within_its_limit() -> None:
    def target(value: float, half: float) -> Target:
        return Target("seat 0", "seat", 4, value, value - half, value + half, (None, 0.3))

    missed, unsure, met = target(0.4, 0.01), target(0.32, 0.05), target(0.28, 0.01)
    for before, after, sought, is_fix in (
        (missed, met, (), True),
        (missed, unsure, (), True),
        (missed, missed, (missed,), False),
        (unsure, met, (missed,), True),
        (unsure, met, (), False),
        (met, met, (missed,), False),
    ):
        proof = Mock(pairs=(outcomes.BeforeAfter(before, after),))
        assert outcomes.Proof.fixes(proof, sought) == is_fix


def test_what_stays_is_told_in_words_that_a_designer_knows() -> None:
    seat = Target("seat 0", "seat", 4, 0.4, 0.39, 0.41, (None, 0.3))
    pairs = (outcomes.BeforeAfter(seat, seat),)
    proof, found = Mock(missed=pairs, pairs=pairs, reversed=()), Mock(path=[Mock(edits=())])
    (left,) = outcomes.list_unfixed(load_edition("usa"), found, proof, True)
    assert left == outcomes.Unfixed("seat 0", "turn order is shown, and no edit is sought for it", seat)
    assert describe(load_edition("usa"), seat) == "the first player wins 40.0 of 100 games with 4 players"


def test_a_locked_ticket_is_neither_touched_nor_counted(command: Command, mine: Path) -> None:
    ticket = load_edition("mine").tickets[0]
    lock = f"{ticket.b}-{ticket.a}"
    outcome = command("balance", "mine", "--allow", "tickets", "--edits", "1", "--lock", lock, "--json", *QUICK)
    told = outcome.json
    assert all(edit["line"] != 2 for edit in told["edits"])
    assert not any(target["name"].startswith(f"ticket {ticket.a}–{ticket.b}") for target in told["targets"])


def test_a_board_that_fails_its_check_is_not_started(command: Command, mine: Path) -> None:
    replace_in(mine / "routes.csv", "gray", "grave")
    outcome = command("balance", "mine")
    assert (outcome.code, "cannot be played" in outcome.err) == (2, True)
