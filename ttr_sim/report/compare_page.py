"""The page of a comparison: verdict first, then what was changed, what moved, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ttr_sim import __version__
from ttr_sim.analysis.analysis import run_info
from ttr_sim.analysis.compare import side_names, verdict
from ttr_sim.analysis.compare.layout import ROUTES, TICKETS, Listing
from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.words import ends
from ttr_sim.edition.canonical import ticket_keys
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.change_maps import change_layers, change_map, change_titles, route_targets, ticket_targets
from ttr_sim.report.charts.compare import headline_changes, ticket_changes
from ttr_sim.report.document import write_document
from ttr_sim.report.figures import InlineChart, inline, inline_chart, settings, svg_of, write_picture
from ttr_sim.report.folder import PAGE, comparison_of, new_report
from ttr_sim.report.maps import choice_rules, put_on_routes
from ttr_sim.report.numbers import HEADING_UNITS, labeled, signed, signed_interval, written
from ttr_sim.report.provenance import run_facts, run_heading
from ttr_sim.report.spreadsheets import write_tables
from ttr_sim.report.views import Heading, PageCell, PageRow, View

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.analysis.tables import Unit

CHANGE_NOTE = "blue and solid: more often, orange and dashed: less often, the wider the more; thin: no sure difference"
TABLES = ("headlines", "tickets", "routes")
CHANGES: dict[Unit, Unit] = {"share": "change"}  # the unit of a difference
NOTABLE = Heading("notable", "", "sure after correction, and large enough to report", numeric=False)
P = "chance of so large a difference if nothing differed, corrected for the number of questions asked"


def write_comparison(comparison: Comparison, folder: Path, command: str = "", force: bool = False) -> Path:
    """Write index.html, charts/*.png and tables/*.csv; return the path of the page."""
    called = comparison.called if all(comparison.called) else side_names(comparison)
    with new_report(folder, comparison_of(called), force) as beside:
        drawings = beside / "charts"
        drawings.mkdir()
        write_tables({name: getattr(comparison, name) for name in TABLES}, beside / "tables")
        with settings():
            drawn = {"charts": _charts(comparison, drawings)} | _map(comparison, drawings)
        write_document(beside / PAGE, "compare.html.j2", drawn | _words(comparison, command))
    return folder / PAGE


def _charts(comparison: Comparison, folder: Path) -> dict[str, InlineChart]:
    charts = [headline_changes(comparison), ticket_changes(comparison)]
    return {chart.name: inline_chart(chart, folder) for chart in charts if chart}


def _map(comparison: Comparison, folder: Path) -> dict[str, Any]:
    """Draw the map of what moved, and write it as a picture; none without turns."""
    edition, routes = comparison.b.edition, comparison.routes
    if comparison.same or routes["difference"].isna().all():
        return {"modes": [], "map_drawing": "", "map_rules": ""}
    layout, names = lay_out(edition), side_names(comparison)
    figure = change_map(edition, layout, routes)
    write_picture(figure, folder / "map-changes.png", f"Where claims moved from {names[0]} to {names[1]}", CHANGE_NOTE)
    layers = change_layers(edition, routes, names, layout.sizes.car)
    svg = svg_of(figure, "changes-", change_titles(edition, routes))
    put_on_routes(svg, layers)
    return {
        "modes": [layer.mode for layer in layers],
        "routes_moved": bool(routes["notable"].any()),
        "map_drawing": inline(svg, f"The routes on the board of {names[1]}", "group"),
        "map_rules": Markup("\n".join([choice_rules(()), *(layer.rules for layer in layers)])),
    }


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
        "moved": any(bool(getattr(comparison, name)["notable"].any()) for name in TABLES),
        "views": _views(comparison, names, targets),
        "command": command,
        "version": __version__,
        "runs": [(run_heading(run), run_facts(run)) for run in runs],
    }


def _views(comparison: Comparison, names: tuple[str, str], targets: Mapping[str, list[str]]) -> dict[str, View]:
    """Return the tables by name; `targets` are what the rows of a list point at on the map."""
    return {
        "headlines": _headlines(comparison.headlines, names),
        "tickets": _list(comparison.tickets, TICKETS, names, targets["tickets"]),
        "routes": _list(comparison.routes, ROUTES, names, targets["routes"]),
    }


def _headlines(table: pd.DataFrame, names: tuple[str, str]) -> View:
    headings = [
        Heading("number", "", "what is compared", numeric=False),
        *_headings("", "", names),
        Heading("p", "", P, numeric=True),
        NOTABLE,
    ]
    rows = [PageRow("", None, "", list(_headline_cells(row))) for row in table.to_dict("records")]
    meaning = f"The whole game. A difference is {names[1]} minus {names[0]}, with its 95 % interval below it."
    return View("headlines", "Headline numbers", meaning, headings, rows, [], "")


def _headline_cells(row: Mapping[Any, Any]) -> Iterator[PageCell]:
    yield PageCell(labeled(row["name"], row["unit"]))
    yield from _cells(row, "", row["unit"])
    yield PageCell(written(row["p_adjusted"], "p"))
    yield _flag(row["notable"])


def _list(table: pd.DataFrame, listing: Listing, names: tuple[str, str], targets: list[str]) -> View:
    kind = listing.keys[2]
    numbers = [number for number in listing.numbers if table[f"{number.prefix}difference"].notna().any()]
    headings = [
        Heading(listing.title.lower().removesuffix("s"), "", "as its line in the file names its ends", numeric=False),
        Heading(kind, "", "which one it is", numeric=False),
        NOTABLE,
        *(heading for n in numbers for heading in _headings(n.words, HEADING_UNITS.get(n.unit, ""), names)),
    ]
    shares = [f"{number.prefix}difference" for number in numbers if number.unit == "share"]
    order = ranked(table.assign(size=table[shares].abs().max(axis=1)), "notable", "size")
    rows = []
    for line, row in order.iterrows():
        cells = [cell for number in numbers for cell in _cells(row, number.prefix, number.unit)]
        keys = [PageCell(ends(row)), PageCell(_kind(row, kind))]
        pointed = targets[int(str(line))]
        rows.append(PageRow("", None, pointed, [*keys, _flag(row["notable"]), *cells], minor=not row["notable"]))
    meaning = "; ".join(f"{number.words}: {number.meaning}" for number in numbers)
    missing = "" if rows and numbers else "There is nothing to compare."
    title = f"{listing.title} of both"
    return View(listing.name, title, f"{meaning[:1].upper()}{meaning[1:]}.", headings, rows, [], missing)


def _headings(words: str, unit: str, names: tuple[str, str]) -> Iterator[Heading]:
    lead = f"{words}, " if words else ""
    for name in names:
        yield Heading(f"{lead}{name}", unit, f"{lead}in {name}", numeric=True)
    meaning = f"{lead}{names[1]} minus {names[0]}, with its 95 % interval"
    yield Heading("difference", unit, meaning, numeric=True)


def _cells(row: Mapping[Any, Any] | pd.Series, prefix: str, unit: Unit) -> Iterator[PageCell]:
    yield from (PageCell(written(row[f"{prefix}{side}"], unit)) for side in "ab")
    change = CHANGES.get(unit, unit)
    gap, low, high = (row[f"{prefix}{name}"] for name in ("difference", "low", "high"))
    yield PageCell(signed(gap, change), signed_interval(low, high, change))


def _kind(row: pd.Series, kind: str) -> str:
    return f"{row[kind]} no. {row['copy'] + 1}" if row["copy"] else str(row[kind])


def _flag(notable: bool) -> PageCell:
    return PageCell("● yes" if notable else "")
