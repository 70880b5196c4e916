"""Headings of a CSV file in another order than its columns: one error, where reading on would find one a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import permutations

from ttr_sim.edition.problems import Problems
from ttr_sim.edition.table import CsvTable

Fits = Mapping[str, Callable[[str], bool]]  # by heading: whether a text could stand below it
CLEARLY = 4  # times fewer texts must be below a heading that they do not fit


def unswapped(table: CsvTable, fits: Fits, problems: Problems) -> CsvTable:
    """Return the table with headings that fit its columns, and one error when they clearly did not."""
    headings = sorted(fits.keys() & table.headings.keys(), key=lambda heading: table.headings[heading].column)
    misfits = {
        (heading, below): sum(not fits[heading](row[below].text) for row in table.rows)
        for heading in headings
        for below in headings
    }
    if not any(misfits[heading, heading] > len(table.rows) / 2 for heading in headings):
        return table
    below = _best_order(headings, misfits)
    moved = {heading: column for heading, column in below.items() if heading != column}
    if sum(misfits[h, h] for h in moved) <= CLEARLY * sum(misfits[pair] for pair in moved.items()):
        return table
    problems.error(table.headings[next(iter(moved))], _sentence(moved))
    return replace(table, rows=[{**row, **{h: row[column] for h, column in moved.items()}} for row in table.rows])


def _best_order(headings: list[str], misfits: Mapping[tuple[str, str], int]) -> dict[str, str]:
    """Return for each heading that whose column it fits, so that few texts are out of place and few headings move."""

    def misplaced(order: Iterable[str]) -> tuple[int, int]:
        pairs = list(zip(headings, order, strict=True))
        return sum(misfits[pair] for pair in pairs), sum(heading != column for heading, column in pairs)

    return dict(zip(headings, min(permutations(headings), key=misplaced), strict=True))


def _sentence(moved: Mapping[str, str]) -> str:
    if len(moved) == 2:
        return "the headings {} and {} are swapped".format(*(f'"{heading}"' for heading in moved))
    owner = {column: heading for heading, column in moved.items()}
    return f"the headings {', '.join(moved)} stand where {', '.join(owner[column] for column in moved)} should stand"
