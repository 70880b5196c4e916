"""Numbers and lists in sentences, the order of lists, and values that are shown as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.edition.model import Edition

    Row = pd.Series | Mapping[Any, Any]

MINUS = "−"
IDENTITY = ("from", "to", "color", "deck", "copy", "city", "name", "bot", "variant", "seat")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Summary:
    """A value that a notebook and `print` show as a heading and a list of sentences."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{self._heading()} ({len(self._sentences())} sentences; print it to read them)"

    def __str__(self) -> str:
        return "\n".join([self._heading(), *(f"- {sentence}" for sentence in self._sentences())])

    def _repr_html_(self) -> str:
        entries = "".join(f"<li>{escape(sentence)}</li>" for sentence in self._sentences())
        return f"<p><b>{escape(self._heading())}</b></p><ul>{entries}</ul>"

    def _heading(self) -> str:
        raise NotImplementedError

    def _sentences(self) -> list[str]:
        raise NotImplementedError


def ends(row: Row) -> str:
    """Write a route or ticket, as everywhere: `A–B`, in the file's order."""
    return f"{row['from']}–{row['to']}"


def than_words(edition: Edition) -> str:
    """Name the tickets that each is compared with."""
    return "the average ticket" if edition.is_race else "tickets as long"


def with_players(counts: Iterable[int]) -> str:
    """Write `with 2, 3 and 5 players` (0: all counts together)."""
    known = sorted(set(counts) - {0})
    return f"with {listed(f'{count:.0f}' for count in known)} players" if known else "over all player counts"


def listed(words: Iterable[str], most: int = 99) -> str:
    """Write `a, b and c`, or `a, b and 3 more`."""
    every = list(words)
    shown = every if len(every) <= most else [*every[:most], f"{len(every) - most} more"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def decimal(value: float, decimals: int = 1, plus: str = "") -> str:
    """Write a number with a true minus, and zero without a sign."""
    text = f"{abs(value):,.{decimals}f}"
    return f"{MINUS if value < 0 else plus}{text}" if text.strip("0.,") else text


def ranked(rows: pd.DataFrame, *columns: str, ascending: bool | Sequence[bool] = False) -> pd.DataFrame:
    """Sort rows by columns, and equals by name, not by row."""
    orders = [ascending] * len(columns) if isinstance(ascending, bool) else list(ascending)
    identity = [name for name in IDENTITY if name in rows and name not in columns]
    return rows.sort_values([*columns, *identity], ascending=[*orders, *[True] * len(identity)], kind="stable")
