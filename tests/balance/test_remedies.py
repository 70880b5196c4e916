"""Remedies: each is replayed, the nearest that works is named, and what points cannot do says what was tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import pandas as pd

from ttr_sim.analysis.targets import MISSED, TICKET, Target
from ttr_sim.balance.edits import Edit, points_of
from ttr_sim.balance.evaluate import MeasuredBoard
from ttr_sim.balance.remedies import Remedies, RemedyFinder
from ttr_sim.edition import load_edition

USA, EUROPE = load_edition("usa"), load_edition("europe")
MARGIN = (-0.05, 0.05)
Effects = dict[int, Callable[[int], float]]  # excess by points, by ticket


class Replays:
    """In place of games: the excess of tickets by their points, all others fair."""

    def __init__(self, edition: Any, effects: Effects, spoils: Callable[[list[int]], bool] = lambda points: False):
        self.original, self.effects, self.spoils = edition, effects, spoils
        self.wanted = SimpleNamespace(margin=5.0)
        self.played: list[list[int]] = []

    def targets(self, points: Sequence[int]) -> list[Target]:
        found = []
        for row, printed in enumerate(points):
            value = self.effects[row](printed) if row in self.effects else 0.0
            found.append(Target(f"ticket {row}", TICKET, 0, value, value - 0.01, value + 0.01, MARGIN, row))
        if self.spoils(list(points)):
            found.append(Target("route A–B red 0", "contention", 4, 0.99, 0.98, 1.0, (None, 0.9), 0))
        return found

    def evaluate(self, edits: Iterable[Edit], sample: Any, title: str) -> MeasuredBoard:
        points = points_of(self.original, edits)
        self.played.append(points)
        return MeasuredBoard((), (), tuple(self.targets(points)), pd.DataFrame())


def found(replays: Replays) -> Remedies:
    targets = replays.targets([ticket.points for ticket in replays.original.tickets])
    assert any(target.state == MISSED for target in targets)
    return RemedyFinder(replays, targets, 1).find()  # type: ignore[arg-type]


def test_the_nearest_points_that_work_when_replayed_are_named() -> None:
    printed = USA.tickets[3].points
    replays = Replays(USA, {3: lambda points: 0.09 - 0.02 * (printed - points)})
    (remedy,) = found(replays).each
    assert remedy.points is not None
    assert printed - 7 < remedy.points < printed
    assert abs(remedy.excess) <= 0.025
    assert all(points[:3] == [ticket.points for ticket in USA.tickets[:3]] for points in replays.played)


def test_more_points_may_do_harm_first_and_help_later() -> None:
    """A hard ticket is kept more often for more points, and failed; with far more it pays."""
    replays = Replays(USA, {3: lambda points: -0.02 if points > 25 else -0.09 if points < 14 else -0.2})
    (remedy,) = found(replays).each
    assert remedy.points is not None
    assert remedy.points > 25


def test_what_points_cannot_do_says_what_was_tried() -> None:
    (remedy,) = found(Replays(USA, {3: lambda points: 0.2})).each
    most = max(ticket.points for ticket in USA.tickets)
    assert (remedy.points, remedy.tried) == (None, (1, round(1.5 * most)))


def test_where_a_large_step_spoils_something_else_a_smaller_one_is_tried() -> None:
    printed = USA.tickets[3].points
    effects: Effects = {3: lambda points: 0.09 if points > printed - 2 else 0.01}
    (remedy,) = found(Replays(USA, effects, lambda points: points[3] < printed - 2)).each
    assert remedy.points == printed - 2


def test_points_that_make_something_else_miss_are_not_named() -> None:
    printed = USA.tickets[3].points
    replays = Replays(USA, {3: lambda points: 0.09 if points == printed else 0.0}, lambda points: points[3] < 10)
    (remedy,) = found(replays).each
    assert remedy.points is not None
    assert remedy.points >= 10


def test_tickets_of_a_small_deck_are_tried_together_and_all_remedies_once_more() -> None:
    long = [row for row, ticket in enumerate(EUROPE.tickets) if EUROPE.decks[ticket.deck].name == "long"]
    printed = {row: EUROPE.tickets[row].points for row in long}
    effects: Effects = {}
    for row in long[:2]:
        effects[row] = lambda points, row=row: 0.09 if points == printed[row] else 0.0  # type: ignore[misc]
    replays = Replays(EUROPE, effects)
    remedies = found(replays)
    assert {remedy.ticket for remedy in remedies.each} == set(long[:2])
    moved = [{row for row in long if points[row] != printed[row]} for points in replays.played]
    assert all(len(rows) == 2 for rows in moved)
    assert remedies.hold_together


def test_remedies_that_do_not_hold_together_are_not_offered_as_one_file() -> None:
    a, b = 3, 5
    effects: Effects = {
        row: lambda points, row=row: 0.09 if points == USA.tickets[row].points else 0.0 for row in (a, b)
    }  # type: ignore[misc]
    both = lambda points: all(points[row] != USA.tickets[row].points for row in (a, b))  # noqa: E731
    remedies = found(Replays(USA, effects, both))
    assert all(remedy.points is not None for remedy in remedies.each)
    assert not remedies.hold_together
