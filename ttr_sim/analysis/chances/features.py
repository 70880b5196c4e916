"""What a spectator who sees all hands and tickets would look at to say who is going to win."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.chances.claimed import ClaimedBoard
from ttr_sim.analysis.chances.courses import Courses, Floats, Snapshots, cards_gained, given_up_since, met_since
from ttr_sim.analysis.chances.ways_left import trains_left
from ttr_sim.analysis.columns import Ints
from ttr_sim.log import WILD_LETTER

NEAR = 4.0  # trains by which a ticket's nearness falls to a third
FAR = 12.0  # trains that a ticket out of reach counts for
UNSEEN = 5.0  # trains of a ticket that is yet to be drawn


class Moments:
    """Numbers of each seat at chosen steps: `looks` by step, seat and look; `clock` from 0 to 1, and whether the final
    round runs (`final`) by step."""

    def __init__(self, courses: Courses, steps: Ints) -> None:
        self.courses, self.steps = courses, steps
        self.board, self.at = ClaimedBoard(courses), Snapshots(courses, steps)
        trains = self.at.current("trains", courses.edition.trains)
        done = self.at.of_tickets(_worth(courses), met_since(courses))
        self.clock = self._clock(trains, done)
        self.final = _final_round(courses, trains).astype(float)
        looks = [*self._of_table(trains), *self._of_tickets(trains, done)]
        self.looks = np.stack([*looks, *self._of_turns(trains)], axis=2)

    def _clock(self, trains: Floats, done: Floats) -> Floats:
        """Return how much of the game is over: trains placed by who has fewest left, or a race's tickets."""
        edition = self.courses.edition
        placed = 1 - trains.min(axis=1) / edition.trains
        if edition.end.race_tickets is None:
            return np.asarray(placed)
        return np.asarray(np.maximum(placed, np.minimum(done.max(axis=1) / edition.end.race_tickets, 1.0)))

    def _of_table(self, trains: Floats) -> Iterator[Floats]:
        courses = self.courses
        if not courses.edition.is_race:
            yield self.at.current("score", 0.0) + self._stations()
            yield standing_bonuses(self.at)
        yield trains
        for wild in (False, True):
            gained = self.at.by_turn(cards_gained(courses, wild))
            yield gained + courses.dealt(WILD_LETTER if wild else "")[self.at.game]
        claims = courses.claims
        yield self.at.running(claims["game"], claims["turn"], claims["seat"], self.board.network_growth())

    def _stations(self) -> Floats | float:
        """Return the points of stations not built, up to what they began with."""
        stations = self.courses.edition.stations
        if stations is None:
            return 0.0
        return -stations.unused_points * self.at.by_turn(~np.isnan(self.courses.turns["city"]))

    def _of_tickets(self, trains: Floats, done: Floats) -> Iterator[Floats]:
        """Yield the worth of tickets completed, open, out of reach and near; and trains still to be placed for them."""
        courses, steps = self.courses, self.steps
        state, row = open_tickets(courses, steps)
        seat, ticket = (courses.tickets[name][row] for name in ("seat", "ticket"))
        left = trains_left(self.board, steps, state, seat, ticket)
        worth, within = _worth(courses)[row], left <= trains[state, seat]
        missing = np.where(within, left, 0.0)
        yield done
        if courses.edition.end.race_tickets is not None:
            ways = np.where(within, left, FAR)
            yield from _of_race(courses.edition.end.race_tickets - done, _nearest_two(ways, state, seat, done))
        holder, holders = state * courses.players + seat, len(steps) * courses.players
        for value in (worth * within, worth * ~within, worth * within * np.exp(-missing / NEAR), missing):
            total = np.bincount(holder, value, minlength=holders)
            yield np.asarray(total.reshape(-1, courses.players), float)

    def _of_turns(self, trains: Floats) -> Iterator[Floats]:
        """Yield who has moved in this round, who has a turn left in the final one, and who sits where."""
        courses, steps, players = self.courses, self.steps, self.courses.players
        taken = courses.turns_taken[steps]
        seats = np.arange(players)
        yield (seats < (taken % players)[:, None]).astype(float)
        yield _turn_left(self.at, trains)
        for seat in range(1, players):
            yield np.repeat((seats == seat)[None, :], len(steps), axis=0).astype(float)


