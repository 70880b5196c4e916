"""Scoring the games of a log again with other points on the tickets: what a change of points would do if nobody played
otherwise because of it.

Exact for the games as they were played: scores, tie-breaks and shared wins follow the edition's rules. Players answer
to new points, mostly in the same direction, so it is a prediction; a replay gives the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.verdicts import classes
from ttr_sim.edition.model import Edition
from ttr_sim.run.opened import Run

Ints = NDArray[np.int64]

DECK_BITS = 4  # of a mix of tickets, as in analysis.source


@dataclass(frozen=True)
class ScoredGames:
    """The finished games of one player count, by game and seat."""

    scores: Ints
    tie_breaks: tuple[Ints, ...]  # more is better, the first decides first
    kept: Ints  # (place in `scores.ravel()`, ticket) of every ticket kept to the end
    signs: Ints  # what a point more on it adds to the score
    dealt: Ints  # likewise, of every ticket dealt at setup
    strata: Ints  # by place: seats that are compared

    def wins(self, more: Ints) -> Floats:
        """Return by place the share of the win when each ticket has so many points more."""
        change = np.bincount(self.kept[0], self.signs * more[self.kept[1]], minlength=self.scores.size)
        scores = self.scores + change.reshape(self.scores.shape).astype(np.int64)
        first = scores == scores.max(axis=1, keepdims=True)
        for key in self.tie_breaks:
            best = np.where(first, key, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
            first &= key == best
        shares: Floats = (first / first.sum(axis=1, keepdims=True)).ravel()
        return shares

    def effects(self, more: Ints, tickets: int) -> tuple[Floats, Floats]:
        """Return by ticket the wins of the seats dealt it less the mean of their stratum, in all, and those seats."""
        wins = self.wins(more)
        means = np.bincount(self.strata, wins) / np.maximum(np.bincount(self.strata), 1)
        left = (wins - means[self.strata])[self.dealt[0]]
        seats: Floats = np.bincount(self.dealt[1], minlength=tickets).astype(np.float64)
        return np.asarray(np.bincount(self.dealt[1], left, tickets), np.float64), seats


class Rescoring:
    """The games of one board at all its player counts, to be scored again with other points."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.edition = runs[0].edition
        self.games = [_games_of(run) for run in runs]
        self.printed = np.array([ticket.points for ticket in self.edition.tickets])
        # Kept as they are: a class that jumps with a single point would look like what the point is worth.
        facts = ticket_facts(self.edition)
        self.trains = facts["trains"].to_numpy(float)
        self._classes = pd.Series(classes(facts, self.edition.is_race), dtype=object) + facts["deck"]

    def excess(self, points: Sequence[int] | Ints) -> Floats:
        """Return what each ticket gives beyond its class, in shares of a win, with these points on all tickets."""
        more = np.asarray(points) - self.printed
        parts = [games.effects(more, len(self.printed)) for games in self.games]
        left, dealt = (np.sum([part[side] for part in parts], axis=0) for side in (0, 1))
        class_left, class_dealt = (self._by_class(values) for values in (left, dealt))
        with np.errstate(invalid="ignore", divide="ignore"):
            excess: Floats = left / dealt - class_left / class_dealt
        return excess

    def _by_class(self, values: Floats) -> Floats:
        return pd.Series(values).groupby(self._classes).transform("sum").to_numpy(float)


def _games_of(run: Run) -> ScoredGames:
    columns = ["game", "seat", "score", "tickets_completed", "bonus_ticket", "longest_path", "stations_left"]
    seats = run.seats([*columns, "passengers"]).sort_values(["game", "seat"])
    shape = (-1, run.plan.players)
    scores = seats["score"].to_numpy(np.int64).reshape(shape)
    tickets = run.tickets(["game", "seat", "turn", "ticket", "kept", "completed"])
    games = seats["game"].to_numpy(np.int64)[:: run.plan.players]  # with gaps, where a part is missing
    row = np.searchsorted(games, tickets["game"].to_numpy(np.int64))
    place = row * run.plan.players + tickets["seat"].to_numpy(np.int64)
    ticket = tickets["ticket"].to_numpy(np.int64)
    kept = tickets["kept"].to_numpy(bool)
    completed = _whole(tickets["completed"]) == 1
    failed = -1 if run.edition.ticket_rules.failed_subtract else 0
    dealt = (tickets["turn"] == -1).to_numpy(bool)
    return ScoredGames(
        scores,
        tuple(_tie_break(name, seats).reshape(shape) for name in run.edition.tie_breaks),
        np.stack([place, ticket])[:, kept],
        np.where(completed, 1, failed)[kept],
        np.stack([place, ticket])[:, dealt],
        _strata(run.edition, run.plan.players, scores.size, place[dealt], ticket[dealt]),
    )


def _tie_break(name: str, seats: pd.DataFrame) -> Ints:
    """Return by place a number of which more is better, as `engine.scoring` has it."""
    if name == "tickets":
        return _whole(seats["tickets_completed"]) + _whole(seats["bonus_ticket"])
    if name == "stations":
        return _whole(seats["stations_left"])
    if name == "passengers":
        return np.asarray(seats["passengers"].fillna("").str.len(), np.int64)
    longest = pd.Series(_whole(seats["longest_path"]))
    longest_of_game = longest.groupby(seats["game"].to_numpy()).transform("max")
    return np.asarray((longest > 0) & (longest == longest_of_game), np.int64)


def _whole(column: pd.Series) -> Ints:
    """Return numbers or flags, with 0 for what does not apply."""
    return np.asarray(column.astype("Int64").fillna(0), np.int64)


def _strata(edition: Edition, players: int, places: int, place: Ints, ticket: Ints) -> Ints:
    """Number seats by their place in turn order and, where mixes are announced, by the decks dealt to them."""
    seat = np.arange(places) % players
    if not edition.ticket_rules.mix:
        return seat
    decks = np.array([ticket.deck for ticket in edition.tickets])
    mixes = np.bincount(place, 1 << (DECK_BITS * decks[ticket]), places).astype(np.int64)
    distinct: Ints = np.unique(mixes * players + seat, return_inverse=True)[1]
    return distinct
