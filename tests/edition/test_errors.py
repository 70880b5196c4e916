"""Each mistake in a folder is one precise error, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.edition.conftest import Copy, CopyOf
from ttr_sim.edition import load_edition
from ttr_sim.errors import UserError

IN_TABLES = [
    ("routes.csv", "Atlanta,Miami", "Atlnta,Miami", '3:1: unknown city "Atlnta" (did you mean "Atlanta"?)'),
    ("routes.csv", "Atlanta,Miami", "Atlanta,miami", '3:9: unknown city "miami" (did you mean "Miami"?)'),
    ("routes.csv", "Atlanta,Miami", "Atlanta,Atlanta", "3:9: the route ends where it begins"),
    ("routes.csv", "Miami,5,blue", "Miami,5,blu", '3:17: unknown color "blu"; it must be "red", "blue",'),
    ("routes.csv", "Miami,5,blue", "Miami,-5,blue", "3:15: length must be from 1 to 12, not -5"),
    ("routes.csv", "Miami,5,blue", "Miami,5.0,blue", '3:15: length "5.0" is not a whole number'),
    ("routes.csv", "Miami,5,blue", "Miami,=2+3,blue", '3:15: length "=2+3" is not a whole number'),
    ("routes.csv", "Miami,5,blue", "Miami,,blue", "3:15: length is empty"),
    ("routes.csv", "Miami,5,blue", "Miami,7,blue", "3:15: route_scores has no points for length 7, only up to 6"),
    ("routes.csv", "blue,plain,0", "blue,tunel,0", '3:22: unknown kind "tunel"; it must be "plain", "tunnel" or'),
    ("routes.csv", "blue,plain,0", "blue,plain,1", "3:28: only a ferry has locomotives, and this route is plain"),
    ("routes.csv", "blue,plain,0", "blue,ferry,6", "3:28: 6 locomotives on a route of length 5"),
    ("routes.csv", "from,to,", "von,to,", '1:1: the column "from" is missing'),
    ("routes.csv", "length,color", "lenght,color", '1:9: unknown column "lenght" (did you mean "length"?)'),
    ("routes.csv", "from,to,", "from,from,to,", '1:6: the column "from" appears twice'),
    ("routes.csv", "Atlanta,Miami,", '"Atlanta,Miami,', "3:1: this quote is not closed before the end"),
    ("routes.csv", "blue,plain,0", "blue,plain,0,7", "3:30: more cells than headings"),
    ("tickets.csv", "Atlanta,Montréal", "Atlanta,Montreal", '2:9: unknown city or country "Montreal" (did you mean'),
    ("tickets.csv", "Atlanta,Montréal", "Atlanta,Atlanta", "2:9: both ends include the same city"),
    ("tickets.csv", "Montréal,9,", "Montréal,nine,", '2:18: points "nine" is not a whole number'),
    ("tickets.csv", "Montréal,9,", "Montréal,99999999999,", "2:18: points must be from 0 to 100, not 99999999999"),
    ("tickets.csv", "Montréal,9,", f"Montréal,{'9' * 3_000},", "2:18: points must be from 0 to 100, not a huge number"),
    ("tickets.csv", "9,regular", "9,reglar", '2:20: unknown deck "reglar"; it must be "regular" (did you mean'),
    ("tickets.csv", "9,regular", "9", "2:19: deck is empty"),
    ("cities.csv", "799.9", "nan", '2:9: x "nan" is not a number'),
    ("cities.csv", "799.9", "1e99", '2:9: x "1e99" is not a number between'),
    ("cities.csv", "799.9,416.3", "799.9", "2:14: y is empty"),
    ("cities.csv", "Boston,", "Boston,1,1\nBoston,", '4:1: the city "Boston" is already on line 3'),
    ("cities.csv", "Atlanta,", ",1,1\nAtlanta,", "2:1: name is empty"),
    ("cities.csv", "799.9,", '"799,9",', '2:9: x "799,9" is not a number'),  # a decimal comma needs another delimiter
    ("cities.csv", "Denver,", '"Denver,', "8:1: this quote"),  # no city is called unknown while rows are not read
    ("cities.csv", "Atlanta,", "Bad\x07Bell,1,1\nAtlanta,", "2:1: name contains a character that cannot be printed"),
    ("cities.csv", "Atlanta,", f"{'A' * 99},1,1\nAtlanta,", "2:1: name has 99 characters; at most 60 are allowed"),
]


ON_OTHER_MAPS = [
    ("germany", "routes.csv", "Dänemark 2,Kiel", "Dänemark 1,Kiel", '36:1: "Dänemark 1" already leads to Bremerhaven'),
    ("germany", "routes.csv", "Dänemark 2,Kiel", "Dänemark 2,Dänemark 1", "36:12: both ends are spots of the country"),
    ("germany", "tickets.csv", "Berlin,Dänemark,", "Dänemark 1,Dänemark,", "6:12: both ends include the same city"),
    # Columns count characters of the line.
    ("germany", "tickets.csv", "Berlin,Dänemark,10", ' "Köln" ,"Öster ""reich""",10', "6:10: unknown city or country"),
    ("germany", "cities.csv", "Kiel,", "Dänemark,", '18:1: "Dänemark" is also the name of a country'),
    ("new_york", "cities.csv", "1302.2,1", "1302.2,2", "2:23: attraction must be from 0 to 1, not 2"),
    ("amsterdam", "routes.csv", "plain,0,1", "plain,0,2", "3:45: merchandise must be from 0 to 1, not 2"),
]


