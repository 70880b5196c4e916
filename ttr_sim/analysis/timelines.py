"""Logged games step by step, and the features of each seat that predict the winner.

A game of T turns has T + 1 steps, the first after setup. The steps of all games follow one another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import network
from ttr_sim.run.read import Run

Ints = NDArray[np.int64]

GAMES = "SELECT game, block, turns FROM games ORDER BY game LIMIT $count OFFSET $first"
SEATS = """
    SELECT game, seat, win_share, length(hand) AS cards, length(hand) - length(replace(hand, '*', '')) AS wilds
    FROM seats WHERE game BETWEEN $low AND $high ORDER BY game, seat
"""
# Cards of a tunnel that was given up go back to the hand, so only claims and stations pay.
TURNS = """
    SELECT game, turn, seat, wanted_by, CASE WHEN claimed THEN route END AS claimed,
        score - coalesce(lag(score) OVER own, 0) AS score,
        trains - coalesce(lag(trains) OVER own, $trains) AS trains,
        (coalesce(card1, '') <> '')::INT + (coalesce(card2, '') <> '')::INT
            - CASE WHEN coalesce(claimed, true) THEN coalesce(cards, 0) ELSE 0 END AS cards,
        (coalesce(card1, '') = '*')::INT + (coalesce(card2, '') = '*')::INT
            - CASE WHEN coalesce(claimed, true) THEN coalesce(wilds, 0) ELSE 0 END AS wilds,
        (city IS NOT NULL)::INT AS station, coalesce(merchandise, false)::INT AS merchandise, passenger1, passenger2
    FROM turns WHERE game BETWEEN $low AND $high
    WINDOW own AS (PARTITION BY game, seat ORDER BY turn) ORDER BY game, turn
"""
# First Journey's discard gives up all tickets that the seat holds by then.
TICKETS = """
    SELECT game, seat, ticket, turn, min(discard) FILTER (discard > turn) AS discarded,
        CASE WHEN completed_turn >= 0 THEN greatest(completed_turn, turn) END AS completed
    FROM (SELECT * FROM tickets WHERE kept AND game BETWEEN $low AND $high)
    LEFT JOIN (SELECT game, seat, turn AS discard FROM turns WHERE action = 'discard' AND game BETWEEN $low AND $high)
        USING (game, seat)
    GROUP BY ALL ORDER BY game, seat, turn, ticket
