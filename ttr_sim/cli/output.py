"""Terminal output: text layout, messages to stderr, progress, and streams that are closed or full."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from textwrap import fill
from typing import TYPE_CHECKING, Any, TextIO

import click

from ttr_sim.errors import UserError, program

if TYPE_CHECKING:
    import pandas as pd
    from rich.progress import Progress as RichProgress
    from rich.progress import ProgressColumn

    from ttr_sim.analysis.analysis import Analysis

MAX_WIDTH = 100
SECONDS_BETWEEN_LINES = 10.0
# Private letters for the spaces and hyphens at which no line may break.
GLUE = {ord(" "): "\ue000", ord("-"): "\ue001"}
UNGLUE = {ord(glued): chr(loose) for loose, glued in GLUE.items()}
_lost_messages: list[OSError] = []

Show = Callable[..., None]  # takes the count so far, and the turn that the longest running game has reached


def aligned(headings: Sequence[str], rows: Sequence[Sequence[object]], left: int | None = None) -> str:
    """Format a table: numbers, or all columns after the first `left`, are set to the right."""
    written = [list(headings)]
    for row in rows:
        texts = (f"{cell:.3f}" if isinstance(cell, float) else cell for cell in row)
        written.append(["-" if text is None else str(text) for text in texts])
    lines = [""] * len(written)
    for place in range(len(headings)):
        width = max(len(cells[place]) for cells in written)
        if left is None:
            is_right = all(row[place] is None or isinstance(row[place], int | float) for row in rows)
        else:
            is_right = place >= left
        for number, cells in enumerate(written):
            cell = cells[place].rjust(width) if is_right else cells[place].ljust(width)
            lines[number] += f"  {cell}" if place else cell
    return "\n".join(line.rstrip() for line in lines)


def paragraph(sentence: str, first: str = "", others: str = "") -> str:
    """Wrap a sentence to the terminal, indented by `first` and `others`."""
    width = min(shutil.get_terminal_size((MAX_WIDTH, 0)).columns, MAX_WIDTH)
    return fill_around_commands(sentence, width, initial_indent=first, subsequent_indent=others)


def fill_around_commands(sentence: str, width: int, **how: Any) -> str:
    """Wrap a sentence, but never within a command, which is to be pasted."""
    # A command begins after a colon or a backtick and ends at a semicolon or a backtick.
    command = rf"(?:(?<=: )|(?<=`)){re.escape(program())} [^;`]*"
    glued = re.sub(command, lambda found: found[0].translate(GLUE), sentence)
    return fill(glued, width, break_long_words=False, **how).translate(UNGLUE)


def bullet(sentence: str) -> str:
    return paragraph(sentence, "- ", "  ")


def findings_text(analysis: Analysis) -> str:
    """Format the edition's title and its findings, one paragraph each."""
    paragraphs = [bullet(finding.sentence) for finding in analysis.findings]
    return "\n".join([f"{analysis.edition.title}: what stands out", *paragraphs, ""])


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


def print_json(value: object, indent: int | None = None) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=indent))


def records(
    table: pd.DataFrame, columns: Sequence[str] | None = None, renamed: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Rows as JSON objects with null for NaN, of all columns or of some under other names."""
    # JSON has no NaN, and readers in other languages refuse it.
    chosen = (table if columns is None else table[list(columns)]).rename(columns=dict(renamed or {}))
    rows: list[dict[str, Any]] = [
        {str(name): value for name, value in row.items()} for row in chosen.to_dict("records")
    ]
    for row in rows:
        for name, value in row.items():
            if isinstance(value, float) and math.isnan(value):
                row[name] = None
    return rows


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


@contextmanager
def closed_pipe_explained() -> Iterator[None]:
    """Raise our own error for a closed pipe."""
    # click would leave without a word and with 1, the exit code for findings
    try:
        yield
    except BrokenPipeError as error:
        raise UserError("the output was closed before everything was written") from error


def flush_output() -> OSError | None:
    """Write out buffered text and give back the first error, of an earlier message too."""
    # Python has no stdout when it was closed before the program began (`>&-`).
    if sys.stdout is None:
        return OSError(errno.EBADF, os.strerror(errno.EBADF))
    failures = [_flush(sys.stdout), _flush(sys.stderr), *_lost_messages]
    _lost_messages.clear()
    return next((failure for failure in failures if failure is not None), None)


def _flush(stream: TextIO | None) -> OSError | None:
    try:
        if stream is not None:
            stream.flush()
    except OSError as error:
        # Python flushes once more while it exits, and would fail again: send the rest to nowhere.
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]
        return error
    return None


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
            return
        # rich takes a tenth of a second to load, so only a terminal pays for it.
        from rich.progress import SpinnerColumn, TimeElapsedColumn

        with _rich_progress(SpinnerColumn(), "{task.description}", TimeElapsedColumn()) as spinner:
            spinner.add_task(message, total=None)
            yield

    @contextmanager
    def count(self, total: int, done: int = 0) -> Iterator[Show]:
        """Yield a function to call with the count so far, from any thread."""
        if self.quiet:
            yield lambda count, turn=0: None
        elif sys.stderr.isatty():
            from rich.progress import BarColumn, TimeRemainingColumn

            counts = f"{{task.completed:,.0f}} of {{task.total:,.0f}} {self.unit}  {{task.fields[speed]}}"
            with _rich_progress(BarColumn(), counts, TimeRemainingColumn()) as bar:
                task = bar.add_task("", total=total, completed=done, speed="")
                yield _with_speed(done, lambda most, speed, text: bar.update(task, completed=most, speed=text))
        else:
            next_line = time.monotonic() + SECONDS_BETWEEN_LINES

            def print_line(most: int, speed: float, text: str) -> None:
                nonlocal next_line
                if time.monotonic() >= next_line:
                    next_line = time.monotonic() + SECONDS_BETWEEN_LINES
                    left = f", {(total - most) / speed:,.0f} s left" if speed else ""
                    print_message(f"{most:,} of {total:,} {self.unit}, {text}{left}")

            yield _with_speed(done, print_line)


def _with_speed(done: int, display: Callable[[int, float, str], None]) -> Show:
    """Pass on the count with the speed since now, as a number and as text."""
    # Games of an earlier session are in `done`: they took no time of this one.
    start, most = time.monotonic(), done

    def show(count: int, turn: int = 0) -> None:
        nonlocal most
        # A part that has just ended is, for a moment, counted neither as running nor as done.
        most = max(most, count)
        speed = (most - done) / max(time.monotonic() - start, 1e-9)
        # A game that takes longer than a second names its turn, which shows that it goes on.
        if speed < 1 and turn:
            display(most, speed, f"{speed:.2f} per second, now at turn {turn}")
        else:
            display(most, speed, f"{speed:,.0f} per second")

    return show


def _rich_progress(*columns: str | ProgressColumn) -> RichProgress:
    from rich.console import Console
    from rich.progress import Progress as RichProgress

    return RichProgress(*columns, console=Console(stderr=True), transient=True)
