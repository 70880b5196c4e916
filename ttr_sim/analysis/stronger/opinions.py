"""Verdicts of the planner beside those of a player that looks ahead, in verdicts.csv, as `scripts/verdicts` played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from ttr_sim.analysis.jackknife import Floats, benjamini_hochberg
from ttr_sim.analysis.tables import TableColumn
from ttr_sim.analysis.thresholds import ALPHA, LEVEL
from ttr_sim.analysis.verdicts import HIGH

FILE = Path(__file__).with_name("verdicts.csv")
PLANNER, OTHER = "planner", "other"
FIRST_PLAYER, CLASS, TICKET, EXCESS = "win_share", "class_effect", "win_effect", "excess"
JUDGED = (FIRST_PLAYER, CLASS, EXCESS)  # what a finding may speak of
DECIMALS = 5
_OF_BOTH = [TableColumn(side, "number", "", interval=True) for side in (PLANNER, OTHER)]
NUMBERS = tuple(name for column in _OF_BOTH for name in column.names)
KEYS = ("edition", "fingerprint", "players", "planner_games", "bot", "games", "measure", "row", "name")


def read_opinions(path: Path = FILE) -> pd.DataFrame:
    return pd.read_csv(path, keep_default_na=False, na_values=dict.fromkeys(NUMBERS, ""))


def write_opinions(opinions: pd.DataFrame, path: Path = FILE) -> None:
    opinions[[*KEYS, *NUMBERS]].round(DECIMALS).to_csv(path, index=False, lineterminator="\n")


def opinions_on(fingerprint: str, path: Path = FILE) -> pd.DataFrame:
    """Return what is known of a board: `is_other` where a player that looks ahead surely values it otherwise."""
    known = read_opinions(path)
    here = known[(known["fingerprint"] == fingerprint) & known["measure"].isin(JUDGED)]
    return here.assign(is_other=benjamini_hochberg(_p_of_difference(here)) <= ALPHA)


def _p_of_difference(opinions: pd.DataFrame) -> Floats:
    """Return the p-value of both numbers being the same, from the standard errors that their intervals show."""
    planner, low, high, other, other_low, other_high = opinions[[*NUMBERS]].to_numpy(float).T
    error = np.hypot(high - low, other_high - other_low) / (2 * special.ndtri(0.5 + LEVEL / 2))
    p_values: Floats = 2 * special.ndtr(-np.abs(other - planner) / error)
    return p_values


def side_by_side(planner: Mapping[str, pd.DataFrame], other: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the numbers of both by measure and row: the first player, classes, tickets."""
    parts = [_joined(*pair) for pair in zip(_numbers(planner), _numbers(other), strict=True)]
    return pd.concat(parts, ignore_index=True)


def _numbers(tables: Mapping[str, pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Yield measure, row, name and the number with its interval, a table for each measure."""
    seats, tickets = tables["seats"], tables["ticket_value"]
    first = seats[seats["seat"] == 0]
    yield _of(first.assign(name="the first player"), FIRST_PLAYER, "seat")
    tickets = tickets.assign(name=tickets["from"] + "–" + tickets["to"])
    high = tickets[tickets["class"] == HIGH].drop_duplicates("deck")
    yield _of(high.assign(name="such a ticket"), CLASS, "ticket")
    for measure in (TICKET, EXCESS):
        yield _of(tickets, measure, "ticket")


def _of(rows: pd.DataFrame, measure: str, key: str) -> pd.DataFrame:
    numbers = {"value": rows[measure], "low": rows[f"{measure}_low"], "high": rows[f"{measure}_high"]}
    return pd.DataFrame({"measure": measure, "row": rows[key], "name": rows["name"], **numbers})


def _joined(planner: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    columns = ["value", "low", "high"]
    names = (dict(zip(columns, names, strict=True)) for names in (NUMBERS[:3], NUMBERS[3:]))
    left, right = (side.rename(columns=of_side) for side, of_side in zip((planner, other), names, strict=True))
    return left.merge(right.drop(columns="name"), on=["measure", "row"])
