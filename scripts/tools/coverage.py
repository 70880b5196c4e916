"""Measure on real games how often the intervals of the analysis hold the truth, column by column.

One long run is cut at its parts: each part is a study of its own, and the whole run is the truth. A cell is one row
and column of a table; frequent cells expect at least ten events in a part, and as many of the opposite.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import ttr_sim
from ttr_sim.analysis import contention, seats, shape, tickets
from ttr_sim.analysis.chances import tension
from ttr_sim.analysis.chances.courses import CourseReader
from ttr_sim.analysis.chances.sample import apply_model, model_of
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.tables import TABLES, TableColumn
from ttr_sim.run.opened import Run

KEYS = {
    "connections": "group",
    "cities": "city",
    "routes": "route",
    "pace": "measure",
    "tickets": "ticket",
    "ticket_value": "ticket",
    "seats": "seat",
    "shape": "players",
}
Cell = tuple[str, str, bool, bool]  # table, column, whether it is frequent and whether the interval held the truth
ENOUGH = 10
# Numbers that are not means over the row's n, by the column that counts theirs.
COUNTED_BY = {
    ("ticket_value", "kept_win_share"): "kept_n",
    ("ticket_value", "kept_win_gap"): "kept_n",
}
# Means over events: the share of the row's n that they are means over.
PART_OF = {
    ("routes", "round"): "claimed",
    ("routes", "claimer_win_share"): "claimed",
    ("routes", "denied_points"): "denial",
    ("routes", "denied_win"): "denial",
    ("routes", "got_points"): "contention",
    ("routes", "got_win"): "contention",
    ("tickets", "completed"): "dealt_kept",
    ("tickets", "net_points"): "dealt_kept",
    ("tickets", "rounds"): "completed",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--edition", default="usa")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=80_000)
    parser.add_argument("--run", type=Path, help="a long run that is already played")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.run:
            run = ttr_sim.open_run(options.run)
        else:
            run = ttr_sim.play(options.edition, options.players, "planner", options.games, out=Path(folder) / "run")
        print(measure(run).to_string(index=False, na_rep="", float_format="%.3g"))


def measure(run: Run) -> pd.DataFrame:
    """Return by table and column in how many cells of 100 the interval holds the truth, frequent cells and rare."""
    truth = tables_of([run])
    studies = [replace(run, parts=(part,)) for part in run.parts]
    cells = [cell for study in studies for cell in _cells(tables_of([study]), truth)]
    cells += _cells_of_shape(run, studies)
    frame = pd.DataFrame(cells, columns=["table", "column", "frequent", "held"])
    cases = frame["frequent"].map({True: "frequent", False: "rare"})
    frame = frame.assign(held=frame["held"] * 100)
    found = frame.pivot_table(index=["table", "column"], columns=cases, values="held", aggfunc=["mean", "size"])
    return found.set_axis([" ".join(names) for names in found.columns], axis=1).reset_index()


def tables_of(runs: Sequence[Run]) -> dict[str, pd.DataFrame]:
    source = Source(runs)
    claims = [contention.Claims(source)]
    return {
        "connections": contention.connections(claims),
        "cities": contention.cities(claims),
        "routes": contention.routes(claims),
        "pace": shape.pace([source]),
        "tickets": tickets.tickets([source]),
        "ticket_value": tickets.ticket_value([tickets.Deals(source)]),
        "seats": seats.seats([source]),
    }


def _cells_of_shape(run: Run, studies: Sequence[Run]) -> list[Cell]:
    """Return the cells of what games feel like. The model of the chance to win is learned once; the truth is the mean
    over the studies, as the courses of all games at once would not fit in memory."""
    model = model_of(run)
    courses = (CourseReader(study).read(0, study.finished_games) for study in studies)
    found = [tension.shape({run.plan.players: apply_model(model, of_study)}) for of_study in courses]
    truth = pd.concat(found).groupby(KEYS["shape"], as_index=False).mean()
    return [cell for frame in found for cell in _cells({"shape": frame}, {"shape": truth})]


def _cells(study: dict[str, pd.DataFrame], truth: dict[str, pd.DataFrame]) -> Iterator[Cell]:
    for table, frame in study.items():
        both = frame.merge(truth[table], on=KEYS[table], suffixes=("", "_true"))
        for column in (column for column in TABLES[table].columns if column.interval):
            yield from _cells_of_column(both, table, column)


def _cells_of_column(both: pd.DataFrame, table: str, column: TableColumn) -> Iterator[Cell]:
    name = column.name
    known = both.dropna(subset=[f"{name}_low", f"{name}_true"])
    true = known[f"{name}_true"].to_numpy(float)
    held = (known[f"{name}_low"] <= true + 1e-9) & (true - 1e-9 <= known[f"{name}_high"])
    for frequent, hit in zip(_is_frequent(known, table, column, true), held, strict=True):
        yield table, name, bool(frequent), bool(hit)


def _is_frequent(known: pd.DataFrame, table: str, column: TableColumn, true: NDArray[np.float64]) -> NDArray[np.bool_]:
    trials = known[COUNTED_BY.get((table, column.name), "n")].to_numpy(float)
    if (table, column.name) in PART_OF:
        trials = trials * known[f"{PART_OF[table, column.name]}_true"].to_numpy(float)
    if column.unit == "share":
        trials = trials * np.minimum(true, 1 - true)
    elif column.unit == "number":
        trials = trials * np.abs(true)
    return np.asarray(trials >= ENOUGH)


if __name__ == "__main__":
    main()
