"""The tables of a comparison as its page shows them: both numbers, then the difference with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.compare.layout import ROUTES, TICKETS, Listing
from ttr_sim.report.numbers import HEADING_UNITS, MINUS, MISSING, written
from ttr_sim.report.views import Cell, Heading, Row, View

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.analysis.tables import Unit

CHANGES: dict[Unit, Unit] = {"share": "change"}  # the unit of a difference
NOTABLE = Heading("notable", "", "sure after correction, and large enough to report", numeric=False, leads=False)
P = "chance of so large a difference if nothing differed, corrected for the number of questions asked"


def compare_views(comparison: Comparison, names: tuple[str, str], targets: Mapping[str, list[str]]) -> dict[str, View]:
    """By name; `targets` are what the rows of a list point at on the map."""
    return {
        "headlines": _headlines(comparison.headlines, names),
        "tickets": _list(comparison.tickets, TICKETS, names, targets["tickets"]),
        "routes": _list(comparison.routes, ROUTES, names, targets["routes"]),
    }


def _headlines(table: pd.DataFrame, names: tuple[str, str]) -> View:
    headings = [
        Heading("number", "", "what is compared", numeric=False, leads=False),
        *_headings("", "", names),
        Heading("p", "", P, numeric=True, leads=False),
        NOTABLE,
    ]
    rows = [
        Row("", None, "", [Cell(_with_unit(row)), *_cells(row, "", row["unit"]), _p(row, ""), _flag(row["notable"])])
        for row in table.to_dict("records")
    ]
    meaning = "The whole game. A difference is B minus A, with its 95 % interval below it."
    return View("headlines", "Headline numbers", meaning, headings, rows, [], "")


def _list(table: pd.DataFrame, listing: Listing, names: tuple[str, str], targets: list[str]) -> View:
    numbers = [number for number in listing.numbers if table[f"{number.prefix}difference"].notna().any()]
    headings = [
        *(Heading(key, "", "which one it is", numeric=False, leads=False) for key in listing.keys[:3]),
        NOTABLE,
        *(heading for n in numbers for heading in _headings(n.words, HEADING_UNITS.get(n.unit, ""), names)),
    ]
    shares = [f"{number.prefix}difference" for number in numbers if number.unit == "share"]
    order = table.assign(size=table[shares].abs().max(axis=1)).sort_values(
        ["notable", "size"], ascending=False, kind="stable"
    )
    rows = []
    for place, row in order.iterrows():
        cells = [cell for number in numbers for cell in _cells(row, number.prefix, number.unit)]
        keys = [Cell(_key(row, key)) for key in listing.keys[:3]]
        rows.append(Row("", None, targets[int(str(place))], [*keys, _flag(row["notable"]), *cells]))
    meaning = "; ".join(f"{number.words}: {number.meaning}" for number in numbers)
    missing = "" if rows and numbers else "There is nothing to compare."
    title = f"{listing.title} of both"
    return View(listing.name, title, f"{meaning[:1].upper()}{meaning[1:]}.", headings, rows, [], missing)


def _headings(words: str, unit: str, names: tuple[str, str]) -> Iterator[Heading]:
    lead = f"{words}, " if words else ""
    for side, name in zip("AB", names, strict=True):
        yield Heading(f"{lead}{side}", unit, name, numeric=True, leads=False)
    yield Heading("difference", "", f"{lead}B minus A, with its 95 % interval", numeric=True, leads=False)


def _cells(row: Mapping[Any, Any] | pd.Series, prefix: str, unit: Unit) -> Iterator[Cell]:
    yield from (Cell(written(row[f"{prefix}{side}"], unit)) for side in "ab")
    change = CHANGES.get(unit, unit)
    gap, low, high = (_signed(row[f"{prefix}{name}"], change) for name in ("difference", "low", "high"))
    yield Cell(gap, "" if MISSING in (low, high) else f"{low} to {high}")


def _signed(value: float, unit: Unit) -> str:
    text = written(abs(value), unit).lstrip("+")
    if not any(digit in "123456789" for digit in text):
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


def _with_unit(row: Mapping[Any, Any]) -> str:
    unit = "%" if row["unit"] == "share" else HEADING_UNITS.get(row["unit"], "")
    return f"{row['name']}, {unit}" if unit and unit not in row["name"].lower() else row["name"]


def _key(row: pd.Series, key: str) -> str:
    return f"{row[key]} no. {row['copy'] + 1}" if key in ("color", "deck") and row["copy"] else str(row[key])


def _p(row: Mapping[Any, Any], prefix: str) -> Cell:
    return Cell(written(row[f"{prefix}p_adjusted"], "p"))


def _flag(notable: bool) -> Cell:
    return Cell("● yes" if notable else "")
