"""Sentences for what is not a bug: wrong use, bad input, and a machine that is full, closed or too small."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence

import click

from ttr_sim.errors import UserError, program

LONGEST_NAME = 80  # letters of a file's name that a sentence shows
NEEDED_BYTES = 1_500_000_000  # of address space
HEAVY_COMMANDS = {"study", "run", "report", "compare", "audit", "replay", "balance", "tune"}
NUMBERS = {"integer": "a whole number", "float": "a number"}
WRONG_NUMBER = re.compile(r"is not a valid (integer|float)(?: range)?$")
BREAK = re.compile(r"\s*\n\s*")
SMALLER = "try fewer --jobs or fewer games, or raise the memory limit"


def sentence_about(error: Exception) -> str | None:
    """Return what to tell the user, or None when the error is a bug."""
    match error:
        case click.UsageError():
            return _about_usage(error)
        case click.ClickException():
            return error.format_message()
        case UserError():
            return str(error)
        case MemoryError():
            return f"there is not enough memory; {SMALLER}"
        case OSError():
            return _about_system(error)
    return f"there is not enough memory; {SMALLER}" if _is_out_of_memory(error) else None


def refuse_small_memory(words: Sequence[str]) -> None:
    """Refuse a limit under which the libraries of these commands would end the process before we can say why."""
    if not words or words[0] not in HEAVY_COMMANDS or {"-h", "--help"} & set(words):
        return
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < NEEDED_BYTES:
        raise UserError(
            f"this process may use {limit / 1e9:.1f} GB of memory (ulimit -v), and {words[0]} needs "
            f"{NEEDED_BYTES / 1e9:.1f} GB; raise the limit"
        )


def _about_usage(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else program()
    message = BREAK.sub(" ", error.format_message()).rstrip(".")
    message = WRONG_NUMBER.sub(lambda found: f"is not {NUMBERS[found[1]]}", message)
    return f"{message} See {path} --help" if message.endswith("?") else f"{message}; see {path} --help"


def _about_system(error: OSError) -> str:
    if error.errno in (errno.ENOMEM, errno.EAGAIN):
        return f"there is not enough memory; {SMALLER}"
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"a file or the output cannot be written or read: {reason}"
    return f"cannot use {_shortened(str(error.filename))}: {reason}"


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."


def _is_out_of_memory(error: Exception) -> bool:
    """Return whether a library ran out of memory, or of threads, and says so in its own way."""
    return type(error).__name__ == "OutOfMemoryException" or str(error) == "can't start new thread"
