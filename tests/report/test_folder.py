"""A report takes the place of the one before it, and of nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttr_sim.errors import UserError
from ttr_sim.report.document import GENERATOR
from ttr_sim.report.folder import new_report


def write(folder: Path, **charts: str) -> None:
    with new_report(folder) as beside:
        (beside / "charts").mkdir()
        for name, words in charts.items():
            (beside / "charts" / f"{name}.png").write_text(words)
        (beside / "index.html").write_text(f"<head>{GENERATOR}</head>{charts}")


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_pictures_of_an_older_report_are_removed(tmp_path: Path) -> None:
    write(tmp_path, seats="old", maps="old")
    (tmp_path / "charts" / "mine.txt").touch()
    write(tmp_path, seats="new")
    assert names(tmp_path) == {"index.html", "charts/seats.png", "charts/mine.txt"}
    assert (tmp_path / "charts" / "seats.png").read_text() == "new"


def test_what_no_report_wrote_stays(tmp_path: Path) -> None:
    (tmp_path / "charts").mkdir()
    (tmp_path / "charts" / "holiday.png").touch()
    (tmp_path / "index.html").write_text("my own page")
    write(tmp_path, seats="new")
    assert names(tmp_path) == {"index.html", "charts/seats.png", "charts/holiday.png"}


def test_nothing_is_written_through_links(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "report", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "page.html").write_text("precious")
    (folder / "index.html").symlink_to(elsewhere / "page.html")
    (folder / "charts").symlink_to(elsewhere)
    write(folder, seats="new")
    assert (elsewhere / "page.html").read_text() == "precious"
    assert names(elsewhere) == {"page.html"}
    assert not (folder / "index.html").is_symlink()


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    write(tmp_path, seats="old")
    with pytest.raises(ZeroDivisionError), new_report(tmp_path) as beside:
        (beside / "index.html").write_text("half")
        raise ZeroDivisionError
    assert names(tmp_path) == {"index.html", "charts/seats.png"}
    assert "half" not in (tmp_path / "index.html").read_text()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "report").touch()
    with pytest.raises(UserError, match="is a file"):
        write(tmp_path / "report")
