"""A page takes the place of the one before it of the same subject, and of nothing of the user's."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from ttr_sim.errors import UserError
from ttr_sim.report.folder import (
    PageSubject,
    changes_to,
    check_folder,
    comparison_of,
    folder_names,
    new_report,
    own_file,
    quick_folder,
    report_on,
)

PNG = b"\x89PNG\r\n\x1a\n...." + b"\x00\x00\x00\x00IEND\xaeB`\x82"


def write(folder: Path, board: str = "usa", brief: bool = False, force: bool = False, **charts: str) -> None:
    with new_report(folder, report_on(board, brief), force) as new:
        (new / "charts").mkdir()
        for name, words in charts.items():
            (new / "charts" / f"{name}.png").write_text(words)
        (new / "index.html").write_text(f"page with {charts}")


def contents(folder: Path) -> dict[str, str]:
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_text() for name, path in files.items() if name not in (".ttr-sim.json", "index.html")}


def test_a_report_replaces_the_one_before_and_leaves_files_of_the_user(tmp_path: Path) -> None:
    write(tmp_path, seats="old", maps="old", kept="old")
    mine = dict.fromkeys(("charts/mine.txt", "charts/holiday.png", "tables/mine.csv"), "mine")
    mine["charts/kept.png"] = "painted over"  # ours once, changed since
    for name, words in mine.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(words)
    write(tmp_path, seats="new")
    assert contents(tmp_path) == {"charts/seats.png": "new", **mine}


@pytest.mark.parametrize("name", ["index.html", "charts/seats.png"])
@pytest.mark.parametrize("is_ours", [True, False])
def test_a_file_of_the_user_is_replaced_only_by_force(tmp_path: Path, name: str, is_ours: bool) -> None:
    if is_ours:
        write(tmp_path, seats="old")  # and changed by hand
    (tmp_path / "charts").mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match=rf"{name} was not written by ttr-sim, or was changed since; .*--out.*--force"):
        write(tmp_path, seats="new")
    assert (tmp_path / name).read_text() == "mine"
    write(tmp_path, force=True, seats="new")
    assert (tmp_path / name).read_text() != "mine"
    write(tmp_path, seats="newer")


@pytest.mark.parametrize(
    ("subject", "table"),
    [(report_on("usa"), "seats"), (comparison_of(("usa", "mine")), "headlines"), (changes_to("usa"), "path")],
)
def test_tables_of_the_user_are_refused_before_a_game_is_played(
    tmp_path: Path, subject: PageSubject, table: str
) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine.csv").touch()
    check_folder(tmp_path, subject)
    (tmp_path / "tables" / f"{table}.csv").touch()
    with pytest.raises(UserError, match=rf"{table}\.csv was not written by ttr-sim"):
        check_folder(tmp_path, subject)
    check_folder(tmp_path, subject, force=True)


def test_a_report_on_another_board_is_kept(tmp_path: Path) -> None:
    write(tmp_path, board="europe", seats="old")
    with pytest.raises(UserError, match=r"holds the report on europe, not the report on usa.*--force"):
        write(tmp_path, seats="new")
    assert contents(tmp_path) == {"charts/seats.png": "old"}
    write(tmp_path, force=True, seats="new")
    write(tmp_path, seats="newer")


def test_a_quick_report_never_replaces_a_full_one_unseen(tmp_path: Path) -> None:
    folder, quick = tmp_path / "usa", report_on("usa", brief=True)
    assert quick_folder(folder) == folder
    write(folder, brief=True)
    assert quick_folder(folder) == folder
    check_folder(folder, quick)
    write(folder)  # a full one may replace a quick one
    assert quick_folder(folder) == tmp_path / "usa-quick"
    with pytest.raises(UserError, match="full report on usa, which a quick one would replace"):
        check_folder(folder, quick)
    check_folder(folder, quick, force=True)


def test_nothing_is_written_through_links(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "report", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "page.html").write_text("precious")
    (folder / "index.html").symlink_to(elsewhere / "page.html")
    (folder / "charts").symlink_to(elsewhere)
    with pytest.raises(UserError, match="was not written by ttr-sim"):
        write(folder, seats="new")
    write(folder, force=True, seats="new")
    assert contents(elsewhere) == {"page.html": "precious"}
    assert not (folder / "index.html").is_symlink()


def test_an_error_or_a_kill_in_the_middle_leaves_nothing_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, maps="old", seats="old")
    with pytest.raises(ZeroDivisionError), new_report(tmp_path, report_on("usa")) as new:
        (new / "index.html").write_text("half")
        raise ZeroDivisionError
    assert "half" not in (tmp_path / "index.html").read_text()
    move = Path.replace

    def killed(file: Path, target: Path) -> Path:
        if file.name == "seats.png":
            raise KeyboardInterrupt
        return move(file, target)

    with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
        patched.setattr(Path, "replace", killed)
        write(tmp_path, maps="new", seats="new")
    assert contents(tmp_path) == {"charts/maps.png": "new", "charts/seats.png": "old"}
    write(tmp_path, routes="newer")
    assert contents(tmp_path) == {"charts/routes.png": "newer"}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "report").touch()
    with pytest.raises(UserError, match="is a file"):
        write(tmp_path / "report")


@pytest.mark.parametrize("content", [PNG, b"<svg/>", b"<html></html>"])
def test_one_file_replaces_only_one_of_ours_and_of_its_board(tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "file"

    def write_file(board: str, force: bool = False) -> None:
        with own_file(out, board, force) as file:
            file.write_bytes(content)

    write_file("usa")
    written = out.read_bytes()
    write_file("usa")
    assert out.read_bytes() == written
    assert written.startswith(content[:8]) and written.endswith(content[-8:] if content is PNG else b"-->\n")
    for changed in (written, written.replace(b".", b"!").replace(b"<", b"(", 1), b"mine", b""):
        out.write_bytes(changed)
        with pytest.raises(UserError, match=r"was not written by ttr-sim for europe.*changed since.*--force"):
            write_file("europe")
    with pytest.raises(UserError, match="changed since"):
        write_file("usa")
    write_file("europe", force=True)
    write_file("europe")


def test_no_two_reports_share_a_folder() -> None:
    assert folder_names(["usa", "maps/usa", "europe", "other/usa/"]) == ["usa", "usa-copy1", "europe", "usa-copy2"]
    assert folder_names(["x/usa-copy1", "usa", "y/usa"]) == ["usa-copy1", "usa", "usa-copy2"]
    assert folder_names([".", ".."]) == [Path.cwd().name, Path.cwd().parent.name]
