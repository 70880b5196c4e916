"""Warnings of a board that can be played, and its `[targets]`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.edition.conftest import CopyOf
from tests.edition.planted import planted
from ttr_sim.edition import check_folder, load_edition
from ttr_sim.edition.canonical import differences, locked
from ttr_sim.errors import UserError

ON_MAPS = [
    ("cities.csv", "Boston,", "Nome,1,1\nBoston,", "cities.csv:3:1: no route leads to Nome"),
    ("cities.csv", "975.3,113.0", "799.9,416.3", "cities.csv:3:8: Boston is drawn on top of Atlanta"),
    ("tickets.csv", "Montréal,9", "Montréal,15", "2:18: worth 15 points, but its shortest path takes 9 trains"),
    ("tickets.csv", "Montréal,9", "Montréal,2", "2:18: worth 2 points, but its shortest path takes 9 trains"),
    ("tickets.csv", "Montréal,9", "Montréal,11", None),
    ("tickets.csv", "Atlanta,New York,6", "Montréal,Atlanta,9", "tickets.csv:3:1: the same ticket as on line 2"),
    ("routes.csv", "Charleston,Miami,4", "Charleston,Miami,6", None),
    ("routes.csv", "Miami,5,blue", "Miami,5,blue\nMiami,Atlanta,5,blue", "4:1: the same route as on line"),
    ("routes.csv", "Orleans,4,yellow", "Orleans,3,yellow", "unequal lengths: 3 here, 4 on line 5"),
    ("routes.csv", "Miami,5,blue,plain", "Miami,5,blue,ferry", "3:22: edition.toml has no block [ferries]: 1"),
    ("routes.csv", "Boston,Montréal", ",,,,,\nBoston,Montréal", ":1: this row is empty and is ignored"),
    ("edition.toml", '"r", cards = 12', '"r", cards = 3', "needs wilds: there are only 3 red cards"),
    ("edition.toml", "[row]", "[tunnels]\nreveal = 3\n[row]", "no row of the map uses the block [tunnels]"),
    ("edition.toml", '"longest_path"]', '"stations"]', '"stations" never breaks a tie: the edition has no block'),
    ("edition.toml", "trains_left = 2", "trains_left = 45", "the first turn starts the final round"),
    ("edition.toml", "deal = 3 ", "deal = 6 ", "with 5 players only 0 tickets are left to draw after setup"),
    ("edition.toml", "hand = 4 ", "hand = 18 ", "with 5 players only 15 cards are left in the deck after setup"),
    ("edition.toml", "route_scores", "# ", "route_scores is left out: routes score nothing"),
    ("edition.toml", "[row]", "[decks.spare]\ndeal = 0\ndraw = 1\n[row]", 'no ticket is in the deck "spare"'),
    ("edition.toml", "[longest_path]", "[instant_tickets]\nhold = 4\n[longest_path]", None),
    ("edition.toml", "trains = 45", "trains = 73", None),
    ("edition.toml", "trains = 45", "trains = 90", "a player can claim up to 4"),
    ("edition.toml", "trains = 45", "trains = 5", "nobody can claim it: a player has only 5 trains"),
]
OF_FEATURES = [
    (
        "first_journey",
        "edition.toml",
        "[end]",
        "[globetrotter]\npoints = 9\n[end]",
        "globetrotter scores nothing: in a",
    ),
    ("new_york", "cities.csv", ",attraction", ",coin", "no row of the map uses the block [attractions]"),
    ("london", "cities.csv", "Big Ben", "Kew,1,1,5\nBig Ben", 'earn the district "5": no routes join its cities'),
    ("london", "edition.toml", "trains = 17", "trains = 5", 'district "5": two of its cities are 6 trains apart'),
    ("india", "edition.toml", "points = [5, 10, 20, 30, 40]", "points = []", "earn the Mandala: it has no points"),
    ("amsterdam", "edition.toml", "cards = 16", "cards = 12", "16 routes earn a card, but there are only 12"),
    ("amsterdam", "routes.csv", ",merchandise", ",merchandize", '1:39: unknown column "merchandize" (did you mean'),
]


@pytest.mark.parametrize(
    ("edition", "file", "old", "new", "expected"), [*(("usa", *case) for case in ON_MAPS), *OF_FEATURES]
)
def test_advice(copy_of: CopyOf, edition: str, file: str, old: str, new: str, expected: str | None) -> None:
    copy = copy_of(edition).edit(file, old, new)
    assert copy.errors() == []
    warnings = copy.warnings()
    assert any(expected in warning for warning in warnings) if expected else warnings == []


def test_parts_and_tickets_that_no_path_joins(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    copy.append("cities.csv", "Honolulu,1,1\nHilo,2,2\n").append("routes.csv", "Honolulu,Hilo,2,red,plain,0\n")
    copy.append("tickets.csv", "Hilo,Miami,20,regular\n")
    warnings = copy.warnings()
    assert "cities.csv:38:1: 2 cities are cut off from the others: Honolulu, Hilo" in warnings
    assert "cities.csv:38:1: Honolulu is a dead end: its only neighbor is Hilo" in warnings
    assert "tickets.csv:32:1: no path joins Hilo and Miami: the ticket can never be completed" in warnings


def test_a_route_that_nobody_can_pay(copy_of: CopyOf) -> None:
    copy = copy_of("usa").edit("edition.toml", '"b", cards = 12', '"b", cards = 2')
    copy.edit("edition.toml", "cards = 14", "cards = 1")
    assert "routes.csv:3:15: nobody can pay for it: there are only 2 blue cards and 1 wilds" in copy.warnings()


def test_a_race_whose_tickets_are_not_shown(copy_of: CopyOf) -> None:
    copy = copy_of("first_journey")
    for text in ("[instant_tickets]", "hold = 2", "discard = true"):
        copy.edit("edition.toml", text, "")
    assert any("without [instant_tickets] completed tickets are not shown" in warning for warning in copy.warnings())


def test_a_mandala_may_end_at_two_spots_of_a_country(tmp_path: Path) -> None:
    mandala = [("[longest_path]", "[mandala]\npoints = [5]\n[longest_path]")]
    cities = ["A,0,0,", "B,1,0,", "C,0,1,", "X in A,0,0,X", "X in B,1,0,X"]
    fork = [("C", "A", 2), ("C", "B", 2), ("A", "X in A", 1)]
    planted(tmp_path, [*fork, ("B", "X in B", 1)], [("C", "X", 3), ("A", "B", 4)], cities=cities, changes=mandala)
    assert "Mandala" not in str(check_folder(tmp_path).warnings)
    planted(tmp_path, fork, [("C", "X", 3), ("A", "B", 4)], cities=cities, changes=mandala)
    message = "nobody can earn the Mandala: no ticket has two ways that share no route"
    assert message in str(check_folder(tmp_path).warnings)


def test_targets_are_read_and_change_no_game(copy_of: CopyOf) -> None:
    copy = copy_of("europe").append("edition.toml", '\n[targets]\nmargin = 3.5\nseats = 4\nlocked = ["long"]\n')
    plain, edition = load_edition("europe"), load_edition(copy.folder)
    assert (edition.targets.margin, edition.targets.seats, edition.targets.locked) == (3.5, 4, ("long",))
    assert (plain.targets.margin, plain.targets.claimed, plain.targets.seats) == (5, 2, None)
    assert edition.fingerprint == plain.fingerprint
    assert differences(plain, edition) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("margin = 0.5", "must be a number from 1 to 50, not 0.5"),
        ('margin = "wide"', "must be a number from 1 to 50"),
        ("marign = 3", 'unknown key "targets.marign" (did you mean "margin"?)'),
        ("locked_out = 300", "must be a number from 1 to 100, not 300"),
        ('locked = ["Miami-Seatle"]', 'the lock "Miami-Seatle" is neither a deck nor the two ends'),
        ('locked = ["reguler"]', 'did you mean "regular"?'),
    ],
)
def test_impossible_targets_are_told_with_their_line(copy_of: CopyOf, line: str, said: str) -> None:
    copy = copy_of("usa").append("edition.toml", f"\n[targets]\n{line}\n")
    last = (copy.folder / "edition.toml").read_text("utf-8").count("\n")
    (error,) = copy.errors()
    assert error.startswith(f"edition.toml:{last}:1: ")
    assert said in error


def test_a_lock_means_a_deck_or_all_that_is_between_two_ends() -> None:
    europe = load_edition("europe")
    tickets, routes = locked(europe, ["long"])
    assert ({europe.decks[europe.tickets[row].deck].name for row in tickets}, len(tickets)) == ({"long"}, 6)
    assert routes == frozenset()
    usa = load_edition("usa")
    meant = [locked(usa, [lock]) for lock in ("Los Angeles–Miami", "Miami-Los Angeles", " Miami — Los Angeles ")]
    assert meant[0] == meant[1] == meant[2]
    assert [usa.tickets[row].points for row in meant[0][0]] == [20]
    assert len(locked(usa, ["Calgary–Seattle", "Boston–New York"])[1]) == 3
    with pytest.raises(UserError, match=r'the lock "Los Angeles–Miam" .*did you mean "Los Angeles–Miami"'):
        locked(load_edition("usa"), ["Los Angeles–Miam"])
