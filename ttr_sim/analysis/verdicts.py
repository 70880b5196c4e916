"""What is said of a ticket: its class, its verdict, how grave it is, and how far it holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.fields import ELSEWHERE
from ttr_sim.analysis.jackknife import benjamini_hochberg
from ttr_sim.analysis.thresholds import ALPHA, HIGH_CLASS, LEAST_CLASS

Words = np.ndarray[tuple[int], np.dtype[np.object_]]
HIGH, LOW = "high", "low"
GENEROUS, STINGY = "generous", "stingy"
SERIOUS, SLIGHT = "serious", "slight"
HOLDS_ALL, HOLDS_STRONG, DEPENDS = "all", "strong", "depends"


def classes(tickets: pd.DataFrame, is_race: bool) -> Words:
    """Return each ticket's class in its deck: high from 1.5 times the mean on, of the printed points or, in a race, of
    the trains of the shortest path. A deck with fewer than three of either is one class."""
    size = tickets["trains" if is_race else "points"].to_numpy(float)
    deck, known = tickets["deck_number"].to_numpy(), ~np.isnan(size)
    mean = np.bincount(deck, np.where(known, size, 0)) / np.maximum(np.bincount(deck, known), 1)
    high = known & (size >= HIGH_CLASS * mean[deck])
    of_high = np.bincount(deck, high)
    of_low = np.bincount(deck) - of_high
    return np.where(high & (np.minimum(of_high, of_low) >= LEAST_CLASS)[deck], HIGH, LOW).astype(object)


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """Add verdicts and grades by what a ticket gives beyond its class, corrected over the list."""
    slight, serious = (benjamini_hochberg(table[name]) for name in ("p", "p_serious"))
    generous = table["excess"] > 0
    verdict = np.where(slight <= ALPHA, np.where(generous, GENEROUS, STINGY), "")
    grade = np.where(verdict == "", "", np.where(serious <= ALPHA, SERIOUS, SLIGHT))
    return table.assign(p_adjusted=slight, p_serious=serious, verdict=verdict, grade=grade)


def how_far(table: pd.DataFrame, others: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return for each ticket whether its excess clearly has the same sign in all other fields, or clearly the opposite
    one in any."""
    sign = np.sign(table["excess"].to_numpy(float))
    return combine({field: sign * _signs(table, other) for field, other in others.items()}, ELSEWHERE, len(table))


def combine(agreements: Mapping[str, NDArray[np.float64]], asked: Collection[str], rows: int) -> list[str]:
    """Return how far each row holds, from 1 (clearly the same), -1 (clearly opposite) or 0 in each other field; a field
    that is asked but was not played agrees with nothing."""
    not_played = [np.zeros(rows) for field in asked if field not in agreements]
    least = np.min([*agreements.values(), *not_played], axis=0)
    return [DEPENDS if agreed < 0 else HOLDS_ALL if agreed > 0 else HOLDS_STRONG for agreed in least]


def _signs(table: pd.DataFrame, other: pd.DataFrame) -> NDArray[np.float64]:
    """Return the sign of each row's excess in another field; 0 where it is unsure or unknown."""
    keys = ["players", "ticket"]
    found = table[keys].merge(other[[*keys, "excess_low", "excess_high"]], how="left", on=keys)
    low, high = found["excess_low"].to_numpy(float), found["excess_high"].to_numpy(float)
    signs: NDArray[np.float64] = (low > 0).astype(float) - (high < 0)
    return signs
