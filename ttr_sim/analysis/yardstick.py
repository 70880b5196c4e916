"""The yardstick of tickets: the effect to expect of a ticket with so long a shortest path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ttr_sim.edition.canonical import Key, ticket_keys
from ttr_sim.edition.model import Edition

# A line through fewer tickets, or fewer lengths, says nothing: there the deck's mean is expected.
LEAST_TICKETS, LEAST_LENGTHS = 8, 5

Floats = NDArray[np.float64]
Line = tuple[float, float]


@dataclass(frozen=True)
class Yardstick:
    """Expected effect of each ticket of an unedited board, and the line of each deck.

    Edited boards are judged by the yardstick of the unedited one. A ticket must not become fair because another one
    changed, nor because its own points did.
    """

    expected: Mapping[Key, float]
    lines: Mapping[str, Line]  # intercept, and slope in shares of wins per train

    @classmethod
    def of(cls, edition: Edition, trains: Floats, effect: Floats, n: Floats) -> Yardstick:
        """Fit each deck's robust line (Theil-Sen) through effect and trains; `n` counts the deals of each ticket."""
        deck = np.array([edition.decks[ticket.deck].name for ticket in edition.tickets])
        lines = {}
        for name in dict.fromkeys(deck):
            dealt = (deck == name) & np.isfinite(effect) & np.isfinite(trains) & (n > 0)
            lines[str(name)] = _line(trains[dealt], effect[dealt], n[dealt], not edition.is_race)
        expected = _on_lines(deck, trains, lines)
        return cls(dict(zip(ticket_keys(edition), map(float, expected), strict=True)), lines)

    def expect(self, edition: Edition, trains: Floats) -> Floats:
        """Expected effect of each ticket of this board; tickets that the original lacks are placed on its lines."""
        deck = np.array([edition.decks[ticket.deck].name for ticket in edition.tickets])
        placed = _on_lines(deck, trains, self.lines)
        keys = ticket_keys(edition)
        return np.array([self.expected.get(key, value) for key, value in zip(keys, placed, strict=True)])


def _line(trains: Floats, effect: Floats, n: Floats, scores_points: bool) -> Line:
    if not scores_points or len(trains) < LEAST_TICKETS or len(np.unique(trains)) < LEAST_LENGTHS:
        return (float(np.average(effect, weights=n)) if len(effect) else 0.0), 0.0
    # SciPy's line is the same, with an interval that warns of equal lengths.
    one, other = np.triu_indices(len(trains), 1)
    apart = trains[one] != trains[other]
    slope = np.median((effect[other] - effect[one])[apart] / (trains[other] - trains[one])[apart])
    return float(np.median(effect) - slope * np.median(trains)), float(slope)


def _on_lines(deck: NDArray[np.str_], trains: Floats, lines: Mapping[str, Line]) -> Floats:
    intercept, slope = np.array([lines.get(str(name), (0.0, 0.0)) for name in deck]).reshape(-1, 2).T
    # A ticket without any path has no length, and is expected to be worth the average one.
    known = np.where(np.isfinite(trains), trains, np.nanmean(trains) if np.isfinite(trains).any() else 0.0)
    return np.asarray(intercept + slope * known)
