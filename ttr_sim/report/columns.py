"""How the page shows the columns of a table: which, in what order, and by what words. The CSV files have them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttr_sim.analysis.tables import TableColumn, Unit

LEFT_OUT = {"ticket", "route", "group", "city", "p", "plans", "run", "to", "field"}
LEFT_OUT_OF = {
    "routes": {"copy", "n", "claimer_win_share", "denied_n", "got_points", "got_win"},
    "ticket_value": {"kept_n", "kept_win_share", "p_serious", "grade"},
    "connections": {"n"},
    "rewards": {"bot"},
    "cities": {"n"},
}
ONLY_WHEN_VARIED = {"deck", "kind", "points", "copy", "class"}
DETAILS = {"p_adjusted", "holds", "class_effect", "kept_win_gap", "fair_points"}  # columns behind a switch
DETAILS_OF = {"tickets": {"n", "race_rounds"}, "ticket_value": {"n"}}
FIRST = {"ticket_value": ("verdict",)}  # columns that follow the name
PAIRS = {  # tables whose two ends are one column, with its name
    "ticket_value": "ticket",
    "ticket_value_by_bot": "ticket",
    "tickets": "ticket",
    "routes": "route",
    "connections": "connection",
    "shape_loads": "connection",
}
HEADINGS = {  # what a designer calls a column, where its name in the CSV file is another
    "seat": "player",
    "bot": "style",
    "contention": "fought over",
    "denial": "locked out",
    "denied_points": "points of those locked out",
    "denied_win": "wins of those locked out",
    "win_effect": "more wins when dealt",
    "points_effect": "more points when dealt",
    "class_effect": "of its class",
    "excess": "beyond its class",
    "p_adjusted": "chance if nothing differed",
    "fair_points": "fair value",
    "winner_led": "winner led",
    "chance_lead_changes": "changes of the likeliest winner",
    "taken": "taken from a rival's plan",
    "opening": "the opening",
    "opening_weaker": "the opening, one weaker player",
    "stands_out": "does not match",
}
VALUES = {  # text of ours, as a designer says it
    "generous": "too generous",
    "stingy": "too stingy",
    "dominant": "ahead of all",
    "dominated": "behind all",
    "decided": "winner leads for good from, %",
    "hidden": "winner not ahead in open points, %",
    "shared": "shared wins, %",
    "lead_changes": "changes of the lead",
    "margin": "winner's margin",
    "resets": "rows laid out again",
    "reshuffles": "reshuffles",
    "stalled": "nobody could move",
    "capped": "cut off at the last turn allowed",
    "stuck_row": "row stuck with wilds",
    "passed": "somebody had to pass",
    "short_draw": "no second card left to draw",
    "short_offer": "too few tickets left to draw",
    "no_claim": "somebody claimed nothing",
    "ticket_penalty": "failed tickets",
    "longest": "longest path",
    "tickets": "draw tickets",
    "draw": "draw cards",
    "claim": "claim a route",
    "station": "build a station",
    "discard": "discard",
    "pass": "pass",
    "all": "whoever plays",
    "strong": "among strong players",
    "depends": "depends on who plays",
}
MEASURED_AS_SHARES = {"decided", "hidden", "shared"}  # among measures of whole games, which are numbers
CODED = frozenset(("measure", "part", "kind", "action", "verdict", "holds"))  # columns of such text
SORTED_BY = {  # the column whose largest numbers stand first
    "strategies": "win_share",
    "ticket_value": "excess",
    "rewards": "win_share",
    "tickets": "completed",
    "routes": "contention",
    "connections": "contention",
    "shape_loads": "load",
    "cities": "claims",
}
BY_STRENGTH = {"seats_by_bot": ("bot",), "matchups": ("bot", "opponent")}  # columns of styles, the strongest first
GIVEN: frozenset[Unit] = frozenset(("points", "number", "rounds"))  # units of numbers that may be given as whole


def is_detail(table: str, column: str) -> bool:
    return column in DETAILS or column in DETAILS_OF.get(table, set())


def unit_of(column: TableColumn, record: Mapping[Any, Any]) -> Unit:
    """Return the unit of a row's number: measures that are shares stand in a column of numbers."""
    is_share = column.unit == "number" and record.get("measure") in MEASURED_AS_SHARES
    return "share" if is_share else column.unit


def is_left_out(table: str, column: str) -> bool:
    return column in LEFT_OUT or column in LEFT_OUT_OF.get(table, set())


def in_words(column: str, value: object) -> str:
    """Return text of a cell; names of an edition and of bots stay as they are."""
    if column == "bot" and value == "":
        return "all styles"
    text = str(value)
    return VALUES.get(text, text.replace("_", " ")) if column in CODED else text
