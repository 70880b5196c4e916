"""Crashes over rows that no game can have written, reported in words: a file that is sealed again can hold anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttr_sim.cli.refusals import sentence_about
from ttr_sim.errors import UserError, command_line

LOOKED_AT = 1_000  # games


@contextmanager
def strange_rows_explained(*runs: Path) -> Iterator[None]:
    """Blame a crash on a run with whose rows something is wrong; where nothing is, it is a bug."""
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
    from ttr_sim.referee.audit import audit, batches_of
    from ttr_sim.run.opened import open_run
    from ttr_sim.run.verify import check_files, check_plan

    opened = open_run(run)
    yield from check_files(opened, 1)
    yield from (problem.message for problem in check_plan(opened))
    if "turns" in opened.plan.tables:  # without them there is nothing to follow by the rules
        batches = batches_of(run, LOOKED_AT)
        yield from (violation.sentence() for violation in audit(run, batches, lambda games: None).violations)