@pytest.mark.parametrize(
    ("edition", "file", "old", "new", "expected"), [*(("usa", *case) for case in IN_TABLES), *ON_OTHER_MAPS]
)
def test_mistake_in_a_table(copy_of: CopyOf, edition: str, file: str, old: str, new: str, expected: str) -> None:
    errors = copy_of(edition).edit(file, old, new).errors()
    assert any(error.startswith(f"{file}:{expected}") for error in errors), errors
    assert len(errors) == 1 or edition != "usa"


# What is replaced by what, the text at whose place the error stands, and how its message begins.
A_CARD = '{ letter = "z", cards = 1 }'
IN_RULES = [
    ("trains = 45", 'trains = "45"', "trains =", 'trains must be a whole number from 1 to 120, not "45"'),
    ("trains = 45", "trains = true", "trains =", "trains must be a whole number from 1 to 120, not true"),
    ("trains = 45", "trans = 45", "trans =", 'unknown key "trans" (did you mean "trains"?)'),
    ("trains = 45", "trains = 45 46", "46", "not valid TOML: Expected newline or end of document"),
    ("players = [2, 5]", "players = [5, 2]", "players =", "players must go from a lower to a higher number"),
    ("players = [2, 5]", "players = [2, 9]", "players =", "players must go from a lower to a higher number"),
    ("players = [2, 5]", "players = 4", "players =", "players must be the lowest and the highest number of players"),
    ("reset_at = 3", "reset_at = 6", "reset_at", "row.reset_at = 6 is more than row.size = 5"),
    ('"r", cards = 12', '"R", cards = 12', 'letter = "R"', "colors.red.letter must be one lower-case letter from a to"),
    ('"r", cards = 12', '"b", cards = 12', 'letter = "b", cards = 12 }\ngr', 'the letter "b" is already used by red'),
    ('"r", cards = 12', '"r", cards = -1', "cards = -1", "colors.red.cards must be a whole number from 0 to 250"),
    ('"r", cards = 12', '"r", cards = 200', "colors]", "298 cards in all; at most 250 are allowed"),
    ("[wilds]", f"Red = {A_CARD}\n[wilds]", "Red =", '"Red" and "red" are the same color'),
    ("[wilds]", f"Grey = {A_CARD}\n[wilds]", "Grey =", '"Grey" means a route that takes any one color'),
    ("[row]", "[rows]", "rows]", 'unknown key "rows" (did you mean "row"?)'),
    ("[longest_path]", "[longest_pat]", "longest_pat]", 'unknown key "longest_pat" (did you mean "longest_path"?)'),
    ('at_start = "bottom"', 'at_start = "top"', "returned_at_start", 'tickets.returned_at_start must be "bottom"'),
    ("keep_at_start = 2", "keep_at_start = 4", "keep_at_start", "4 tickets must be kept, but only 3 are dealt"),
    ("trains_left = 2 ", "last_train = false ", "end]", "nothing ends the game"),
    ('"longest_path"]', '"tickets"]', "tie_breaks", '"tickets" appears twice'),
    ('"longest_path"]', '"luck"]', "tie_breaks", 'tie_breaks entry 2 must be "tickets", "stations"'),
    ("deal = 3 ", "deal = 7 ", "deal = 7", 'setup with 5 players deals 35 "regular" tickets, but there are only 30'),
    ("hand = 4 ", "hand = 40 ", "hand = 40", "setup with 5 players needs 205 cards, but there are only 110"),
    ("schema = 1", "schema = 2", "schema", "schema must be a whole number from 1 to 1, not 2"),
    ('name = "usa"', 'name = "a/b"', "name =", "name must be a name of letters, digits, - and _ (at most 60)"),
    ("keep = 1 ", "keep = 1979-05-27 ", "keep = 1979", "tickets.keep must be a whole number from 1 to 8, not 1979-"),
]


