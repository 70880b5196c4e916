"""What a user types for an edition, to paste it after a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.edition.conftest import Copy
from ttr_sim.edition import Edition, as_typed, load_edition
from ttr_sim.edition.write import write_folder


@pytest.mark.parametrize("name", ["usa", "usa_1910"])
def test_an_edition_that_comes_along_goes_by_its_name(name: str, tmp_path: Path) -> None:
    assert as_typed(load_edition(name)) == name
    assert as_typed(in_a_run(name, tmp_path)) == name


def test_a_folder_goes_by_its_path_whatever_name_is_written_in_it(tmp_path: Path) -> None:
    mine = tmp_path / "my maps" / "mine"
    write_folder(load_edition("usa"), mine)
    assert as_typed(load_edition(mine)) == str(mine)


def test_a_board_that_only_a_run_holds_goes_by_its_name_where_that_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(load_edition("usa"), Path("mine"))
    mine = Copy(Path("mine")).edit("edition.toml", 'name = "usa"', 'name = "mine"')
    mine.edit("edition.toml", "trains = 45", "trains = 40")
    played = in_a_run("mine", tmp_path)
    assert as_typed(played) == "mine"
    mine.edit("edition.toml", "trains = 40", "trains = 41")
    assert as_typed(played) == "FOLDER"


def in_a_run(name: str, home: Path) -> Edition:
    folder = home / "runs" / name
    write_folder(load_edition(name), folder / "edition")
    (folder / "run.json").touch()
    return load_edition(folder / "edition")