def _nearest_two(ways: Floats, state: Ints, seat: Ints, table: Floats) -> Floats:
    """Return the trains left of each seat's nearest and second nearest open ticket, by state, seat and place."""
    nearest = np.full((*table.shape, 2), FAR)
    order = np.lexsort((ways, seat, state))
    holder = (state * table.shape[1] + seat)[order]
    first = np.searchsorted(holder, holder)
    place = np.arange(len(holder)) - first
    shown = place < 2
    nearest.reshape(-1, 2)[holder[shown], place[shown]] = ways[order][shown]
    return nearest


def _of_race(missing: Floats, nearest: Floats) -> Iterator[Floats]:
    """Yield how far each seat is from winning the race: trains for the tickets it still needs, how near that is, and
    how near the next ticket is, all the more when it is the last."""
    first, second = nearest[:, :, 0], nearest[:, :, 1]
    trains = first + np.where(missing > 1, second, 0.0) + UNSEEN * np.maximum(missing - 2, 0.0)
    next_one = np.exp(-first / NEAR)
    yield from (trains, np.exp(-trains / NEAR), next_one, next_one * (missing <= 1))


def _worth(courses: Courses) -> Floats:
    """Return what each kept ticket counts: its points, or one in a race."""
    if courses.edition.is_race:
        return np.ones(len(courses.tickets["ticket"]))
    points = np.array([ticket.points for ticket in courses.edition.tickets], float)
    return np.asarray(points[courses.tickets["ticket"]])


def open_tickets(courses: Courses, steps: Ints) -> tuple[Ints, Ints]:
    """Return pairs of a chosen step (its place among them) and a row of tickets held and not completed then."""
    game, offered, met = courses.tickets["game"], courses.tickets["turn"], met_since(courses)
    end = np.minimum(courses.lengths[game], np.minimum(met, given_up_since(courses)) + 1)
    low = np.searchsorted(steps, courses.starts[game] + offered + 1)
    count = np.maximum(np.searchsorted(steps, courses.starts[game] + end) - low, 0)
    row = np.repeat(np.arange(len(game)), count)
    return np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + low[row], row


def _final_round(courses: Courses, trains: Floats) -> NDArray[np.bool_]:
    """Return at which steps the final round runs, in which each player has one more turn."""
    few = courses.edition.end.trains_left
    return np.zeros(len(trains), bool) if few is None else np.asarray((trains <= few).any(axis=1))


def _turn_left(at: Snapshots, trains: Floats) -> Floats:
    """Return 1 for who still has a turn of a final round that runs; by step and seat."""
    courses = at.courses
    runs = _final_round(courses, trains)
    to_come = (courses.starts + courses.lengths - 1)[at.game] - at.steps
    mover = courses.turns_taken[at.steps] % courses.players  # who moves next
    wait = (np.arange(courses.players) - mover[:, None]) % courses.players
    return np.asarray((wait < to_come[:, None]) & runs[:, None], float)


def standing_bonuses(at: Snapshots) -> Floats:
    """Return the points that majorities and ranks would bring if the game ended at each step."""
    courses, edition = at.courses, at.courses.edition
    points = np.zeros((len(at.steps), courses.players))
    if edition.passengers is not None:
        for color in edition.passengers.colors:
            held = _passengers(at, edition.colors[color].letter)
            points += _majority(held, edition.passengers.most, edition.passengers.second)
    if edition.merchandise is not None:
        held = at.by_turn(courses.turns["merchandise"] == 1)
        places = np.array([*edition.merchandise.points[courses.players], 0], float)
        rank = (held[:, None, :] > held[:, :, None]).sum(axis=2)
        points += np.where(held > 0, places[np.minimum(rank, len(places) - 1)], 0.0)
    if edition.globetrotter is not None:
        met = at.of_tickets(np.ones(len(courses.tickets["ticket"])), met_since(courses))
        points += edition.globetrotter.points * ((met == met.max(axis=1, keepdims=True)) & (met > 0))
    return points


def _passengers(at: Snapshots, letter: str) -> Floats:
    taken = sum((at.courses.turns[name] == letter).astype(float) for name in ("passenger1", "passenger2"))
    return at.by_turn(np.asarray(taken))


def _majority(held: Floats, most: int, second: int) -> Floats:
    """Return points for most, all tied players alike; for second most when nobody is tied for most."""
    top = held.max(axis=1, keepdims=True)
    leads = (held == top) & (held > 0)
    rest = np.where(leads, -1.0, held)
    follows = (rest == rest.max(axis=1, keepdims=True)) & (rest > 0) & (leads.sum(axis=1, keepdims=True) == 1)
    return np.asarray(most * leads + second * follows, float)