def place_of(copy: Copy, file: str, anchor: str) -> str:
    text = (copy.folder / file).read_text(encoding="utf-8")
    offset = text.index(anchor)
    return f"{file}:{text.count(chr(10), 0, offset) + 1}:{offset - text.rfind(chr(10), 0, offset)}"


OTHER_RULES = [
    ("germany", "deal_total = 4 ", "# ", "tickets]", 'the key "tickets.deal_total" is missing'),
    ("germany", "[decks.long]", "[decks.long]\ndeal = 1", "deal = 1", "decks.long.deal has no meaning with mix = true"),
    ("germany", '"green", "yellow"]', '"green", "violet"]', "colors = [", 'unknown color "violet"'),
    ("germany", "each = 10", "each = 9", "each =", "the cities need 60 passengers, but there are only 54 (6"),
    ("amsterdam", "2 = [8, 4], ", "", "points =", "merchandise.points lacks the points for 2 players"),
    ("amsterdam", "2 = [8, 4], ", "2 = [8, 4, 2], ", "points =", "merchandise.points for 2 players: has 3 entries"),
    ("amsterdam", "2 = [8, 4], ", "two = [8, 4], ", "points =", 'merchandise.points has "two", which is not a'),
    ("first_journey", '"east"', '"eas"', "from =", 'no city has the region "eas" (did you mean "east"?)'),
    ("first_journey", '"east"', '"west"', "to =", "bonus_ticket.from and bonus_ticket.to are the same region"),
    ("london", "5 = 5 }", "5 = 5, fife = 6 }", "fife = 6", 'no city has the region "fife"'),
    ("london", "5 = 5 }", "5 = 101 }", "points = {", 'districts.points for "5" must be a whole number from 0 to 100'),
    (
        "london",
        "{ 1 = 1, 2 = 2, 3 = 3, 4 = 4, 5 = 5 }",
        "[1]",
        "points =",
        "districts.points must be a table by region",
    ),
    ("india", "points = [5,", 'points = ["5",', "points = [", "mandala.points entry 1 must be a whole number from 0"),
    ("europe", "count = 3", "count = 9", "count =", "stations.count must be a whole number from 0 to 5, not 9"),
]


@pytest.mark.parametrize(
    ("edition", "old", "new", "anchor", "message"), [*(("usa", *case) for case in IN_RULES), *OTHER_RULES]
)
def test_mistake_in_the_rules(copy_of: CopyOf, edition: str, old: str, new: str, anchor: str, message: str) -> None:
    copy = copy_of(edition).edit("edition.toml", old, new)
    errors = copy.errors()
    place = place_of(copy, "edition.toml", anchor)
    assert any(error.startswith(f"{place}: {message}") for error in errors), errors
    assert len(errors) <= 2 or edition != "usa"  # a mistyped key is missing, too


def test_a_district_of_one_city(copy_of: CopyOf) -> None:
    copy = copy_of("london").edit("cities.csv", "British Museum,", "Old Museum,1,1,\nBritish Museum,")
    text = (copy.folder / "cities.csv").read_text(encoding="utf-8")
    (copy.folder / "cities.csv").write_text(text.replace(",1\n", ",\n", 1), encoding="utf-8")
    message = 'the district "1" has one city; a district joins two or more'
    assert copy.errors() == [f"{place_of(copy, 'edition.toml', '1 = 1')}: {message}"]


