"""Carry out a plan in its folder: play what is missing, then put the digests together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from ttr_sim.errors import UserError
from ttr_sim.run.draft import tell_when_cold
from ttr_sim.run.finished import Finished, finished_parts
from ttr_sim.run.folder import Record, RunFolder, Session
from ttr_sim.run.interrupted import Interrupted
from ttr_sim.run.parts import parts_of
from ttr_sim.run.playing import PROCESSES, THREADS, Tally, play_parts
from ttr_sim.run.run_digest import run_digests
from ttr_sim.run.watch import Watch
from ttr_sim.run.workers import Table, set_table, warm_up


def carry_out(folder: RunFolder, record: Record, jobs: int, watch: Watch, backend: str | None = None) -> Record:
    """The finished record; every part not yet there is played. `backend` is the bots' own by default."""
    finished = finished_parts(folder, record.plan, record.size.parts, watch.note)
    if len(finished.numbers) < record.size.parts:
        record = _play_missing(folder, record, finished, jobs, watch, backend)
    digest, digest_turns = run_digests(folder, record.plan, record.size.parts)
    if record.digest not in (None, digest) or record.digest_turns not in (None, digest_turns):
        raise UserError(f"the digest in {folder.path / 'run.json'} is not that of its parts; the file was changed")
    complete = replace(record, digest=digest, digest_turns=digest_turns)
    folder.write(complete)
    return complete


def _play_missing(
    folder: RunFolder, record: Record, finished: Finished, jobs: int, watch: Watch, backend: str | None
) -> Record:
    plan = record.plan
    table = _warmed_up(folder, record, watch.note)
    backend = backend or (THREADS if table.bots.compiled else PROCESSES)
    missing = (part for part in parts_of(plan) if part.number not in finished.numbers)
    jobs = min(jobs, record.size.parts - len(finished.numbers))
    began, tally = datetime.now(UTC).isoformat(timespec="seconds"), Tally()
    try:
        with watch.count(record.size.games, finished.games) as show:
            play_parts(plan, folder.path, missing, jobs, backend, tally, lambda games: show(finished.games + games))
    except Interrupted:
        raise Interrupted(f"Interrupted. Go on with: {folder.resume_command}") from None
    finally:
        if tally.games:
            record = record.with_session(Session(began, jobs, backend, tally.games, round(tally.seconds, 3)))
            folder.write(record)
    return record


def _warmed_up(folder: RunFolder, record: Record, note: Callable[[str], None]) -> Table:
    """The parent's own table, with every kernel compiled and loaded, once for all workers."""
    tell_when_cold(note)
    from ttr_sim.engine.compiled import SOURCE_HASH

    plan = record.plan
    table = set_table(plan, folder.path)
    if (plan.kernel, plan.tuning) != (SOURCE_HASH, table.bots.fingerprint):
        raise UserError(
            f"the engine or a bot changed since the run in {folder.path} began, and new parts would not fit the old; "
            "start a new run"
        )
    warm_up(table, plan)
    return table
