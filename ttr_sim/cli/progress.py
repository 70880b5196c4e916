"""Progress on stderr: a bar with speed and time left, or plain lines when stderr is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ttr_sim.cli.output import say

SECONDS_BETWEEN_LINES = 10.0

Show = Callable[..., None]  # receives the count so far, and the turn of the game that has come farthest


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
    def count(self, total: int, done: int = 0) -> Iterator[Show]:
        """Yield a function to call with the count so far, from any thread."""
        if self.quiet:
            yield lambda count, turn=0: None
        elif sys.stderr.isatty():
            with self._bar(total, done) as show:
                yield _forward(show)
        else:
            yield _forward(_Lines(total, done, self.unit).show)

    @contextmanager
    def _bar(self, total: int, done: int) -> Iterator[Show]:
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
            yield lambda count, turn=0: bar.update(task, completed=count, speed=pace.words(count, turn))


def _forward(show: Show) -> Show:
    """Never show a lower count: a part that has just ended is, for a moment, counted neither as running nor as done."""
    most = 0

    def show_most(count: int, turn: int = 0) -> None:
        nonlocal most
        most = max(most, count)
        show(most, turn)

    return show_most


class _Pace:
    """Things per second since the first look."""

    def __init__(self, done: int) -> None:
        self.before = done
        self.began = time.monotonic()

    def of(self, count: int) -> float:
        return (count - self.before) / max(time.monotonic() - self.began, 1e-9)

    def words(self, count: int, turn: int) -> str:
        """Return the pace; of what takes longer than a second, also the turn, which shows that it goes on."""
        pace = self.of(count)
        return f"{pace:,.0f} per second" if pace >= 1 or not turn else f"{pace:.2f} per second, now at turn {turn}"


class _Lines:
    """Prints a line every few seconds."""

    def __init__(self, total: int, done: int, unit: str) -> None:
        self.total, self.unit = total, unit
        self.pace = _Pace(done)
        self.next_line = time.monotonic() + SECONDS_BETWEEN_LINES

    def show(self, count: int, turn: int = 0) -> None:
        if time.monotonic() < self.next_line:
            return
        self.next_line = time.monotonic() + SECONDS_BETWEEN_LINES
        speed = self.pace.of(count)
        left = f", {(self.total - count) / speed:,.0f} s left" if speed else ""
        say(f"{count:,} of {self.total:,} {self.unit}, {self.pace.words(count, turn)}{left}")