def test_all_problems_at_once(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    copy.edit("edition.toml", "trains = 45", "trains = -1").edit("edition.toml", "reset_at = 3", "reset_at = 9")
    copy.edit("cities.csv", "799.9", "x").edit("routes.csv", "Miami,5,blue", "Miami,x,blau")
    copy.edit("tickets.csv", "9,regular", "9,long")
    with pytest.raises(UserError, match=r"(?s)cannot be played:.*cities.csv:2:9.*tickets.csv:2:20"):
        load_edition(copy.folder)
    files = ["edition.toml", "edition.toml", "cities.csv", "routes.csv", "routes.csv", "tickets.csv"]
    assert [error.split(":")[0] for error in copy.errors()] == files


@pytest.mark.parametrize("file", ["edition.toml", "cities.csv", "routes.csv", "tickets.csv"])
def test_what_stands_in_the_place_of_a_file(copy_of: CopyOf, file: str) -> None:
    folder = copy_of("usa").folder
    path = folder / file

    def only_error() -> str:
        errors = [error for error in Copy(folder).errors() if error.startswith(file)]
        assert len(errors) == 1
        return errors[0].removeprefix(f"{file}:")

    path.unlink()
    assert only_error() == "1:1: the file is missing"
    path.mkdir()
    assert only_error() == "1:1: is a folder, not a text file"
    path.rmdir()
    path.symlink_to(path)
    assert "1:1: " in only_error()
    path.unlink()
    path.symlink_to("/dev/zero")
    assert only_error() == "1:1: is not a file"
    path.unlink()
    path.touch()
    assert only_error() == "1:1: the file is empty"
    path.write_bytes(b"\n" * 5_000_001)
    assert only_error() == "1:1: the file has 5,000,001 bytes; the limit is 5,000,000"
    path.write_bytes("name\nM\xfcnchen".encode("latin-1"))
    assert only_error() == "2:2: the text is not UTF-8 (byte 0xfc); save the file as UTF-8"
    path.write_bytes("name,x,y".encode("utf-16"))
    assert only_error() == "1:1: the text is not UTF-8 (UTF-16); save the file as UTF-8"
    if file != "edition.toml":
        path.write_text({"c": "name,x,y", "r": "from,to,length,color", "t": "from,to,points,deck"}[file[0]])
        assert only_error() == "1:1: there are no rows below the headings"


def test_sizes_beyond_the_limits_are_refused_in_words(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    copy.append("cities.csv", "".join(f"City {n},{n},0\n" for n in range(40)))
    copy.append("routes.csv", "Atlanta,Boston,2,red,plain,0\n" * 100)
    copy.append("tickets.csv", "Atlanta,Boston,2,regular\n" * 100)
    assert copy.errors() == [
        "cities.csv:1:1: 76 rows; at most 64 are allowed",
        "routes.csv:1:1: 200 rows; at most 192 are allowed",
        "tickets.csv:1:1: 130 rows; at most 128 are allowed",
    ]
    copy.append("routes.csv", '"\n' * 100_000)
    assert "routes.csv:1:1: 101,206 cells; at most 100,000 are allowed" in copy.errors()


def test_a_broken_toml_still_lets_the_tables_be_checked(copy_of: CopyOf) -> None:
    copy = copy_of("usa").edit("edition.toml", "[row]", "[row").edit("routes.csv", "Miami,5,blue", "Miami,5,blau")
    copy.edit("routes.csv", "Atlanta,Nashville", "Atlanta,Nash")
    broken, unknown = copy.errors()
    assert broken.startswith(place_of(copy, "edition.toml", "[row").rsplit(":", 1)[0])
    assert unknown.startswith("routes.csv:4:9: unknown city")


@pytest.mark.parametrize("text", ["[" * 5000, "x = " + "[" * 5000, "x = " + "9" * 5000, "x = {a = " * 900, "\0", "="])
def test_toml_that_breaks_parsers(copy_of: CopyOf, text: str) -> None:
    copy = copy_of("usa")
    (copy.folder / "edition.toml").write_text(text)
    (error,) = copy.errors()
    assert error.startswith("edition.toml:1:") and "not valid TOML" in error


@pytest.mark.parametrize("name", ["uss", "no/such/folder", "x" * 5000, ""])
def test_no_such_edition(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="there is no edition or folder"):
        load_edition(name)


def test_a_file_or_a_run_in_place_of_an_edition(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("hello")
    with pytest.raises(UserError, match=r"notes\.md is a file; give the folder it is in"):
        load_edition(tmp_path / "notes.md")
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(UserError, match="is a run, not an edition; the edition it played is"):
        load_edition(tmp_path)
