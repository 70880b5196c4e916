"""The tables about what a game on the board feels like: open or decided, as it looks on paper."""

from __future__ import annotations

import pandas as pd

from ttr_sim.analysis.robustness import Fields
from ttr_sim.analysis.routes import loads
from ttr_sim.analysis.win_probability import RoundChances, shape_tables
from ttr_sim.run.opened import Run

WHY_EMPTY = {
    "shape": "Too few games for a model of the chance to win.",
    "shape_loads": "No connection was played on.",
}
WHY_EMPTY |= dict.fromkeys(("shape_course", "shape_chances"), WHY_EMPTY["shape"])
IN_BRIEF = "A short page omits this; the complete page of a study has it."


def of_courses(fields: Fields) -> dict[str, pd.DataFrame]:
    """Tables from win probabilities, of the longest run of each player count."""
    longest: dict[int, Run] = {}
    for run in sorted(fields.runs.get(fields.main, ()), key=lambda run: run.finished_games):
        if "turns" in run.plan.tables:
            longest[run.plan.players] = run
    measured = [RoundChances.of(longest[players]) for players in sorted(longest)]
    return shape_tables([rounds for rounds in measured if rounds is not None])


def make_tables(fields: Fields, connections: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """Return those of these tables that need neither courses nor games of their own."""
    tables = {}
    if connections is not None:
        tables["shape_loads"] = loads(fields.all_main[0].edition, connections)
    return tables