"""
NEVER = np.iinfo(np.int64).max // 2
CUT_OFF = 1_000  # trains of a way that others have closed
STEPS_AT_ONCE = 4_000  # for which ways are searched: more cost memory
KNOTS = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 0.95])  # of the clock, from 0 to 1: weights are linear between them
NEAR = 4.0  # trains by which the nearness of the next ticket of a race falls to a third
FAR = 12.0  # trains that an unreachable ticket counts for in a race
UNSEEN = 5.0  # trains of a ticket that is yet to be drawn


@dataclass(frozen=True)
class GameTimelines:
    """Rows of the log with `game` as an index from 0 and `step`, the step from which a row holds."""

    edition: Edition
    players: int
    games: pd.DataFrame
    turns: pd.DataFrame
    tickets: pd.DataFrame  # kept ones, with the steps when they are `completed` and when they are `closed`
    claims: pd.DataFrame  # turns with a claim; a connection is all parallel routes together
    hands: Floats  # cards and wilds as dealt, by game, seat and kind
    wins: Floats  # shares of the win by game and seat
    lengths: Ints  # steps by game
    starts: Ints  # first step by game
    game_of_step: Ints

    @classmethod
    def read(cls, run: Run, first: int, count: int) -> GameTimelines:
        """Read some of the finished games of a run, by their order."""
        with Database([run]) as log:
            games = log.frame(GAMES, {"first": first, "count": count})
            lengths = games["turns"].to_numpy(np.int64) + 1
            starts = np.cumsum(lengths) - lengths
            bounds = {"low": int(games["game"].min()), "high": int(games["game"].max())}
            tables = []
            for question in (SEATS, TURNS, TICKETS):
                rows = log.frame(question.replace("$trains", str(run.edition.trains)), bounds)
                game = np.searchsorted(games["game"], rows["game"])
                tables.append(rows.assign(game=game, start=starts[game]))
        seats, turns, tickets = tables
        for rows in (turns, tickets):
            rows["step"] = rows["start"] + rows["turn"] + 1
        for name in ("completed", "discarded"):
            tickets[name] = (tickets["start"] + tickets[name] + 1).fillna(NEVER).astype(np.int64)
        ends = tickets["start"] + lengths[tickets["game"]]
        tickets["closed"] = np.minimum.reduce([tickets["completed"], tickets["discarded"], ends])
        # A tunnel that was given up is no claim.
        claims = turns.dropna(subset=["claimed"])
        groups = np.array([route.group for route in run.edition.routes])
        claims = claims.assign(connection=groups[claims["claimed"].to_numpy(np.int64)])
        players, game_of_step = run.plan.players, np.repeat(np.arange(len(games)), lengths)
        hands = seats[["cards", "wilds"]].to_numpy(float).reshape(-1, players, 2)
        wins = seats["win_share"].to_numpy(float).reshape(-1, players)
        return cls(run.edition, players, games, turns, tickets, claims, hands, wins, lengths, starts, game_of_step)

    def turns_taken(self, steps: Ints) -> Ints:
        return np.asarray(steps - self.starts[self.game_of_step[steps]])

    def running(self, steps: Ints, rows: pd.DataFrame, change: ArrayLike, since: str = "step") -> Floats:
        """Sum changes from their steps on, within each game, by chosen step and seat."""
        cells, size = rows[since] * self.players + rows["seat"], self.lengths.sum() * self.players
        totals = np.bincount(cells, np.asarray(change), size).reshape(-1, self.players).cumsum(axis=0)
        # The sums run on over all games, so those of earlier games are taken off again.
        before = np.vstack([np.zeros(self.players), totals])[self.starts]
        return np.asarray(totals[steps] - before[self.game_of_step[steps]])

    def open_tickets(self, steps: Ints) -> tuple[Ints, Ints]:
        """Pairs (step index, ticket row) of tickets held but not yet completed."""
        low, high = (np.searchsorted(steps, self.tickets[name]) for name in ("step", "closed"))
        count = np.maximum(high - low, 0)
        row = np.repeat(np.arange(len(count)), count)
        return np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + low[row], row


class Connections:
    """Connections of the board, and the steps since when they are owned or closed."""

    def __init__(self, timelines: GameTimelines) -> None:
        self.edition, self.players, self.game_of_step = timelines.edition, timelines.players, timelines.game_of_step
        self.each, claims = network(self.edition).connections, timelines.claims
        self.lengths = np.array([each.length for each in self.each], np.uint16)
        game, connection, step = (claims[name].to_numpy() for name in ("game", "connection", "step"))
        self.own_since = np.full((len(self.each), len(timelines.games) * self.players), NEVER)
        self.own_since[connection, game * self.players + claims["seat"].to_numpy()] = step
        self.closed_since = np.full((len(self.each), len(timelines.games)), NEVER)
        self.closed_since[connection, game] = step  # claims are in order, so the last one remains
        all_close = self.players <= self.edition.closed_up_to_players
        lanes = np.array([1 if all_close else len(each.routes) for each in self.each])
        taken = np.bincount(connection * len(timelines.games) + game, minlength=self.closed_since.size)
        self.closed_since[taken.reshape(self.closed_since.shape) < lanes[:, None]] = NEVER

    def trains_left(self, step: Ints, seat: Ints, ticket: Ints) -> Floats:
        """Fewest trains that complete a ticket (infinite when cut off)."""
        game = self.game_of_step[step]
        costs = np.where(self.closed_since[:, game] <= step, np.uint16(CUT_OFF), self.lengths[:, None])
        costs[self.own_since[:, game * self.players + seat] <= step] = 0
        left, far = np.empty(len(step)), np.full((len(self.edition.cities), len(step)), CUT_OFF, np.uint16)
        rows = {number: np.flatnonzero(ticket == number) for number in np.unique(ticket)}
        for number, at in rows.items():
            far[np.ix_(self.edition.tickets[number].a_cities, at)] = 0
        self._relax(far, costs)
        for number, at in rows.items():
            left[at] = far[np.ix_(self.edition.tickets[number].b_cities, at)].min(axis=0)
        return np.where(left < CUT_OFF, left, np.inf)

    def largest_networks(self, steps: Ints) -> Floats:
        """Trains on the largest connected network of each seat, by step and seat."""
        seats = self.game_of_step[steps][:, None] * self.players + np.arange(self.players)
        owned = self.own_since[:, seats.ravel()] <= np.repeat(steps, self.players)
        # Cities of one network get the least of their numbers as its label.
        cities, pairs = len(self.edition.cities), owned.shape[1]
        label = np.repeat(np.arange(cities, dtype=np.uint16)[:, None], pairs, axis=1)
        self._relax(label, np.where(owned, np.uint16(0), np.uint16(CUT_OFF)))
        trains = np.zeros((cities, pairs))
        for each, own in zip(self.each, owned, strict=True):
            trains[label[each.a], np.arange(pairs)] += own * each.length
        return np.asarray(trains.max(axis=0).reshape(-1, self.players))

    def _relax(self, values: NDArray[np.uint16], costs: NDArray[np.uint16]) -> None:
        """Lower the values of cities over all connections until none changes (Bellman and Ford)."""
        before = None
        while before is None or not np.array_equal(values, before):
            before = values.copy()
            for each, cost in zip(self.each, costs, strict=True):
                np.minimum(values[each.a], values[each.b] + cost, out=values[each.a])
                np.minimum(values[each.b], values[each.a] + cost, out=values[each.b])


def seat_features(timelines: GameTimelines, steps: Ints) -> tuple[Floats, Floats]:
    """Features by step and seat, and the weights of phases by step."""
    edition, players, tickets = timelines.edition, timelines.players, timelines.tickets
    trains = edition.trains + timelines.running(steps, timelines.turns, timelines.turns["trains"])
    completed = tickets[tickets["completed"] < NEVER]
    worth = np.array([1.0 if edition.is_race else ticket.points for ticket in edition.tickets])
    done = timelines.running(steps, completed, worth[completed["ticket"]], "completed")
    clock = 1 - trains.min(axis=1) / edition.trains
    if edition.end.race_tickets is not None:
        clock = np.maximum(clock, np.minimum(done.max(axis=1) / edition.end.race_tickets, 1.0))
    last_trains = -1 if edition.end.trains_left is None else edition.end.trains_left
    is_final = np.asarray((trains <= last_trains).any(axis=1))
    phases = np.column_stack([*(np.interp(clock, KNOTS, row) for row in np.eye(len(KNOTS))), is_final])
    connections, board = Connections(timelines), []
    # Ways are searched a few thousand steps at a time, as each needs a column for every seat.
    for some in np.array_split(np.arange(len(steps)), len(steps) // STEPS_AT_ONCE + 1):
        board.append(board_features(timelines, connections, steps[some], trains[some], done[some], worth))
    # Within a round, a seat that has not moved yet is a turn behind. In the final one, not all have a turn left.
    order, mover = np.arange(players), timelines.turns_taken(steps)[:, None] % players
    game = timelines.game_of_step[steps, None]
    turns_to_come = timelines.starts[game] + timelines.lengths[game] - 1 - steps[:, None]
    has_turn_left = ((order - mover) % players < turns_to_come) & is_final[:, None]
    table: list[np.ndarray] = [trains, done]
    for kind, name in enumerate(("cards", "wilds")):
        dealt = timelines.hands[timelines.game_of_step[steps], :, kind]
        table.append(dealt + timelines.running(steps, timelines.turns, timelines.turns[name]))
    if not edition.is_race:
        table += [*points_so_far(timelines, steps, completed)]
    seats = [np.tile(seat, (len(steps), 1)) for seat in np.eye(players)[1:]]
    table += [order < mover, has_turn_left, *seats]
    return np.concatenate([np.stack(table, axis=2), np.concatenate(board)], axis=2), phases


def points_so_far(timelines: GameTimelines, steps: Ints, completed: pd.DataFrame) -> tuple[Floats, Floats]:
    """Points of routes and stations, and the bonuses as if the game ended now."""
    edition, turns = timelines.edition, timelines.turns
    score = timelines.running(steps, turns, turns["score"])
    if edition.stations is not None:
        score = score - edition.stations.unused_points * timelines.running(steps, turns, turns["station"])
    bonuses: Floats = np.zeros(score.shape)
    if edition.passengers is not None:
        for color in edition.passengers.colors:
            letter = edition.colors[color].letter
            taken = (turns["passenger1"] == letter).astype(float) + (turns["passenger2"] == letter)
            held = timelines.running(steps, turns, taken)
            leads = (held == held.max(axis=1, keepdims=True)) & (held > 0)
            rest = np.where(leads, -1.0, held)
            # Second most scores only where no players are tied for most.
            follows = (rest == rest.max(axis=1, keepdims=True)) & (rest > 0) & (leads.sum(axis=1, keepdims=True) == 1)
            bonuses += edition.passengers.most * leads + edition.passengers.second * follows
    if edition.merchandise is not None:
        held = timelines.running(steps, turns, turns["merchandise"])
        places = np.array([*edition.merchandise.points[timelines.players], 0], float)
        rank = (held[:, None, :] > held[:, :, None]).sum(axis=2)
        bonuses += np.where(held > 0, places[np.minimum(rank, len(places) - 1)], 0.0)
    if edition.globetrotter is not None:
        met = timelines.running(steps, completed, np.ones(len(completed)), "completed")
        bonuses += edition.globetrotter.points * ((met == met.max(axis=1, keepdims=True)) & (met > 0))
    return score, bonuses


def board_features(
    timelines: GameTimelines, connections: Connections, steps: Ints, trains: Floats, done: Floats, worth: Floats
) -> Floats:
    """Largest networks, and worth and missing trains of open tickets."""
    state, row = timelines.open_tickets(steps)
    seat, ticket = (timelines.tickets[name].to_numpy()[row] for name in ("seat", "ticket"))
    left = connections.trains_left(steps[state], seat, ticket)
    in_reach, value = left <= trains[state, seat], worth[ticket]
    holder = state * timelines.players + seat
    features = [connections.largest_networks(steps)]
    for each in (value * in_reach, value * ~in_reach, np.where(in_reach, left, 0.0)):
        features.append(np.bincount(holder, each, done.size).reshape(done.shape).astype(np.float64))
    race_tickets = timelines.edition.end.race_tickets
    if race_tickets is not None:
        # Trains for the tickets still needed, and how near the next one is, all the more when it is the last.
        ways = np.where(in_reach, left, FAR)
        order = np.lexsort((ways, holder))
        place = np.arange(len(order)) - np.searchsorted(holder[order], holder[order])
        nearest = np.full((2, done.size), FAR)
        for rank in (0, 1):
            nearest[rank, holder[order][place == rank]] = ways[order][place == rank]
        first, second = nearest.reshape(2, *done.shape)
        needed = race_tickets - done
        to_go = first + np.where(needed > 1, second, 0.0) + UNSEEN * np.maximum(needed - 2, 0.0)
        next_one = np.exp(-first / NEAR)
        features += [to_go, np.exp(-to_go / NEAR), next_one, next_one * (needed <= 1)]
    return np.stack(features, axis=2)
