"""The tables about what a game on the board feels like: open or decided, as it looks on paper."""

from __future__ import annotations

import pandas as pd

from ttr_sim.analysis.chances import tension
from ttr_sim.analysis.chances.sample import longest_run, rounds_of
from ttr_sim.analysis.robustness import Fields
from ttr_sim.analysis.routes import loads
from ttr_sim.analysis.source import sources_of

WHY_EMPTY = {
    "shape": "Too few games for a model of the chance to win.",
    "shape_loads": "No connection was played on.",
}
WHY_EMPTY |= dict.fromkeys(("shape_course", "shape_chances"), WHY_EMPTY["shape"])
IN_BRIEF = "A short page omits this; the complete page of a study has it."


def of_courses(fields: Fields) -> dict[str, pd.DataFrame]:
    """Tables that need the courses of games, of one run for each player count."""
    with_turns = [source for source in sources_of(fields.runs.get(fields.main, ())) if source.has_turns]
    played = tension.by_players([rounds_of(longest_run(source)) for source in with_turns])
    if not played:
        return {}
    return {
        "shape": tension.shape(played),
        "shape_course": tension.course(played),
        "shape_chances": tension.chances(played),
    }


def make_tables(fields: Fields, connections: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """Return those of these tables that need neither courses nor games of their own."""
    tables = {}
    if connections is not None:
        tables["shape_loads"] = loads(fields.all_main[0].edition, connections)
    return tables
