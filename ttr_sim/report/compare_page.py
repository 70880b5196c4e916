"""The page of a comparison: verdict, change, effects, and the map of changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.analysis import RunInfo
from ttr_sim.analysis.compare import ROUTES, TICKETS, Listing
from ttr_sim.analysis.compare_text import side_names, verdict
from ttr_sim.analysis.text import ends, ranked
from ttr_sim.edition.canonical import ticket_keys
from ttr_sim.report.changes import change_map, headline_changes, route_targets, ticket_changes, ticket_targets
from ttr_sim.report.document import foreign_wants, run_facts, run_heading, write_document
from ttr_sim.report.figures import inline_chart, settings
from ttr_sim.report.folder import COMPARED, PAGE, comparison_of, new_report
from ttr_sim.report.numbers import HEADING_UNITS, interval, labeled, signed, written
from ttr_sim.report.tables import Heading, PageCell, PageRow, View, plain_view, write_tables

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.analysis.tables import Unit

NOTABLE = Heading("notable", "sure after correction, and large enough to report")
SURE = {True: "● yes", False: ""}
P = "chance of so large a difference if nothing differed, corrected for the number of questions asked"


def write_comparison(comparison: Comparison, folder: Path, command: str = "", force: bool = False) -> Path:
    """Write the page with its charts and tables."""
    names, edition = side_names(comparison), comparison.b.edition
    called = comparison.called if all(comparison.called) else names
    runs = [RunInfo.of(run) for run in (comparison.a, comparison.b)]
    tables = {name: getattr(comparison, name) for name in COMPARED}
    of_tickets = ticket_targets(edition, ticket_keys(edition), comparison.tickets)
    context = {
        "names": names,
        "comparison": comparison,
        "players": comparison.a.plan.players,
        "verdict": verdict(comparison),
        "moved": any(bool(table["notable"].any()) for table in tables.values()),
        "views": {
            "headlines": _headlines(comparison.headlines, names),
            "tickets": _list(comparison.tickets, TICKETS, names, of_tickets),
            "routes": _list(comparison.routes, ROUTES, names, route_targets(edition, comparison.routes)),
        },
        "command": command,
        "runs": [(run_heading(run), run_facts(run)) for run in runs],
        "banner": foreign_wants(runs),
    }
    with new_report(folder, comparison_of(called), force) as new:
        drawings = new / "charts"
        drawings.mkdir()
        write_tables(tables, new / "tables")
        with settings():
            charts = [chart for chart in (headline_changes(comparison), ticket_changes(comparison)) if chart]
            context["charts"] = {chart.name: inline_chart(chart, drawings) for chart in charts}
            context |= change_map(comparison, drawings)
        write_document(new / PAGE, "compare.html.j2", context)
    return folder / PAGE


def _headlines(table: pd.DataFrame, names: tuple[str, str]) -> View:
    first = Heading("number", "the number that is compared")
    headings = [first, *_headings("", "", names), Heading("p", P, numeric=True), NOTABLE]
    rows: list[list[PageCell | str]] = []
    for row in table.to_dict("records"):
        unit, p = row["unit"], written(row["p_adjusted"], "p")
        rows.append([labeled(row["name"], unit), *_cells(row, "", unit), p, SURE[bool(row["notable"])]])
    meaning = f"The whole game. A difference is {names[1]} minus {names[0]}, with its 95 % interval below it."
    return plain_view("headlines", "Headline numbers", meaning, headings, rows)


def _list(table: pd.DataFrame, listing: Listing, names: tuple[str, str], targets: list[str]) -> View:
    """Lay out tickets or routes, the notable first and the others on demand."""
    kind, thing = listing.keys[2], listing.title.lower().removesuffix("s")
    numbers = [number for number in listing.numbers if table[f"{number.prefix}difference"].notna().any()]
    headings = [Heading(thing, "as its line in the file names its ends"), Heading(kind, "which one it is"), NOTABLE]
    for number in numbers:
        headings += _headings(number.words, HEADING_UNITS.get(number.unit, ""), names)
    shares = [f"{number.prefix}difference" for number in numbers if number.unit == "share"]
    # Most differences are not sure: those rows come last, behind a switch.
    order = ranked(table.assign(size=table[shares].abs().max(axis=1)), "notable", "size")
    rows = []
    for line, row in order.iterrows():
        which = f"{row[kind]} no. {row['copy'] + 1}" if row["copy"] else str(row[kind])
        cells = [PageCell(ends(row)), PageCell(which), PageCell(SURE[bool(row["notable"])])]
        for number in numbers:
            cells += _cells(row, number.prefix, number.unit)
        rows.append(PageRow(cells, targets=targets[int(str(line))], minor=not row["notable"]))
    meanings = "; ".join(f"{number.words}: {number.meaning}" for number in numbers)
    missing = "" if rows and numbers else "There is nothing to compare."
    title, meaning = f"{listing.title} of both", f"{meanings[:1].upper()}{meanings[1:]}."
    return View(listing.name, title, meaning, headings, rows, missing=missing)


def _headings(words: str, unit: str, names: tuple[str, str]) -> Iterator[Heading]:
    """Headings of a number: both sides and their difference."""
    lead = f"{words}, " if words else ""
    for name in names:
        yield Heading(f"{lead}{name}", f"{lead}in {name}", unit, numeric=True)
    meaning = f"{lead}{names[1]} minus {names[0]}, with its 95 % interval"
    yield Heading("difference", meaning, unit, numeric=True)


def _cells(row: Mapping[Any, Any] | pd.Series, prefix: str, unit: Unit) -> Iterator[PageCell]:
    """Write both sides of a number and their difference."""
    for side in "ab":
        yield PageCell(written(row[f"{prefix}{side}"], unit))
    change: Unit = "change" if unit == "share" else unit
    gap, low, high = (row[f"{prefix}{name}"] for name in ("difference", "low", "high"))
    yield PageCell(signed(gap, change), interval(low, high, change, "+"))
