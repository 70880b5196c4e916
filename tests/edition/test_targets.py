"""`[targets]`: what a designer wants of a board; checked with its line, and no part of what is played."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.edition.conftest import Copy
from ttr_sim.edition import load_edition
from ttr_sim.edition.canonical import locked
from ttr_sim.edition.diff import differences
from ttr_sim.errors import UserError

CopyOf = Callable[[str], Copy]


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


def test_an_unknown_lock_is_refused_in_words() -> None:
    with pytest.raises(UserError, match=r'the lock "Los Angeles–Miam" .*did you mean "Los Angeles–Miami"'):
        locked(load_edition("usa"), ["Los Angeles–Miam"])
