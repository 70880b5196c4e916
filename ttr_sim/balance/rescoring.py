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
