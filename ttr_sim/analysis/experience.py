"""The tables about what a game on the board feels like: open or decided, by luck or by skill, as it looks on paper."""

from __future__ import annotations

import pandas as pd

from ttr_sim.analysis.chances import tension
from ttr_sim.analysis.chances.sample import rounds_of
from ttr_sim.analysis.choices import choices
from ttr_sim.analysis.fields import Fields
from ttr_sim.analysis.ladder import skill
from ttr_sim.analysis.loads import loads
from ttr_sim.analysis.luck import luck

WHY_EMPTY = {
    "shape": "Too few games for a model of the chance to win.",
    "shape_luck": "No opening was played again; a study does that.",
    "shape_skill": "No ladder of styles was played; a study does that.",
    "shape_choices": "No choice was weighed; `ttr-sim study --choices 60` does that, in a minute or a few.",
    "shape_loads": "No connection was played on.",
}
WHY_EMPTY |= dict.fromkeys(("shape_course", "shape_chances"), WHY_EMPTY["shape"])
IN_BRIEF = "A short page omits this; the complete page of a study has it."


def make_tables(fields: Fields, connections: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """Return those tables for which games were played."""
    tables = {}
    with_turns = [source for source in fields.main if source.has_turns]
    if played := tension.by_players([rounds_of(source) for source in with_turns]):
        tables["shape"] = tension.shape(played)
        tables["shape_course"], tables["shape_chances"] = tension.course(played), tension.chances(played)
    weighed = choices(fields.runs)
    if len(weighed):
        tables["shape_choices"] = weighed
    if connections is not None:
        tables["shape_loads"] = loads(fields.main[0].edition, connections)
    if fields.openings:
        tables["shape_luck"] = luck(fields.openings)
    if fields.ladder:
        tables["shape_skill"] = skill(fields.ladder)
    return tables
