"""Sentences for errors that are not bugs: wrong use, bad input, and a machine that is full or too small."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ttr_sim.errors import UserError, command_line, program

MAX_NAME_LENGTH = 80  # letters of a file's name that a sentence shows
NUMBERS = {"integer": "a whole number", "float": "a number"}
NO_MEMORY = "there is not enough memory; try fewer --jobs or fewer games, or raise the memory limit"


def sentence_about(error: Exception) -> str | None:
    """Describe an error to the user. A bug has no sentence."""
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
        case OSError() if error.errno not in (errno.ENOMEM, errno.EAGAIN):
            place = "a file or the output cannot be written or read"
            if error.filename is not None:
                name = str(error.filename)
                place = f"cannot use {name if len(name) <= MAX_NAME_LENGTH else f'{name[:MAX_NAME_LENGTH]}...'}"
            return f"{place}: {error.strerror or error}"
    # DuckDB and threads have no class of ours for this.
    is_out_of_memory = isinstance(error, MemoryError | OSError) or type(error).__name__ == "OutOfMemoryException"
    return NO_MEMORY if is_out_of_memory or str(error) == "can't start new thread" else None


@contextmanager
def damaged_runs_explained(*runs: Path) -> Iterator[None]:
    """Blame a crash on a run that differs from its plan or checksums, if there is one."""
    try:
        yield
    except Exception as error:
        if sentence_about(error) is not None:
            raise
        from ttr_sim.run.read import open_run
        from ttr_sim.run.verify import check_files, check_plan

        for run in runs:
            opened = open_run(run)
            faults = check_files(opened, 1) or [problem.message for problem in check_plan(opened)]
            for fault in faults[:1]:
                audit = command_line("audit", run)
                raise UserError(f"{run} cannot be read ({fault}); see all that is wrong with: {audit}") from error
        raise
