"""What is printed, and what happens when it cannot be: the disk is full, or the pipe or terminal at the other end is
closed."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TextIO

import click

from ttr_sim.errors import UserError

_unsaid: list[OSError] = []


def prepare() -> None:
    """Replace letters that the terminal's encoding lacks: city names have many."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(message: str) -> None:
    """Write a line to stderr. Where that fails, only the exit code is left to tell it, by `finish`."""
    try:
        click.echo(message, err=True)
    except OSError as error:
        _unsaid.append(error)


@contextmanager
def closed_pipe_explained() -> Iterator[None]:
    """Keep a closed pipe from click, which would leave without a word and with 1, the exit code for findings."""
    try:
        yield
    except BrokenPipeError as error:
        raise UserError("the output was closed before everything was written") from error


def finish() -> OSError | None:
    """Write out what is still held back; return what prevented it."""
    if sys.stdout is None:  # closed before the program began
        return OSError(errno.EBADF, os.strerror(errno.EBADF))
    troubles = [_flush(sys.stdout), _flush(sys.stderr), *_unsaid]
    _unsaid.clear()
    return next((trouble for trouble in troubles if trouble is not None), None)


def _flush(stream: TextIO | None) -> OSError | None:
    try:
        if stream is not None:
            stream.flush()
    except OSError as error:
        _discard(stream)
        return error
    return None


def _discard(stream: TextIO | None) -> None:
    """Send what is left to nowhere, or Python would fail on it once more, while it exits."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]
