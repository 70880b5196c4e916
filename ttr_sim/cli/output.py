"""Terminal output: text layout, messages to stderr, progress, and streams that are closed or full."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from io import TextIOWrapper
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.errors import program

if TYPE_CHECKING:
    import pandas as pd


MAX_WIDTH = 100
SECONDS_BETWEEN_LINES = 10.0
# Private letters for the spaces and hyphens at which no line may break.
GLUE = {ord(" "): "\ue000", ord("-"): "\ue001"}
UNGLUE = {ord(glued): chr(loose) for loose, glued in GLUE.items()}
COLORS = {"met": "green", "missed": "red", "open": "yellow", "odd": "yellow"}
EIGHTHS = " ▏▎▍▌▋▊▉"  # of a bar's character
PLAIN = {"✓": "+", "✗": "x", "–": "-", "−": "-", "±": "+-", "·": "|", "’": "'", "…": "."}
PLAIN |= dict.fromkeys(f"█{EIGHTHS[1:]}", "#")
_lost_messages: list[OSError] = []

Show = Callable[..., None]  # takes the count so far, and the turn that the longest running game has reached


def aligned(headings: Sequence[str], rows: Sequence[Sequence[object]], left: int | None = None) -> str:
    """Format a table with numbers, or all columns after `left`, to the right."""
    columns = []
    for place, heading in enumerate(headings):
        cells = [row[place] for row in rows]
        texts = [heading]
        for cell in cells:
            texts.append("-" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else str(cell))
        is_number = all(cell is None or isinstance(cell, int | float) for cell in cells)
        is_right = is_number if left is None else place >= left
        width = max(map(len, texts))
        columns.append([text.rjust(width) if is_right else text.ljust(width) for text in texts])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def paragraph(sentence: str, first: str = "", others: str = "") -> str:
    """Wrap a sentence to the terminal, but never within a command, which is to be pasted."""
    # A command begins after a colon or a backtick and ends at a semicolon or a backtick.
    command = rf"(?:(?<=: )|(?<=`)){re.escape(program())} [^;`]*"
    glued = re.sub(command, lambda found: found[0].translate(GLUE), sentence)
    width = min(shutil.get_terminal_size((MAX_WIDTH, 0)).columns, MAX_WIDTH)
    lines = fill(glued, width, break_long_words=False, initial_indent=first, subsequent_indent=others)
    return lines.translate(UNGLUE)


def counted(number: int, thing: str, things: str | None = None) -> str:
    return f"{f'{number:,}' if number else 'no'} {thing if number == 1 else things or f'{thing}s'}"


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


def print_json(value: object, indent: int | None = None) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=indent))


def print_lines(lines: Iterable[str]) -> None:
    """Print with colors where the terminal has them, and in plain letters where it lacks the symbols."""
    color = False if os.environ.get("NO_COLOR") else None
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    for line in lines:
        text = line
        if encoding.lower().replace("-", "") != "utf8":
            for letter, plain in PLAIN.items():
                text = text.replace(letter, plain)
            text = text.encode(encoding, "backslashreplace").decode(encoding)
        click.echo(text, color=color)


def symbol(state: str) -> str:
    """Colored letter of a state: met, open, missed or odd."""
    from ttr_sim.analysis.verdict import SYMBOLS

    return click.style(SYMBOLS[state], fg=COLORS[state], bold=True)


def next_step(heading: str, command: str, why: str) -> str:
    return f"  {heading:<5} {command:<28}  {click.style(why, dim=True)}"


def open_page(address: str, progress: Progress) -> None:
    """Open a page in the user's browser."""
    import webbrowser

    if not webbrowser.open(address):
        progress.note(f"no browser was found; open {address} yourself")


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON objects, with null for NaN."""
    # JSON has no NaN, and readers in other languages refuse it.
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def print_message(message: str) -> None:
    """Write a line to stderr. `flush_output` reports a failure."""
    try:
        click.echo(message, err=True)
    except OSError as error:
        _lost_messages.append(error)


def prepare_output() -> None:
    """Replace letters that the terminal's encoding lacks: city names have many."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def flush_output() -> OSError | None:
    """Flush both streams, giving the first error of any output."""
    failures = [*_lost_messages]
    _lost_messages.clear()
    # Python has no stdout when it was closed before the program began (`>&-`).
    if sys.stdout is None:
        failures.append(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError as error:
            failures.append(error)
            # Python flushes once more while it exits, and would fail again: send the rest to nowhere.
            with suppress(OSError, ValueError, AttributeError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return failures[0] if failures else None


class Progress:
    """Progress on stderr: a bar on a terminal, else a line now and then."""

    def __init__(self, quiet: bool = False, unit: str = "games") -> None:
        self.quiet = quiet
        self.unit = unit

    def note(self, message: str) -> None:
        if not self.quiet:
            print_message(message)

    @contextmanager
    def wait(self, message: str) -> Iterator[None]:
        """Show a spinner and the time so far during work of unknown length."""
        if self.quiet or not sys.stderr.isatty():
            self.note(message)
            yield
        else:
            with _bar(message):
                yield

    @contextmanager
    def count(self, total: int, done: int = 0) -> Iterator[Show]:
        """Yield a function to call with the count so far, from any thread."""
        if self.quiet:
            yield lambda count, turn=0: None
            return
        # Games of an earlier session are in `done`: they took no time of this one.
        start, most = time.monotonic(), done
        next_line = start + SECONDS_BETWEEN_LINES
        with _bar("", total, done) if sys.stderr.isatty() else nullcontext() as update:

            def show(count: int, turn: int = 0) -> None:
                nonlocal most, next_line
                # A part that has just ended is, for a moment, counted neither as running nor as done.
                most = max(most, count)
                speed = (most - done) / max(time.monotonic() - start, 1e-9)
                # A game that takes longer than a second names its turn, which shows that it goes on.
                is_slow = speed < 1 and turn
                text = f"{speed:.2f} per second, now at turn {turn}" if is_slow else f"{speed:,.0f} per second"
                text = f"{most:,} of {total:,} {self.unit}, {text}"
                if update is not None:
                    update(text, most)
                elif time.monotonic() >= next_line:
                    next_line = time.monotonic() + SECONDS_BETWEEN_LINES
                    print_message(text + (f", {(total - most) / speed:,.0f} s left" if speed else ""))

            yield show


@contextmanager
def _bar(text: str, total: int | None = None, done: int = 0) -> Iterator[Callable[[str, int], None]]:
    """Show a bar, or a spinner without a total, and yield a function that changes its text and count."""
    # rich takes a tenth of a second to load, so only a terminal pays for it.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TimeElapsedColumn, TimeRemainingColumn

    first, last = (SpinnerColumn(), TimeElapsedColumn()) if total is None else (BarColumn(), TimeRemainingColumn())
    with Progress(first, "{task.description}", last, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=total, completed=done)
        yield lambda text, count: bar.update(task, description=text, completed=count)
