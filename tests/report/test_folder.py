"""A page takes the place of the one before it of the same subject, and of nothing of the user's."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from ttr_sim.errors import UserError
from ttr_sim.report.folder import check_folder, folder_names, new_report, own_file, quick_folder, report_on

USA = report_on("usa")
PNG = b"\x89PNG\r\n\x1a\n...." + b"\x00\x00\x00\x00IEND\xaeB`\x82"


def write(folder: Path, board: str = "usa", brief: bool = False, force: bool = False, **charts: str) -> None:
    with new_report(folder, report_on(board, brief), force) as new:
        (new / "charts").mkdir()
        for name, words in charts.items():
            (new / "charts" / f"{name}.png").write_text(words)
        (new / "index.html").write_text(f"page with {charts}")


def names(folder: Path) -> set[str]:
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return files - {".ttr-sim.json"}


def test_a_report_replaces_the_one_before_and_leaves_files_of_the_user(tmp_path: Path) -> None:
    write(tmp_path, seats="old", maps="old", kept="old")
    for name in ("charts/mine.txt", "charts/holiday.png", "tables/mine.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    (tmp_path / "charts" / "kept.png").write_text("painted over")  # ours once, changed since
    write(tmp_path, seats="new")
    assert names(tmp_path) == {
        *("index.html", "charts/seats.png", "charts/kept.png"),
        *("charts/mine.txt", "charts/holiday.png", "tables/mine.csv"),
    }
    assert (tmp_path / "charts" / "seats.png").read_text() == "new"


@pytest.mark.parametrize("name", ["index.html", "charts/seats.png"])
def test_a_file_of_the_user_is_replaced_only_by_force(tmp_path: Path, name: str) -> None:
    (tmp_path / "charts").mkdir()
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match=rf"{name} was not written by ttr-sim.* --out.*--force"):
        write(tmp_path, seats="new")
    assert names(tmp_path) == {name}
    assert (tmp_path / name).read_text() == "mine"
    write(tmp_path, force=True, seats="new")
    assert (tmp_path / name).read_text() != "mine"
    write(tmp_path, seats="newer")


def test_a_page_that_was_changed_by_hand_is_the_users(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "index.html").write_text("with my notes")
    with pytest.raises(UserError, match="or was changed since"):
        check_folder(tmp_path, USA)


def test_a_report_on_another_board_is_kept(tmp_path: Path) -> None:
    write(tmp_path, board="europe", seats="old")
    with pytest.raises(UserError, match=r"holds the report on europe, not the report on usa.*--force"):
        write(tmp_path, seats="new")
    assert (tmp_path / "charts" / "seats.png").read_text() == "old"
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
    assert (elsewhere / "page.html").read_text() == "precious"
    assert names(elsewhere) == {"page.html"}
    assert not (folder / "index.html").is_symlink()


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    write(tmp_path, seats="old")
    with pytest.raises(ZeroDivisionError), new_report(tmp_path, USA) as new:
        (new / "index.html").write_text("half")
        raise ZeroDivisionError
    assert names(tmp_path) == {"index.html", "charts/seats.png"}
    assert "half" not in (tmp_path / "index.html").read_text()


def test_a_kill_while_files_are_moved_leaves_nothing_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, maps="old", seats="old")
    move = Path.replace

    def killed(file: Path, target: Path) -> Path:
        if file.name == "seats.png":
            raise KeyboardInterrupt
        return move(file, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with suppress(KeyboardInterrupt):
            write(tmp_path, maps="new", seats="new")
    assert (tmp_path / "charts" / "maps.png").read_text() == "new"
    assert (tmp_path / "charts" / "seats.png").read_text() == "old"
    write(tmp_path, routes="newer")
    assert names(tmp_path) == {"index.html", "charts/routes.png"}


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
    for changed in (None, written.replace(b".", b"!").replace(b"<", b"(", 1), b"mine", b""):
        if changed is not None:
            out.write_bytes(changed)
        with pytest.raises(UserError, match=r"was not written by ttr-sim for europe.*--force"):
            write_file("europe")
    with pytest.raises(UserError, match="changed since"):
        write_file("usa")
    assert out.read_bytes() == b""
    write_file("europe", force=True)
    write_file("europe")


def test_no_two_reports_share_a_folder() -> None:
    assert folder_names(["usa", "maps/usa", "europe", "other/usa/"]) == ["usa", "usa-copy1", "europe", "usa-copy2"]
    assert folder_names(["x/usa-copy1", "usa", "y/usa"]) == ["usa-copy1", "usa", "usa-copy2"]
    assert folder_names([".", ".."]) == [Path.cwd().name, Path.cwd().parent.name]
