"""The map editor's tables: read into an edition, written, and read back."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.conftest import Outcome
from ttr_sim.edition import Edition, check_folder, load_edition, official_names

Command = Callable[..., Outcome]

# A ring of seven with a double route, a tunnel, a boat and a junction, and enough tickets for two players.
STOPS = """\
Name,Type,Routes,Neighbours,Tickets,X,Y
Åre,Regular,3,2,2,100,100
Berg,Regular,3,2,2,300,80
Cove,Ferry port,2,2,2,500,100
Junction 1,Junction,2,2,0,500,300
Dale,Regular,2,2,2,300,350
Elm,Regular,2,2,2,200,400
Fen,Regular,2,2,2,90,300
"""
ROUTES = """\
From,To,Length,Colour,Type,Wagon style,Locomotives,Double route
Åre,Berg,3,Red,Railway,,0,yes
Åre,Berg,3,Purple,Railway,,0,yes
berg,COVE,2,Grey,Railway,Tunnel,0,
Cove,Junction 1,4,,Boat,,2,
Junction 1,Dale,7,Blue,Railway,,0,
Dale,Elm,1,Green,,,0,
Elm,Fen,2,White,Railway,,,
Fen,Åre,2,Black,Railway,,0,
"""
TICKETS = """\
Deck,From,To,Points,Shortest path,Length,Long deck
Main deck,Åre,Cove,5,5,short,
Main deck,Berg,Dale,9,9,medium,
Main deck,Cove,Elm,10,10,medium,
Main deck,Dale,Åre,5,5,short,
Main deck,Elm,Berg,7,7,short,
Main deck,Fen,Cove,7,7,short,
Main deck,Fen,Dale,3,3,short,yes
Main deck,Elm,Cove,10,10,long,yes
"""
FILES = {"stops.csv": STOPS, "routes.csv": ROUTES, "tickets.csv": TICKETS}


def written(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Write files as the editor does: UTF-8 with a byte-order mark, lines ending as on Windows."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    return folder


def changed(file: str, old: str, new: str) -> dict[str, str]:
    assert old in FILES[file]
    return {**FILES, file: FILES[file].replace(old, new)}


def without(file: str) -> dict[str, str]:
    return {name: text for name, text in FILES.items() if name != file}


@pytest.fixture
def new_map(command: Command, tmp_path: Path) -> Command:
    """Make the edition `map` from files written into `drawn`, and from further sources."""

    def make(files: Mapping[str, str], *more: object) -> Outcome:
        sources = [written(tmp_path / "drawn", files), *more]
        return command("new", tmp_path / "map", *(word for source in sources for word in ("--from", source)))

    return make


def drawn(tmp_path: Path) -> Edition:
    return load_edition(tmp_path / "map")


def exported(command: Command, tmp_path: Path, name: str, *base: object) -> Edition:
    """Export an edition and read it back, with an edition for all else if one is named."""
    out = tmp_path / "out"
    assert command("export", name, "--to", "editor", "--out", out).code == 0
    sources = [word for source in (*base, out) for word in ("--from", source)]
    outcome = command("new", tmp_path / "back", *sources)
    assert (outcome.code, "To fix" in outcome.err and bool(base)) == (0, False)
    return load_edition(tmp_path / "back")


def test_a_drawn_map(new_map: Command, tmp_path: Path) -> None:
    assert new_map({name: text.replace("Elm", "'=Elm") for name, text in FILES.items()}).code == 0
    edition = drawn(tmp_path)
    assert (edition.name, edition.players) == ("map", (2, 2))
    assert edition.provenance == "Read from files of the map editor; edited by you."
    assert [(city.name, city.x, city.y) for city in edition.cities][:2] == [("Åre", 100, 100), ("Berg", 300, 80)]
    assert edition.cities[5].name == "=Elm"  # guarded against spreadsheets
    colors = [None if route.color is None else edition.colors[route.color].name for route in edition.routes]
    assert colors == ["red", "pink", None, None, "blue", "green", "white", "black"]
    assert [route.kind for route in edition.routes][2:4] == ["tunnel", "ferry"]
    assert [route.locomotives for route in edition.routes][:4] == [0, 0, 0, 2]
    assert (edition.routes[1].group, edition.routes[1].copy) == (0, 1)
    assert [edition.decks[ticket.deck].name for ticket in edition.tickets] == ["regular"] * 6 + ["long"] * 2
    assert edition.route_scores == (1, 2, 4, 7, 10, 15, 18, 21)
    assert check_folder(tmp_path / "map").errors == []


def test_semicolons_decimal_commas_and_other_headings(new_map: Command, tmp_path: Path) -> None:
    stops = "Name;X;Y\nÅ;1,5;2\nB;3;4\nC;5;6\n"
    routes = "a;b;length;color;tunnel;kind;ferryLocomotives\nÅ;B;2;neutral;True;;\nB;C;3;any;;ship;1\nC;Å;1;gray;no;;\n"
    tickets = "a;b;points;long\n" + "Å;B;2;\nB;C;3;\nC;Å;1;nej\n" * 2 + "Å;C;1;ja\nA\u030a;B;2;1\n"
    assert new_map({"s.csv": stops, "r.csv": routes, "t.csv": tickets}).code == 0
    edition = drawn(tmp_path)
    assert edition.cities[0].x == 1.5
    assert [(route.kind, route.locomotives) for route in edition.routes] == [("tunnel", 0), ("ferry", 1), ("plain", 0)]
    assert [ticket.deck for ticket in edition.tickets] == [0] * 6 + [1] * 2


def test_ids_decide_before_names(new_map: Command, tmp_path: Path) -> None:
    files = {
        "stops.csv": "Name,X,Y,Id,Editor\nNew name,0,0,s-1,1.3.0\nB,1,0,s-2,1.3.0\nC,1,1,s-3,1.3.0\n",
        "routes.csv": "From,To,Length,Colour,From id,To id,Bends\n"
        "Old name,B,2,Red,s-1,s-2,412|306\nB,s-3,3,Red,,,\nC,B,3,Red,s-3,s-1,\n",
        "tickets.csv": "From,To,Points,From id,To id\n" + "Old name,C,5,s-1,s-3\n" * 6,
    }
    assert new_map(files).code == 0
    edition = drawn(tmp_path)
    assert [(route.a, route.b) for route in edition.routes] == [(0, 1), (1, 2), (2, 0)]
    assert edition.tickets[0].a == "New name"


def test_routes_without_stops_make_the_cities(new_map: Command, tmp_path: Path) -> None:
    new_map(without("stops.csv"))
    edition = drawn(tmp_path)
    assert len({(city.x, city.y) for city in edition.cities}) == 7


def test_a_stop_without_a_position_is_placed_and_the_others_stay(new_map: Command, tmp_path: Path) -> None:
    outcome = new_map(changed("stops.csv", "Elm,Regular,2,2,2,200,400", "Elm,Regular,2,2,2,,"))
    assert "1 of 7 cities have no position" in outcome.err
    places = {city.name: (city.x, city.y) for city in drawn(tmp_path).cities}
    assert places["Dale"] == (300, 350) and places["Elm"] not in [places["Dale"], places["Fen"]]


def test_latitude_and_longitude_are_drawn_with_north_up(new_map: Command, tmp_path: Path) -> None:
    stops = "Name,Lat,Lon\n" + "".join(
        f"{line.split(',')[0]},{60 + number},{10 * number}\n"
        for number, line in enumerate(FILES["stops.csv"].splitlines()[1:])
    )
    assert new_map({**FILES, "stops.csv": stops}).code == 0
    first, second, *_ = drawn(tmp_path).cities
    assert second.x > first.x and second.y < first.y
    assert second.x - first.x < 5  # degrees of longitude are short up north


DISTANCES = {"distances.csv": ",Åre,Berg\nÅre,0,3\nBerg,3,0\n"}
MONORAIL = changed("routes.csv", "White,Railway,", "White,Monorail,Gold")
ONE = {**FILES, "tickets.csv": "From,To,Points\nÅre,Cove,5\n"}
FEW = "Deck,From,To,Points,Long deck\nMy deck,Boston,Miami,12,yes\n"
NOTES = [
    (FILES, (), 0, "Junctions become cities that no ticket names: Junction 1.\n"),
    (MONORAIL, (), 0, "Routes of a type or wagon style that has no rule here play as plain ones: Monorail, Gold.\n"),
    (FILES | DISTANCES, (), 0, "distances.csv is not a table of stops, routes or tickets and is skipped.\n"),
    (without("stops.csv"), (), 0, "7 of 7 cities have no position and are placed by their routes"),
    (ONE, (), 0, "To fix before it can be played: edition.toml:"),
    (ONE, (), 0, 'setup with 2 players deals 6 "regular" tickets'),
    ({}, (), 2, "holds no edition.toml and no .csv or .xlsx file, so there is nothing to read"),
    (without("tickets.csv"), (), 2, "no file holds tickets; name one with --from"),
    ({"tickets.csv": FEW}, ("usa",), 2, 'tickets.csv:2:25: [E2] edition.toml has no deck "long", only regular'),
]


@pytest.mark.parametrize(("files", "more", "code", "sentence"), NOTES)
def test_notes_and_refusals(
    new_map: Command, files: Mapping[str, str], more: tuple[str, ...], code: int, sentence: str
) -> None:
    outcome = new_map(files, *more)
    assert outcome.code == code
    assert sentence in outcome.err


def test_tickets_alone_replace_those_of_an_edition(new_map: Command, tmp_path: Path) -> None:
    few = "Deck,From,To,Points\n" + "My deck,boston,Miami,12\nMy deck,Denver,El Paso,4\n" * 10
    assert new_map({"tickets.csv": few}, "usa").code == 0
    edition, usa = drawn(tmp_path), load_edition("usa")
    assert (edition.cities, edition.routes, len(edition.tickets)) == (usa.cities, usa.routes, 20)
    assert edition.tickets[0].a == "Boston"


def test_columns_of_our_own_files_are_read_too(new_map: Command, tmp_path: Path) -> None:
    germany = load_edition("germany").folder
    files = {f"{name}.csv": (germany / f"{name}.csv").read_text(encoding="utf-8") for name in ("cities", "routes")}
    assert new_map({**files, "tickets.csv": "From,To,Points\n" + "Berlin,Schweiz,20\n" * 30}).code == 0
    edition = drawn(tmp_path)
    assert edition.routes == load_edition("germany").routes
    assert len(edition.tickets[0].b_cities) > 1


WRONG = [
    ("stops.csv", "Berg,Regular", "Åre,Regular", 'stops.csv:3:1: there are two stops named "Åre"'),
    ("stops.csv", "100,100\nBerg", "west,100\nBerg", 'stops.csv:2:19: x "west" is not a number'),
    ("routes.csv", "Fen,Åre,2", "Fenn,Åre,2", 'routes.csv:9:1: unknown city "Fenn"; it must be "Åre", "Berg",'),
    ("routes.csv", "Fen,Åre,2", "Fen,Åre,two", 'routes.csv:9:9: length "two" is not a whole number'),
    ("routes.csv", "Fen,Åre,2", "Fen,Fen,2", "routes.csv:9:5: the route ends where it begins"),
    ("routes.csv", "Black", "Teal", 'routes.csv:9:11: unknown color "Teal"; it must be'),
    ("routes.csv", "Railway,Tunnel,0", "Railway,Tunnel,1", "routes.csv:4:1: a route cannot be both a tunnel and a"),
    ("routes.csv", "Boat,,2", "Boat,,5", "routes.csv:5:26: locomotives must be from 0 to 4, not 5"),
    ("tickets.csv", "Fen,Cove,7", "Fen,Cave,7", 'tickets.csv:7:15: unknown city or country "Cave"; it must be'),
    ("tickets.csv", "Fen,Cove,7", "Fen,Fen,7", "tickets.csv:7:15: the ticket ends where it begins"),
    ("tickets.csv", "Main deck,Fen,Cove", "Old deck,Fen,Cove", '"Old deck" and "Main deck" are two decks'),
    ("tickets.csv", "Deck,From,To,Points", "Deck,From,To,Worth", 'tickets.csv:1:1: the column "Points" is missing'),
    ("stops.csv", "Name,Type", "Stop,Type", "stops.csv:1:1: the headings are not those of stops"),
    ("tickets.csv", "Berg,Dale,9", '"Berg,Dale,9', "tickets.csv:3:11: this quote is not closed"),
    ("routes.csv", "Fen,Åre,2,Black", "Fenn,Åre,two,Teal", "\n  routes.csv:9:14: unknown color"),
]


@pytest.mark.parametrize(("file", "old", "new", "sentence"), WRONG)
def test_wrong_cells_are_told_with_their_place(
    new_map: Command, tmp_path: Path, file: str, old: str, new: str, sentence: str
) -> None:
    files = changed(file, old, new)
    others = [written(tmp_path / "single", {file: files.pop(file)}) / file]
    outcome = new_map(files, *others)
    assert outcome.code == 2
    assert outcome.err.startswith("Error: the map cannot be read:")
    assert sentence in re.sub(r"\[[A-Z]+[0-9]+\] ", "", outcome.err)
    assert not (tmp_path / "map").exists()


@pytest.mark.parametrize(("name", "base"), [("usa", ()), *((name, (name,)) for name in official_names())])
def test_with_the_edition_for_all_else_everything_comes_back(
    command: Command, tmp_path: Path, name: str, base: tuple[str, ...]
) -> None:
    assert exported(command, tmp_path, name, *base).fingerprint == load_edition(name).fingerprint
    command("export", tmp_path / "back", "--to", "editor", "--out", tmp_path / "two")
    for file in (tmp_path / "out").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_the_files_alone_bring_back_the_map_of_europe(command: Command, tmp_path: Path) -> None:
    back, europe = exported(command, tmp_path, "europe"), load_edition("europe")
    outcome = command("new", tmp_path / "again", "--from", tmp_path / "out")
    assert "edition.toml is that of usa with tunnels, ferries, a long deck added" in outcome.err
    for part in ("cities", "routes", "tickets", "tunnels", "ferries", "decks", "route_scores"):
        assert getattr(back, part) == getattr(europe, part)


@pytest.mark.parametrize("name", ["germany", "amsterdam", "first_journey", "new_york", "london"])
def test_the_files_alone_lack_what_the_editor_cannot_hold(command: Command, tmp_path: Path, name: str) -> None:
    back, edition = exported(command, tmp_path, name), load_edition(name)
    plain = [replace(city, country=None, region=None, passengers=0, attraction=False) for city in edition.cities]
    assert list(back.cities) == plain
    assert len(back.routes) == len(edition.routes)
    for there, here in zip(edition.tickets, back.tickets, strict=True):
        assert here.a_cities[0] in there.a_cities and here.b_cities[0] in there.b_cities


def test_tickets_alone_mean_the_countries_of_the_edition(command: Command, tmp_path: Path) -> None:
    command("export", "germany", "--to", "editor", "--out", tmp_path / "out")
    command("new", tmp_path / "back", "--from", "germany", "--from", tmp_path / "out" / "tickets.csv")
    assert load_edition(tmp_path / "back").tickets == load_edition("germany").tickets


def workbook(path: Path, files: Mapping[str, str]) -> Path:
    """Write each file as a sheet, its numbers as numbers."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, text in files.items():
        sheet = book.create_sheet(name.removesuffix(".csv").capitalize())
        for line in text.splitlines():
            sheet.append([int(cell) if cell.isdecimal() else cell or None for cell in line.split(",")])
    book.save(path)
    return path


