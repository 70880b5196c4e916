"""The changes between two editions in sentences, and the name a user types for one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.edition.conftest import Copy
from ttr_sim.edition import Edition, as_typed, load_edition
from ttr_sim.edition.canonical import route_keys, ticket_keys
from ttr_sim.edition.diff import differences
from ttr_sim.edition.write import write_folder

Change = Callable[[Path], None]


def edited(folder: Path, old: str, new: str, edition: str = "usa") -> list[str]:
    """Replace a text that stands in one place of one file, and list the differences."""
    write_folder(load_edition(edition), folder)
    (path,) = (file for file in folder.iterdir() if file.name != "bots.toml" and old in file.read_text("utf-8"))
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")
    return differences(load_edition(edition), load_edition(folder))


MONTREAL = "Atlanta,Montréal,9,regular\n"
DENVER = "Denver,Oklahoma City,4,red,plain,0"


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        ("Montréal,9,", "Montréal,11,", ["ticket Atlanta–Montréal (regular): points 11 instead of 9"]),
        (MONTREAL, "", ["ticket Atlanta–Montréal (regular) is gone"]),
        (
            MONTREAL,
            MONTREAL + "Montréal,Atlanta,12,regular\n",
            ["ticket Montréal–Atlanta (regular, no. 2) is new: points 12"],
        ),
        (
            DENVER,
            "Oklahoma City,Denver,3,red,plain,0",
            ["route Denver–Oklahoma City (red): length 3 instead of 4"],
        ),
        (DENVER, DENVER.replace("red", "blue"), ["route Denver–Oklahoma City (blue): color blue instead of red"]),
        ("trains = 45", "trains = 40", ["trains: 40 instead of 45"]),
        ("max_resets = 10", "max_resets = 9", ["row: max_resets 9 instead of 10"]),
        ("[1, 2, 4, 7,", "[1, 3, 4, 7,", ["route_scores: [1, 3, 4, 7, 10, 15] instead of [1, 2, 4, 7, 10, 15]"]),
        ('"r", cards = 12', '"r", cards = 11', ["colors.red: cards 11 instead of 12"]),
        (
            "[longest_path]\npoints = 10\n",
            "[globetrotter]\npoints = 15\n",
            ["longest_path is gone", "globetrotter is new: points 15"],
        ),
        ('title = "USA"', 'title = "My map"', []),
    ],
)
def test_one_change_one_sentence(tmp_path: Path, old: str, new: str, sentences: list[str]) -> None:
    assert edited(tmp_path / "copy", old, new) == sentences


@pytest.mark.parametrize(
    ("edition", "old", "new", "sentence"),
    [
        ("germany", "second = 10 ", "second = 5 ", "passengers: second 5 instead of 10"),
        ("first_journey", "count = 4", "count = 3", "bonus_ticket: count 3 instead of 4"),
        ("germany", "577.8,1309.3,,1", "577.8,1309.3,,0", "city Augsburg: passengers 0 instead of 1"),
    ],
)
def test_features_go_by_the_names_of_edition_toml(
    tmp_path: Path, edition: str, old: str, new: str, sentence: str
) -> None:
    assert edited(tmp_path / "copy", old, new, edition) == [sentence]


def test_an_edition_does_not_differ_from_itself() -> None:
    assert differences(load_edition("europe"), load_edition("europe")) == []


@pytest.mark.parametrize("name", ["usa", "europe", "germany", "amsterdam", "first_journey"])
def test_every_route_and_ticket_has_a_key_of_its_own(name: str) -> None:
    edition = load_edition(name)
    assert len(set(route_keys(edition))) == len(edition.routes)
    assert len(set(ticket_keys(edition))) == len(edition.tickets)


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
