"""The page of a comparison: verdict first, then what was changed, what moved, and where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from ttr_sim import __version__
from ttr_sim.analysis.analysis import run_info
from ttr_sim.analysis.compare import side_names, verdict
from ttr_sim.edition.differences import ticket_keys
from ttr_sim.report.board.canvas import settings
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.board.svg import svg_of
from ttr_sim.report.charts.compare import headline_changes, ticket_changes
from ttr_sim.report.charts.style import LOOK, Chart
from ttr_sim.report.compare_map import change_map, route_targets, ticket_targets, titles
from ttr_sim.report.compare_views import compare_views
from ttr_sim.report.inline import DPI, inline, inline_chart
from ttr_sim.report.page import environment
from ttr_sim.report.provenance import run_facts, run_heading
from ttr_sim.report.reports import make_folder
from ttr_sim.report.spreadsheets import write_tables

if TYPE_CHECKING:
    from markupsafe import Markup

    from ttr_sim.analysis.compare import Comparison


def write_comparison(comparison: Comparison, folder: Path, command: str = "") -> Path:
    """Write index.html, charts/*.png and tables/*.csv; the path of the page."""
    make_folder(folder)
    (folder / "charts").mkdir(exist_ok=True)
    write_tables({name: getattr(comparison, name) for name in ("headlines", "tickets", "routes")}, folder / "tables")
    with settings():
        context = {"charts": dict(_charts(comparison, folder / "charts")), "map": _map(comparison, folder / "charts")}
    page = folder / "index.html"
    page.write_text(
        environment().get_template("compare.html.j2").render(context | _words(comparison, command)), "utf-8"
    )
    return page


def _charts(comparison: Comparison, folder: Path) -> Iterator[tuple[str, tuple[Chart, Markup]]]:
    with mpl.rc_context(LOOK):
        charts = [headline_changes(comparison), ticket_changes(comparison)]
    for chart in (chart for chart in charts if chart):
        yield chart.name, (chart, inline_chart(chart, folder))


def _map(comparison: Comparison, folder: Path) -> Markup | None:
    """Nothing without turns."""
    edition, routes = comparison.b.edition, comparison.routes
    if routes["difference"].isna().all():
        return None
    figure = change_map(edition, lay_out(edition), routes)
    figure.savefig(folder / "map-changes.png", dpi=DPI)
    return inline(svg_of(figure, "changes-", titles(edition, routes)), "Where claims moved", "group")


def _words(comparison: Comparison, command: str) -> dict[str, Any]:
    edition, names = comparison.b.edition, side_names(comparison)
    targets = {
        "tickets": ticket_targets(edition, ticket_keys(edition), comparison.tickets),
        "routes": route_targets(edition, comparison.routes),
    }
    runs = [run_info(run) for run in (comparison.a, comparison.b)]
    return {
        "names": names,
        "comparison": comparison,
        "players": comparison.a.plan.players,
        "verdict": verdict(comparison),
        "views": compare_views(comparison, names, targets),
        "command": command,
        "version": __version__,
        "runs": [(run_heading(run), run_facts(run)) for run in runs],
    }