def test_a_workbook_of_four_sheets_is_the_map_of_its_files(command: Command, tmp_path: Path) -> None:
    book = workbook(tmp_path / "map.xlsx", FILES | DISTANCES)
    outcome = command("new", tmp_path / "one", "--from", book)
    assert outcome.code == 0
    assert "map.xlsx, sheet Distances is not a table of stops, routes or tickets and is skipped." in outcome.err
    files = [tmp_path / name for name in FILES]
    for file in files:
        file.write_text(FILES[file.name], encoding="utf-8")
    command("new", tmp_path / "two", *(word for file in files for word in ("--from", file)))
    one, two = load_edition(tmp_path / "one"), load_edition(tmp_path / "two")
    assert (one.cities, one.routes, one.tickets) == (two.cities, two.routes, two.tickets)


def test_errors_name_sheet_and_cell(command: Command, tmp_path: Path) -> None:
    book = workbook(tmp_path / "map.xlsx", changed("routes.csv", "Fen,Åre,2,Black", "Fen,Åre,2,Teal"))
    outcome = command("new", tmp_path / "new", "--from", book)
    assert outcome.code == 2
    assert 'map.xlsx, sheet Routes: [D9] unknown color "Teal"; it must be' in outcome.err


@pytest.mark.parametrize("data", [b"", b"Name,X,Y\n", b"PK\x03\x04 cut short"])
def test_a_file_that_is_no_workbook(command: Command, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "map.xlsx").write_bytes(data)
    outcome = command("new", tmp_path / "new", "--from", tmp_path / "map.xlsx")
    assert outcome.code == 2
    assert "map.xlsx cannot be read as an .xlsx workbook" in outcome.err


