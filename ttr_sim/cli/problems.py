"""Sentences for errors that are not bugs: wrong use, bad input, and a machine that is full or too small."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from ttr_sim.errors import UserError, command_line, program

MAX_NAME_LENGTH = 80  # letters of a file's name that a sentence shows
NEEDED_BYTES = 1_500_000_000  # of address space
HEAVY_COMMANDS = {"study", "run", "report", "compare", "audit", "replay", "balance", "tune"}
NUMBERS = {"integer": "a whole number", "float": "a number"}
NO_MEMORY = "there is not enough memory; try fewer --jobs or fewer games, or raise the memory limit"


def sentence_about(error: Exception) -> str | None:
    """Describe an error to the user; None for a bug."""
    match error:
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else program()
            message = re.sub(r"\s*\n\s*", " ", error.format_message()).rstrip(".")
            invalid_number = r"is not a valid (integer|float)(?: range)?$"
            message = re.sub(invalid_number, lambda found: f"is not {NUMBERS[found[1]]}", message)
            return f"{message} See {path} --help" if message.endswith("?") else f"{message}; see {path} --help"
        case click.ClickException():
            return error.format_message()
        case UserError():
            return str(error)
        case MemoryError():
            return NO_MEMORY
        case OSError():
            return _about_system(error)
    # DuckDB and the standard library have no class of ours for this.
    is_out_of_memory = type(error).__name__ == "OutOfMemoryException" or str(error) == "can't start new thread"
    return NO_MEMORY if is_out_of_memory else None


def _about_system(error: OSError) -> str:
    if error.errno in (errno.ENOMEM, errno.EAGAIN):
        return NO_MEMORY
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"a file or the output cannot be written or read: {reason}"
    name = str(error.filename)
    shown = name if len(name) <= MAX_NAME_LENGTH else f"{name[:MAX_NAME_LENGTH]}..."
    return f"cannot use {shown}: {reason}"


def refuse_small_memory(words: Sequence[str]) -> None:
    """Refuse a memory limit under which a library would abort without a sentence."""
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


@contextmanager
def damaged_runs_explained(*runs: Path) -> Iterator[None]:
    """Blame a crash on a run that differs from its plan or checksums; without such a run it is a bug."""
    try:
        yield
    except Exception as error:
        if sentence_about(error) is not None:
            raise
        for run in runs:
            fault = next(_faults(run), None)
            if fault is not None:
                audit = command_line("audit", run)
                raise UserError(f"{run} cannot be read ({fault}); see all that is wrong with: {audit}") from error
        raise


def _faults(run: Path) -> Iterator[str]:
    from ttr_sim.run.opened import open_run
    from ttr_sim.run.verify import check_files, check_plan

    opened = open_run(run)
    yield from check_files(opened, 1)
    yield from (problem.message for problem in check_plan(opened))
