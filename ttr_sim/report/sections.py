"""The parts of a report's page after its maps: which charts and tables stand where. A new chart or table goes here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttr_sim.report.charts import balance, experience, routes, shape, tickets

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.report.charts.style import Chart


@dataclass(frozen=True)
class Section:
    """Functions that draw its charts (nothing when there is nothing to draw), then its tables by name."""

    anchor: str
    title: str
    charts: tuple[Callable[[Analysis], Chart | None], ...]
    tables: tuple[str, ...]


SECTIONS = (
    Section("rewards-section", "What the board rewards", (balance.reward_wins,), ("rewards",)),
    Section("tickets", "Tickets", (tickets.ticket_values, tickets.ticket_effects), ("ticket_value", "tickets")),
    Section(
        "routes",
        "Routes and cities",
        (routes.route_contention, routes.city_load),
        ("routes", "cities"),
    ),
    Section("seats", "Turn order", (balance.seat_wins,), ("seats", "seats_by_bot")),
    Section("shape", "Length and shape", (shape.game_shape,), ("pace", "actions")),
    Section(
        "experience",
        "What a game feels like",
        (experience.course, experience.paper_and_play, experience.belief),
        ("shape", "shape_loads", "shape_chances"),
    ),
    Section("points", "Points", (balance.score_parts, shape.score_distribution), ("score_parts",)),
    Section(
        "styles",
        "Play styles",
        (balance.style_wins, balance.matchup_matrix, balance.ratings),
        ("strategies", "matchups", "cycles"),
    ),
    Section("oddities", "Oddities", (), ("oddities",)),
)


BESIDE = {"connections": "routes"}  # tables that stand within another on the page


def section_of(table: str) -> Section | None:
    """Return the section in which a table stands."""
    return next((section for section in SECTIONS if BESIDE.get(table, table) in section.tables), None)
