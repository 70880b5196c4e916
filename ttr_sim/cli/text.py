"""Plain text for the terminal: aligned tables and wrapped sentences."""

from __future__ import annotations

from collections.abc import Sequence

import click

WIDTH = 100


def aligned(headings: Sequence[str], rows: Sequence[Sequence[object]], left: int | None = None) -> str:
    """Return the rows in columns two spaces apart; those that hold only numbers, or all after the first `left`, are
    set to the right."""
    written = [[_written(cell) for cell in row] for row in rows]
    columns = list(zip(headings, *written, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    if left is None:
        right = [all(_is_number(row[place]) for row in rows) for place in range(len(headings))]
    else:
        right = [place >= left for place in range(len(headings))]
    lines = (
        "  ".join(cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in zip_row).rstrip()
        for zip_row in (zip(line, widths, right, strict=True) for line in [list(headings), *written])
    )
    return "\n".join(lines)


def paragraph(sentence: str) -> str:
    return click.wrap_text(sentence, WIDTH)


def bullet(sentence: str) -> str:
    return click.wrap_text(sentence, WIDTH, "- ", "  ")


def _written(cell: object) -> str:
    if cell is None:
        return "-"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def _is_number(cell: object) -> bool:
    return cell is None or isinstance(cell, int | float)
