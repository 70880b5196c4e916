"""The page of a report: one HTML file that opens offline, with everything in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ttr_sim.analysis.tables import TABLES
from ttr_sim.report.board.canvas import settings
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.board.values import step_rules
from ttr_sim.report.charts.all import charts_of
from ttr_sim.report.counts import choices, main_count, played_counts
from ttr_sim.report.glance import glance
from ttr_sim.report.inline import inline, inline_chart
from ttr_sim.report.maps import draw_printed, draw_values
from ttr_sim.report.provenance import made
from ttr_sim.report.ranges import Ranges, official_ranges
from ttr_sim.report.spreadsheets import write_tables
from ttr_sim.report.views import row_anchor, view

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.findings import Finding
    from ttr_sim.report.charts.style import Chart


@dataclass(frozen=True)
class Section:
    """A part of the page: charts by name, then tables by name."""

    anchor: str
    title: str
    charts: tuple[str, ...]
    tables: tuple[str, ...]


SECTIONS = (
    Section("tickets", "Tickets", ("ticket-values", "ticket-effects"), ("ticket_value", "tickets")),
    Section("routes", "Routes and cities", ("route-contention", "city-load"), ("routes", "connections", "cities")),
    Section("styles", "Play styles", ("style-wins", "matchups", "ratings"), ("strategies", "matchups", "cycles")),
    Section("seats", "Turn order", ("seat-wins",), ("seats", "seats_by_bot")),
    Section("points", "Points", ("score-parts", "scores"), ("score_parts",)),
    Section("shape", "Length and shape", ("game-shape",), ("pace", "actions")),
    Section("oddities", "Oddities", (), ("oddities",)),
)


def write_page(analysis: Analysis, folder: Path, command: str = "", pictures: bool = True) -> Path:
    """Write index.html, charts/*.png (unless they are not wanted) and tables/*.csv; the path of the page."""
    drawings = folder / "charts" if pictures else None
    if drawings:
        drawings.mkdir(parents=True, exist_ok=True)
    write_tables(analysis.tables, folder / "tables")
    with settings():
        context = _maps(analysis, drawings) | {"charts": _charts(analysis, drawings)}
    linked = {anchor for drawn, _ in context["maps"] for anchor in drawn.links}
    context |= _words(analysis, official_ranges(), linked, command)
    page = folder / "index.html"
    page.write_text(environment().get_template("page.html.j2").render(context), encoding="utf-8")
    return page


def _maps(analysis: Analysis, folder: Path | None) -> dict[str, Any]:
    layout = lay_out(analysis.edition)
    values = draw_values(analysis, layout, folder)
    return {
        "board": inline(draw_printed(analysis.edition, layout, folder), f"The board of {analysis.edition.title}"),
        "maps": [(drawn, inline(drawn.svg, drawn.subject.title, "group")) for drawn in values],
        "step_rules": Markup(step_rules(choices(played_counts(analysis)), layout.sizes.car)),
    }


def _charts(analysis: Analysis, folder: Path | None) -> dict[str, tuple[Chart, Markup]]:
    return {chart.name: (chart, inline_chart(chart, folder)) for chart in charts_of(analysis)}


def _words(analysis: Analysis, ranges: Ranges, linked: set[str], command: str) -> dict[str, Any]:
    counts = played_counts(analysis)
    findings = [(finding, _anchors(finding)) for finding in analysis.findings]
    linked = linked | {row for _, (_, row) in findings}
    return {
        "analysis": analysis,
        "edition": analysis.edition,
        "games": sum(run.games for run in analysis.runs),
        "counts": counts,
        "choices": choices(counts),
        "main_count": main_count(counts),
        "findings": findings,
        "glance": glance(analysis, counts, ranges),
        "official": ranges.editions,
        "sections": SECTIONS,
        "views": {name: view(analysis, name, ranges, linked) for section in SECTIONS for name in section.tables},
        "titles": {name: table.title for name, table in TABLES.items()},
        "made": made(analysis, command),
    }


def _anchors(finding: Finding) -> tuple[str, str]:
    """Of the chart and of the row (or table) where a finding's number stands."""
    chart = next((s.charts[0] for s in SECTIONS if finding.table in s.tables and s.charts), "")
    row = row_anchor(finding.table, finding.row) if finding.row is not None else f"t-{finding.table}"
    return chart, row


@cache
def environment() -> Environment:
    """Templates escape everything that is not marked as safe by the code that made it."""
    loader = PackageLoader("ttr_sim.report", "templates")
    made_by = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made_by.globals["style"] = Markup(_asset("style.css"))
    made_by.globals["script"] = Markup(_asset("script.js"))
    return made_by


def _asset(name: str) -> str:
    return (files("ttr_sim.report") / "templates" / name).read_text(encoding="utf-8")
