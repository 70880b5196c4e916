"""How a run tells what it is doing, without knowing to whom."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Counter(Protocol):
    """Told how many games are behind us, from time to time and from any thread."""

    def __call__(self, done: int) -> None: ...


class Watch(Protocol):
    def note(self, message: str) -> None:
        """A sentence worth reading."""

    def count(self, total: int, done: int) -> AbstractContextManager[Counter]:
        """Progress from `done` to `total`."""


class Silence:
    """For notebooks and tests."""

    def note(self, message: str) -> None:
        pass

    @contextmanager
    def count(self, total: int, done: int) -> Iterator[Counter]:
        yield _nothing


def _nothing(done: int) -> None:
    pass
