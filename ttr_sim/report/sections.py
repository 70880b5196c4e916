"""The parts of a report's page after its maps: which charts and tables stand where. A new chart or table goes here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttr_sim.report.charts import games, routes, tickets, wins

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.report.figures import Chart


@dataclass(frozen=True)
class Section:
    """Functions that draw its charts (nothing when there is nothing to draw), then its tables by name."""

    anchor: str
    title: str
    charts: tuple[Callable[[Analysis], Chart | None], ...]
    tables: tuple[str, ...]


SECTIONS = (
    Section("rewards-section", "What the board rewards", (wins.reward_wins,), ("rewards",)),
    Section("tickets", "Tickets", (tickets.ticket_values, tickets.ticket_effects), ("ticket_value", "tickets")),
    Section(
        "routes",
        "Routes and cities",
        (routes.route_contention, routes.city_load),
        ("routes", "cities"),
    ),
    Section("seats", "Turn order", (wins.seat_wins,), ("seats", "seats_by_bot")),
    Section("shape", "Length and shape", (games.game_shape,), ("pace", "actions")),
    Section(
        "experience",
        "What a game feels like",
        (games.course, routes.paper_and_play, games.calibration),
        ("shape", "shape_loads", "shape_chances"),
    ),
    Section("points", "Points", (wins.score_parts, games.score_distribution), ("score_parts",)),
    Section(
        "styles",
        "Play styles",
        (wins.style_wins, wins.matchup_matrix, wins.ratings),
        ("strategies", "matchups", "cycles"),
    ),
    Section("oddities", "Oddities", (), ("oddities",)),
)


BESIDE = {"connections": "routes"}  # tables that stand within another on the page


def section_of(table: str) -> Section | None:
    """Return the section in which a table stands."""
    return next((section for section in SECTIONS if BESIDE.get(table, table) in section.tables), None)
