"""Plain text for the terminal: aligned tables and wrapped sentences."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from textwrap import fill
from typing import Any

from ttr_sim.errors import program

MOST_WIDTH = 100
GLUED = {ord(" "): "\ue000", ord("-"): "\ue001"}  # private letters, at which no line ends
LOOSE = {ord(glued): chr(loose) for loose, glued in GLUED.items()}


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


def paragraph(sentence: str, first: str = "", others: str = "") -> str:
    """Return the sentence wrapped to the terminal, its lines indented by `first` and `others`."""
    return fill_around_commands(sentence, _width(), initial_indent=first, subsequent_indent=others)


def fill_around_commands(sentence: str, width: int, **how: Any) -> str:
    """Wrap a sentence, but no command in it, which is to be pasted; it ends with the sentence, at a semicolon or a
    backtick."""
    command = rf"(?:(?<=: )|(?<=`)){re.escape(program())} [^;`]*"
    glued = re.sub(command, lambda found: found[0].translate(GLUED), sentence)
    return fill(glued, width, break_long_words=False, **how).translate(LOOSE)


def bullet(sentence: str) -> str:
    return paragraph(sentence, "- ", "  ")


def counted(number: int, thing: str) -> str:
    return f"{f'{number:,}' if number else 'no'} {thing}{'' if number == 1 else 's'}"


def file_size(count: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count:,.0f} bytes"


def duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def _width() -> int:
    """Return the terminal's width, within what is easy to read; the largest where there is no terminal."""
    return min(shutil.get_terminal_size((MOST_WIDTH, 0)).columns, MOST_WIDTH)


def _written(cell: object) -> str:
    if cell is None:
        return "-"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def _is_number(cell: object) -> bool:
    return cell is None or isinstance(cell, int | float)
