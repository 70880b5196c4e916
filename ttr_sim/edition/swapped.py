"""Two swapped headings of a CSV file: one error, where reading on would find one for every row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import permutations

from ttr_sim.edition.problems import Problems
from ttr_sim.edition.table import CsvTable

Fits = Mapping[str, Callable[[str], bool]]  # by heading: whether a text could stand below it


def unswapped(table: CsvTable, fits: Fits, problems: Problems) -> CsvTable:
    """Return the table, with two headings exchanged and one error when they are clearly swapped."""
    headings = [heading for heading in fits if heading in table.headings]
    misfits = {
        (heading, below): sum(not fits[heading](row[below].text) for row in table.rows)
        for heading in headings
        for below in headings
    }

    def gain(pair: tuple[str, str]) -> int:
        """Count the misfits that an exchange leaves, four times, against those there are."""
        a, b = pair
        return misfits[a, a] + misfits[b, b] - 4 * (misfits[a, b] + misfits[b, a])

    wrong = [pair for pair in permutations(headings, 2) if misfits[pair[0], pair[0]] > len(table.rows) / 2]
    pair = max(wrong, key=gain, default=None)
    if pair is None or gain(pair) <= 0:
        return table
    a, b = sorted(pair, key=lambda heading: table.headings[heading].column)
    problems.error(table.headings[a], f'the headings "{a}" and "{b}" are swapped')
    return replace(table, rows=[{**row, a: row[b], b: row[a]} for row in table.rows])