def test_a_workbook_that_unpacks_to_far_too_much(command: Command, tmp_path: Path) -> None:
    """Millions of empty cells are a few kilobytes, packed."""
    book = workbook(tmp_path / "map.xlsx", FILES)
    outcome = command("new", tmp_path / "new", "--from", with_part(book, STOPS_SHEET, SHEET % (b"<row/>" * 900_000)))
    assert outcome.code == 2
    assert "map.xlsx is too large" in outcome.err


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_workbook_is_refused_in_words(command: Command, tmp_path: Path, seed: int) -> None:
    """Cut one part short, or change one of its bytes."""
    random = Random(seed)
    book = workbook(tmp_path / "map.xlsx", FILES)
    with zipfile.ZipFile(book) as packed:
        part = random.choice(packed.namelist())
        data = bytearray(packed.read(part))
    if seed % 2:
        del data[random.randrange(len(data)) :]
    else:
        data[random.randrange(len(data))] = random.randrange(256)
    outcome = command("new", tmp_path / "new", "--from", with_part(book, part, bytes(data)))
    assert outcome.code == 0 or (outcome.code == 2 and outcome.err.startswith("Error: "))


SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%b</sheetData></worksheet>'
STOPS_SHEET = "xl/worksheets/sheet1.xml"


def with_part(book: Path, part: str, data: bytes) -> Path:
    """Put something else in the place of a part of a workbook."""
    with zipfile.ZipFile(book) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()} | {part: data}
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return book
