"""The table that sets bots beside people: what it sums, and how it gets into the page."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

from scripts.tools.people import MEASURES, Figure, figures, main
from scripts.tools.reference import BEGIN, END, page_with
from tests.played_runs import play_run

MARK = BEGIN.format("people")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people") / "run"
    play_run(folder, "usa_mega", 4, ("planner",), 40)
    return folder


def test_figures_are_those_of_winners_and_tables(run: Path) -> None:
    found = {measure.name: figure for measure, figure in zip(MEASURES, figures(run), strict=True)}
    taken = pandas.read_parquet(run / "turns", columns=["game", "seat", "action"]).query("action == 'tickets'")
    counts = taken.groupby(["game", "seat"]).size().rename("taken").reset_index()
    seats = pandas.read_parquet(run / "seats").merge(counts, how="left", on=["game", "seat"]).fillna({"taken": 0})
    games = seats.groupby("game")
    scores = (seats.score * seats.win_share).groupby(seats.game).sum()
    assert found["winner's score"].games == 40
    assert found["winner's score"].mean == pytest.approx(scores.mean())
    assert found["winner's score"].spread == pytest.approx(scores.std())
    assert found["longest path at the table"].mean == pytest.approx(games.longest_path.max().mean())
    assert found["turns per player"].mean == pytest.approx(games.turns.mean().mean())
    drawn = (seats.taken * seats.win_share).sum() / 40
    assert found["winner's turns taking tickets"].mean == pytest.approx(drawn)


def test_the_parts_of_a_score_add_up(run: Path) -> None:
    of_people = [measure.of_people() for measure in MEASURES]
    for score, *parts in (of_people[:5], figures(run)[:5]):
        assert score.mean == pytest.approx(sum(part.mean for part in parts))


def test_intervals_narrow_with_the_root_of_the_games() -> None:
    assert str(Figure(10, 5, 25)) == "10.0 (8.0 to 12.0)"
    assert str(Figure(10, 5, 2500)) == "10.0 (9.8 to 10.2)"


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    assert page_with(f"a\n{MARK}old\n{END}\nb\n", "new\n", "people") == f"a\n{MARK}new\n{END}\nb\n"
    with pytest.raises(SystemExit, match="has no lines"):
        page_with("no marks", "new", "people")


@pytest.mark.slow
def test_the_page_is_up_to_date(tmp_path: Path) -> None:
    assert main(["--check", "--runs", str(tmp_path)]) == 0, "run scripts/people"
