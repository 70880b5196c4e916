"""Scoring the games of a log again with other points on the tickets: what a change of points would do if nobody played
otherwise because of it.

Exact for the games as they were played: scores, tie-breaks and shared wins follow the edition's rules. Players answer
to new points, mostly in the same direction, so it is a prediction; a replay gives the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ttr_sim.analysis.columns import Column, Columns, Ints, chosen_columns, read_columns, with_places
from ttr_sim.analysis.expectation import DECK_BITS
from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.verdicts import classes
from ttr_sim.edition.model import Edition
from ttr_sim.run.opened import Run

TICKET_COLUMNS = ("game", "seat", "turn", "ticket", "kept", "completed")
TIE_BREAKS = {
    "tickets": ("tickets_completed", "bonus_ticket"),
    "stations": ("stations_left",),
    "passengers": ("passengers",),
    "longest_path": ("longest_path",),
}


@dataclass(frozen=True)
class ScoredGames:
    """The finished games of one player count, by game and seat."""

    scores: Ints
    tie_breaks: tuple[Ints, ...]  # more is better, the first decides first
    kept: Ints  # (place in `scores.ravel()`, ticket) of every ticket kept to the end
    signs: Ints  # what a point more on it adds to the score
    dealt: Ints  # likewise, of every ticket dealt at setup
    strata: Ints  # by place: seats that are compared

    @cached_property
    def printed(self) -> Floats:
        """Return by place the share of the win as the games ended."""
        return self._shares(np.arange(len(self.scores)), self.scores).ravel()

    @cached_property
    def _kept_by_ticket(self) -> tuple[Ints, Ints]:
        """Return the tickets kept in the order of their numbers: where each stands in `kept`, and its number."""
        order = np.argsort(self.kept[1], kind="stable")
        return order, self.kept[1][order]

    def wins(self, more: Ints) -> Floats:
        """Return by place the share of the win when each ticket has so many points more: only games in which somebody
        kept a ticket that changed are scored again."""
        at = self._kept_of(np.flatnonzero(more))
        players = self.scores.shape[1]
        place, change = self.kept[0][at], self.signs[at] * more[self.kept[1][at]]
        games, game = np.unique(place // players, return_inverse=True)
        added = np.bincount(game * players + place % players, change, games.size * players).astype(np.int64)
        shares = self.printed.copy().reshape(self.scores.shape)
        shares[games] = self._shares(games, self.scores[games] + added.reshape(-1, players))
        return shares.ravel()

    def _kept_of(self, tickets: Ints) -> Ints:
        """Return where these tickets stand in `kept`."""
        order, number = self._kept_by_ticket
        bounds = zip(*(np.searchsorted(number, tickets, side) for side in ("left", "right")), strict=True)
        return np.concatenate([np.zeros(0, np.int64), *(order[first:end] for first, end in bounds)])

    def _shares(self, games: Ints, scores: Ints) -> Floats:
        """Return the shares of the win in these games, with these scores."""
        first = scores == scores.max(axis=1, keepdims=True)
        for key in self.tie_breaks:
            of_games = key[games]
            best = np.where(first, of_games, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
            first &= of_games == best
        shares: Floats = first / first.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def _seats_compared(self) -> Ints:
        return np.maximum(np.bincount(self.strata), 1)

    def times_dealt(self, tickets: int) -> Floats:
        return np.bincount(self.dealt[1], minlength=tickets).astype(np.float64)

    def effects(self, more: Ints) -> Floats:
        """Return by ticket the wins of the seats dealt it less the mean of their stratum, in all."""
        wins = self.wins(more)
        means = np.bincount(self.strata, wins) / self._seats_compared
        left = (wins - means[self.strata])[self.dealt[0]]
        return np.bincount(self.dealt[1], left, len(more)).astype(np.float64)


class Rescoring:
    """The games of one board at all its player counts, to be scored again with other points."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.edition = runs[0].edition
        self.games = [_games_of(run) for run in runs]
        self.printed = np.array([ticket.points for ticket in self.edition.tickets])
        # Kept as they are: a class that jumps with a single point would look like what the point is worth.
        facts = ticket_facts(self.edition)
        self.trains = facts["trains"].to_numpy(float)
        by_name = classes(facts, self.edition.is_race) + facts["deck"].to_numpy(object)
        self._classes = np.unique(by_name.astype(str), return_inverse=True)[1]
        self._dealt = np.sum([games.times_dealt(len(self.printed)) for games in self.games], axis=0)

    def excess(self, points: Sequence[int] | Ints) -> Floats:
        """Return what each ticket gives beyond its class, in shares of a win, with these points on all tickets."""
        more = np.asarray(points) - self.printed
        left = np.sum([games.effects(more) for games in self.games], axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            excess: Floats = left / self._dealt - self._by_class(left) / self._by_class(self._dealt)
        return excess

    def _by_class(self, values: Floats) -> Floats:
        return np.asarray(np.bincount(self._classes, values)[self._classes], np.float64)


def _games_of(run: Run) -> ScoredGames:
    tie_breaks = [column for name in run.edition.tie_breaks for column in TIE_BREAKS[name]]
    seats = read_columns(run, "seats", list(dict.fromkeys(["game", "seat", "score", *tie_breaks])))
    seats = chosen_columns(seats, np.lexsort((seats["seat"], seats["game"])))
    shape = (-1, run.plan.players)
    games = seats["game"][:: run.plan.players]  # with gaps, where a part is missing
    tickets = with_places(read_columns(run, "tickets", TICKET_COLUMNS), games)
    place = tickets["game"] * run.plan.players + tickets["seat"]
    ticket, kept, completed = tickets["ticket"].astype(np.int64), tickets["kept"] == 1, tickets["completed"] == 1
    failed = -1 if run.edition.ticket_rules.failed_subtract else 0
    dealt = tickets["turn"] == -1
    return ScoredGames(
        seats["score"].astype(np.int64).reshape(shape),
        tuple(_tie_break(name, seats, run.plan.players).reshape(shape) for name in run.edition.tie_breaks),
        np.stack([place, ticket])[:, kept],
        np.where(completed, 1, failed)[kept],
        np.stack([place, ticket])[:, dealt],
        _strata(run.edition, run.plan.players, len(seats["seat"]), place[dealt], ticket[dealt]),
    )


def _tie_break(name: str, seats: Columns, players: int) -> Ints:
    """Return by place a number of which more is better, as `engine.scoring` has it."""
    if name == "tickets":
        return np.asarray(_whole(seats["tickets_completed"]) + (seats["bonus_ticket"] == 1), np.int64)
    if name == "stations":
        return _whole(seats["stations_left"])
    if name == "passengers":
        return np.array([len(letters or "") for letters in seats["passengers"]], np.int64)
    longest = _whole(seats["longest_path"]).reshape(-1, players)
    return np.asarray((longest > 0) & (longest == longest.max(axis=1, keepdims=True)), np.int64).ravel()


def _whole(column: Column) -> Ints:
    """Return numbers, with 0 for what does not apply."""
    return np.nan_to_num(column).astype(np.int64)


def _strata(edition: Edition, players: int, places: int, place: Ints, ticket: Ints) -> Ints:
    """Number seats by their place in turn order and, where mixes are announced, by the decks dealt to them."""
    seat = np.arange(places) % players
    if not edition.ticket_rules.mix:
        return seat
    decks = np.array([ticket.deck for ticket in edition.tickets])
    mixes = np.bincount(place, 1 << (DECK_BITS * decks[ticket]), places).astype(np.int64)
    distinct: Ints = np.unique(mixes * players + seat, return_inverse=True)[1]
    return distinct
