"""States of logged games at chosen moments, and the features of each seat that predict the winner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import network

# A question for moments gives game, block, turns of the game, and step, the number of turns that are over.
MOMENT = """
WITH moment AS MATERIALIZED (
    SELECT *, (row_number() OVER (ORDER BY game, step) - 1)::INT AS state FROM ({moments})
)"""
# Cards of a tunnel that was given up go back to the hand, so only claims and stations pay.
SEATS = """
SELECT state, held.seat, win_share, coalesce(min(own.trains), $trains) AS trains,
    coalesce(arg_max(own.score, turn), 0) AS score,
    length(hand) + count(nullif(card1, '')) + count(nullif(card2, ''))
        - coalesce(sum(cards) FILTER (claimed IS NOT false), 0) AS cards,
    length(hand) - length(replace(hand, '*', '')) + count(*) FILTER (card1 = '*') + count(*) FILTER (card2 = '*')
        - coalesce(sum(wilds) FILTER (claimed IS NOT false), 0) AS wilds,
    count(city) AS stations, count(*) FILTER (own.merchandise) AS merchandise{passengers}
FROM moment JOIN seats AS held USING (game)
LEFT JOIN turns AS own ON own.game = moment.game AND own.seat = held.seat AND turn < step
GROUP BY state, held.seat, win_share, hand ORDER BY state, held.seat"""
PASSENGERS = ",\n    count(*) FILTER (passenger1 = '{0}') + count(*) FILTER (passenger2 = '{0}') AS passengers_{0}"
# First Journey's discard gives up all tickets that the seat holds by then.
TICKETS = """
SELECT state, seat, ticket, done FROM (
    SELECT *, coalesce(completed_turn >= 0 AND completed_turn < step, false) AS done
    FROM moment JOIN tickets USING (game) WHERE kept AND turn < step
) AS held
ANTI JOIN (SELECT game, seat, turn AS discard FROM turns WHERE action = 'discard') AS given_up
ON NOT done AND held.game = given_up.game AND held.seat = given_up.seat AND turn < discard AND discard < step
ORDER BY state, seat, turn, ticket"""
CLAIMS = "SELECT state, seat, route FROM moment JOIN turns USING (game) WHERE turn < step AND claimed"

CUT_OFF = 1_000  # trains of a way that others have closed
BENDS = 3  # degree of the weights as functions of the clock
NEAR = 4.0  # trains by which the nearness of the next ticket of a race falls to a third
FAR = 12.0  # trains that an unreachable ticket counts for in a race


@dataclass(frozen=True)
class States:
    """The games at some moments. A connection is all parallel routes together."""

    edition: Edition
    moments: pd.DataFrame  # one row per state: game, block, turns, step
    seats: dict[str, Floats]  # numbers by state and seat
    tickets: pd.DataFrame  # kept ones by state, with `done` for completed ones
    owned: NDArray[np.bool_]  # by connection, state and seat
    closed: NDArray[np.bool_]  # connections that nobody can claim any more, by state

    @classmethod
    def read(cls, log: Database, moments: str) -> States:
        """Read the states at the moments that a question lists."""
        edition, moment = log.edition, MOMENT.format(moments=moments)
        listed = log.frame(f"{moment} SELECT * EXCLUDE state FROM moment ORDER BY state")
        colors = edition.passengers.colors if edition.passengers else ()
        passengers = "".join(PASSENGERS.format(edition.colors[color].letter) for color in colors)
        seats = log.frame(moment + SEATS.format(passengers=passengers), {"trains": edition.trains})
        numbers = {str(name): seats[name].to_numpy(float).reshape(len(listed), -1) for name in seats}
        players = numbers["seat"].shape[1]
        claims = log.frame(moment + CLAIMS)
        groups = np.array([route.group for route in edition.routes])
        state, connection = claims["state"].to_numpy(), groups[claims["route"].to_numpy(np.int64)]
        lanes = np.ones(groups.max() + 1) if players <= edition.closed_up_to_players else np.bincount(groups)
        owned = np.zeros((len(lanes), len(listed), players), bool)
        owned[connection, state, claims["seat"].to_numpy()] = True
        taken = np.bincount(connection * len(listed) + state, minlength=len(lanes) * len(listed))
        closed = taken.reshape(len(lanes), -1) >= lanes[:, None]
        return cls(edition, listed, numbers, log.frame(moment + TICKETS), owned, closed)

    def open_tickets(self) -> tuple[NDArray[np.int64], ...]:
        """State, seat and ticket of tickets that are held but not completed."""
        tickets = self.tickets[~self.tickets["done"]]
        return tuple(tickets[name].to_numpy(np.int64) for name in ("state", "seat", "ticket"))

    def trains_left(self) -> Floats:
        """Fewest trains that complete each open ticket (infinite when cut off)."""
        state, seat, ticket = self.open_tickets()
        connections = network(self.edition).connections
        lengths = np.array([each.length for each in connections], np.uint16)[:, None]
        costs = np.where(self.closed[:, state], np.uint16(CUT_OFF), lengths)
        costs[self.owned[:, state, seat]] = 0
        trains, left = np.full((len(self.edition.cities), len(state)), CUT_OFF, np.uint16), np.empty(len(state))
        rows = {number: np.flatnonzero(ticket == number) for number in np.unique(ticket)}
        for number, at in rows.items():
            trains[np.ix_(self.edition.tickets[number].a_cities, at)] = 0
        self._relax(trains, costs)
        for number, at in rows.items():
            left[at] = trains[np.ix_(self.edition.tickets[number].b_cities, at)].min(axis=0)
        return np.where(left < CUT_OFF, left, np.inf)

    def largest_networks(self) -> Floats:
        """Trains on the largest connected network of each seat."""
        owned = self.owned.reshape(len(self.owned), -1)
        # Cities of one network get the least of their numbers as its label.
        cities, pairs = len(self.edition.cities), owned.shape[1]
        label = np.repeat(np.arange(cities, dtype=np.uint16)[:, None], pairs, axis=1)
        self._relax(label, np.where(owned, np.uint16(0), np.uint16(CUT_OFF)))
        trains = np.zeros((cities, pairs))
        for each, own in zip(network(self.edition).connections, owned, strict=True):
            trains[label[each.a], np.arange(pairs)] += own * each.length
        return np.asarray(trains.max(axis=0).reshape(self.owned.shape[1:]))

    def _relax(self, values: NDArray[np.uint16], costs: NDArray[np.uint16]) -> None:
        """Lower the values of cities over all connections until none changes (Bellman and Ford)."""
        before = None
        while before is None or not np.array_equal(values, before):
            before = values.copy()
            for each, cost in zip(network(self.edition).connections, costs, strict=True):
                np.minimum(values[each.a], values[each.b] + cost, out=values[each.a])
                np.minimum(values[each.b], values[each.a] + cost, out=values[each.b])

    def features(self) -> tuple[Floats, Floats]:
        """Features by state and seat, and the weights of phases by state."""
        edition, trains, tickets = self.edition, self.seats["trains"], self.tickets
        states, players = trains.shape
        worth = np.array([1.0 if edition.is_race else ticket.points for ticket in edition.tickets])
        holder = (tickets["state"] * players + tickets["seat"]).to_numpy()
        completed = tickets["done"].to_numpy()
        met = np.bincount(holder[completed], minlength=trains.size).reshape(trains.shape)
        points = worth[tickets["ticket"]] * completed
        done: Floats = np.bincount(holder, points, trains.size).reshape(trains.shape).astype(float)
        clock = 1 - trains.min(axis=1) / edition.trains
        if edition.end.race_tickets is not None:
            clock = np.maximum(clock, np.minimum(done.max(axis=1) / edition.end.race_tickets, 1.0))
        last_trains = -1 if edition.end.trains_left is None else edition.end.trains_left
        is_final = np.asarray((trains <= last_trains).any(axis=1))
        phases = np.column_stack([*(clock**power for power in range(BENDS + 1)), is_final])
        # Within a round, a seat that has not moved yet is a turn behind.
        has_moved = np.arange(players) < self.moments["step"].to_numpy()[:, None] % players
        table = [trains, done, self.seats["cards"], self.seats["wilds"], has_moved]
        table += [np.tile(seat, (states, 1)) for seat in np.eye(players)[1:]]
        if not edition.is_race:
            unused = edition.stations.unused_points if edition.stations else 0
            table += [self.seats["score"] - unused * self.seats["stations"], self.standing_bonuses(met)]
        return np.stack([*table, self.largest_networks(), *self.reach(worth, done)], axis=2), phases

    def standing_bonuses(self, completed: NDArray[np.int64]) -> Floats:
        """Points of majorities and ranks if the game ended now."""
        edition, players = self.edition, completed.shape[1]
        ranked: list[tuple[Floats, Sequence[int]]] = []
        if edition.passengers:
            for color in edition.passengers.colors:
                held = self.seats[f"passengers_{edition.colors[color].letter}"]
                ranked.append((held, (edition.passengers.most, edition.passengers.second)))
        if edition.merchandise:
            ranked.append((self.seats["merchandise"], edition.merchandise.points[players]))
        if edition.globetrotter:
            ranked.append((completed.astype(float), (edition.globetrotter.points,)))
        bonuses: Floats = np.zeros(completed.shape)
        for held, points in ranked:
            # Seats of equal rank score the same, and the next rank falls out: second only where one is first.
            rank = (held[:, None, :] > held[:, :, None]).sum(axis=2)
            bonuses += np.where(held > 0, np.array([*points, 0.0])[np.minimum(rank, len(points))], 0.0)
        return bonuses

    def reach(self, worth: Floats, done: Floats) -> list[Floats]:
        """Worth and missing trains of open tickets by state and seat."""
        (state, seat, ticket), trains = self.open_tickets(), self.seats["trains"]
        left = self.trains_left()
        in_reach, value = left <= trains[state, seat], worth[ticket]
        holder, features = state * trains.shape[1] + seat, list[Floats]()
        for each in (value * in_reach, value * ~in_reach, np.where(in_reach, left, 0.0)):
            features.append(np.bincount(holder, each, trains.size).reshape(trains.shape).astype(float))
        if self.edition.end.race_tickets is not None:
            nearest = np.full(trains.size, FAR)
            np.minimum.at(nearest, holder[in_reach], left[in_reach])
            features.append(np.exp(-nearest / NEAR).reshape(trains.shape))
        return features
