"""Progress on stderr: a bar with speed and time left, or plain lines when stderr is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ttr_sim.cli.output import say

SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Shows how far a command is; `unit` names what is counted."""

    def __init__(self, quiet: bool = False, unit: str = "games") -> None:
        self.quiet = quiet
        self.unit = unit

    def note(self, message: str) -> None:
        if not self.quiet:
            say(message)

    @contextmanager
    def wait(self, message: str) -> Iterator[None]:
        """Show that something goes on whose end cannot be told: on a terminal with a spinner and the time so far."""
        if self.quiet or not sys.stderr.isatty():
            self.note(message)
            yield
            return
        from rich.console import Console
        from rich.progress import Progress as RichProgress
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        with RichProgress(*columns, console=Console(stderr=True), transient=True) as spinner:
            spinner.add_task(message, total=None)
            yield

    @contextmanager
    def count(self, total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
        """Yield a function to call with the count so far, from any thread."""
        if self.quiet:
            yield lambda count: None
        elif sys.stderr.isatty():
            with self._bar(total, done) as show:
                yield _forward(show)
        else:
            yield _forward(_Lines(total, done, self.unit).show)

    @contextmanager
    def _bar(self, total: int, done: int) -> Iterator[Callable[[int], None]]:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (
            BarColumn(),
            TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {self.unit}  {{task.fields[speed]}}"),
            TimeRemainingColumn(),
        )
        pace = _Pace(done)
        with RichProgress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=total, completed=done, speed="")
            yield lambda count: bar.update(task, completed=count, speed=f"{pace.of(count):,.0f}/s")


def _forward(show: Callable[[int], None]) -> Callable[[int], None]:
    """Never show a lower count: a part that has just ended is, for a moment, counted neither as running nor as done."""
    most = 0

    def show_most(count: int) -> None:
        nonlocal most
        most = max(most, count)
        show(most)

    return show_most


class _Pace:
    """Things per second since the first look."""

    def __init__(self, done: int) -> None:
        self.before = done
        self.began = time.monotonic()

    def of(self, count: int) -> float:
        return (count - self.before) / max(time.monotonic() - self.began, 1e-9)


class _Lines:
    """Prints a line every few seconds."""

    def __init__(self, total: int, done: int, unit: str) -> None:
        self.total, self.unit = total, unit
        self.pace = _Pace(done)
        self.next_line = time.monotonic() + SECONDS_BETWEEN_LINES

    def show(self, count: int) -> None:
        if time.monotonic() < self.next_line:
            return
        self.next_line = time.monotonic() + SECONDS_BETWEEN_LINES
        speed = self.pace.of(count)
        left = f", {(self.total - count) / speed:,.0f} s left" if speed else ""
        say(f"{count:,} of {self.total:,} {self.unit}, {speed:,.0f} per second{left}")
