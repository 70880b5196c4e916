"""Play the missing parts of a run, by workers that share its folder, and record digests."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ttr_sim.bots import LoadedBots, load_bots
from ttr_sim.bots.api import parse_spec
from ttr_sim.bots.loading import bots_print_to_stderr
from ttr_sim.bots.plain_bots import describe_failure
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import files_with
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.jit import SOURCE_HASH
from ttr_sim.engine.play import AT_GAME, AT_SEAT, Games, new_control, play_batch
from ttr_sim.errors import Interrupted, UserError
from ttr_sim.files import write_whole
from ttr_sim.log import TABLES
from ttr_sim.run.folder import BOTS_FOLDER, EDITION_FOLDER, RUN_FILE, DamagedRecordError, RunFolder, checksum, versions
from ttr_sim.run.honesty import compile_questions, examine
from ttr_sim.run.lineups import Part, RunSize, distinct_bots, parts_of, seat_blocks, size_of
from ttr_sim.run.plan import FULL, MAX_BOTS, MAX_GAMES, Plan, Request
from ttr_sim.run.processes import compile_engine, compiling, in_a_process
from ttr_sim.run.read import Run, are_bots_unchanged, mark_as_own, refuse_foreign_bots, run_in
from ttr_sim.run.record import Record, Session
from ttr_sim.run.tables import parquet_bytes, part_rows, table_digest
from ttr_sim.run.workers import NOT_PLAYING, Control, Heartbeat, ProgressListener, Work, WorkerError, Workers

MOST_LOADED = 4
# A look at users' bots at the start of a run. Its most seconds are longer than the alarm of a choice in Python.
SAMPLE_DECISIONS, SAMPLE_SECONDS, MOST_SAMPLING = 60, 2.0, 90.0
PROBE_SECONDS, PROBE_GROWTH = 0.5, 4
# A bot that searches may think for minutes, so only a game that never ends takes so long.
MOST_PROBING = 1_800.0


class LoadedGame(NamedTuple):
    edition: Edition
    board: np.ndarray
    bots: LoadedBots

    @property
    def is_safe_in_threads(self) -> bool:
        # A user's compiled bot can break its process, which must not be this one.
        return bool(self.bots.compiled and not self.bots.table["guarded"].any())


class PlayedPart(NamedTuple):
    """A part on disk, with the checksums of its files by table."""

    part: Part
    seconds: float
    bytes: int
    checksums: dict[str, str]


class RunCost(NamedTuple):
    size: RunSize
    bytes: int
    seconds: float


def play_plan(
    request: Request, plan: Plan, path: Path, workers: Workers, listener: ProgressListener, command: str
) -> Run:
    """Play a plan into its folder, keeping finished parts."""
    folder, own = RunFolder(path), {EDITION_FOLDER, BOTS_FOLDER, *TABLES}
    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file; name a folder with --out")
    foreign = {entry.name for entry in path.glob("*") if not entry.name.startswith(".")} - own
    if foreign and not (path / RUN_FILE).exists():
        raise UserError(f"{path} is not empty and not a run; name another folder with --out")
    with folder.locked():
        try:
            record = folder.read() if (path / RUN_FILE).is_file() else None
        except DamagedRecordError:
            record = None
        if record is None:
            # An edition that is already there may be the user's own work.
            if not folder.edition.exists():
                folder.copy_edition(request.edition, request.settings)
            folder.copy_bots(plan)
            record = Record(plan, size_of(plan), request.settings, command, versions())
            folder.write(record)
        refuse_other_plan(path, record.plan, plan)
        files = [(folder.edition / name, data) for name, data in files_with(request.edition, request.settings).items()]
        is_same = all(file.is_file() and file.read_bytes() == data for file, data in files)
        run = run_in(folder, record, request.edition if is_same else load_edition(folder.edition))
        mark_as_own(run)
        # The user has just named the bot files.
        return finish(run, workers, listener, lambda files: True)


def resume(
    path: Path,
    workers: Workers,
    listener: ProgressListener,
    allow: Callable[[str], bool] = lambda files: False,
    games: int | None = None,
) -> Run:
    """Finish a run, optionally grown to `games`."""
    folder = RunFolder(path)
    folder.read()
    with folder.locked():
        record, edition = folder.read(), load_edition(folder.edition)
        present = record.size.games
        # Whole blocks may have made a few more games of those requested.
        least = max(1, present - record.plan.players + 1)
        if games is not None and not least <= games <= MAX_GAMES:
            raise UserError(
                f"{path} has {present:,} games, and --games is its new total: from {least:,} to {MAX_GAMES:,}, "
                f"not {games:,}"
            )
        if games is not None and games > present:
            record = replace(record, size=size_of(record.plan, games), digest=None, digest_turns=None)
        return finish(run_in(folder, record, edition), workers, listener, allow)


def refuse_other_plan(path: Path, present: Plan, wanted: Plan) -> None:
    def short(value: object) -> str:
        text = ",".join(value) if isinstance(value, tuple) else str(value)
        return text if len(text) <= 40 else f"{text[:8]}..."

    pairs = [(field.name, getattr(present, field.name), getattr(wanted, field.name)) for field in fields(Plan)]
    differences = [f"{name} {short(there)}, not {short(here)}" for name, there, here in pairs if there != here]
    if differences:
        raise UserError(
            f"{path} holds another run ({'; '.join(differences)}); choose another folder with --out, or omit --out"
        )


def finish(run: Run, workers: Workers, listener: ProgressListener, allow: Callable[[str], bool]) -> Run:
    """Play missing parts and complete the record, in a locked folder."""
    folder, record = run.folder, run.record
    # A run or worker that was killed while it wrote leaves files behind.
    folder.sweep()
    parts = folder.finished_parts(record, listener.note)
    if len(parts) < record.size.parts:
        refuse_foreign_bots(run, allow)
        # Checked before a bot's file is run.
        if run.plan.kernel != SOURCE_HASH or not are_bots_unchanged(run):
            raise UserError(
                f"the engine or a bot changed since the run in {run.path} began, and new parts would not fit the old; "
                "start a new run"
            )
        record = play_missing(run, parts, workers, listener)
        folder.sweep()
    digest, digest_turns = folder.digests(record)
    if record.digest not in (None, digest) or record.digest_turns not in (None, digest_turns):
        raise UserError(f"the digest in {folder.path / RUN_FILE} does not match the parts: the file was changed")
    complete = replace(record, digest=digest, digest_turns=digest_turns)
    if complete != run.record:
        folder.write(complete)
    return run_in(folder, complete, run.edition)


def play_missing(
    run: Run, finished: dict[Part, dict[str, str]], workers: Workers, listener: ProgressListener
) -> Record:
    """Play every part that is not there, and record each result as it arrives."""
    folder, plan, size = run.folder, run.plan, run.record.size
    # Workers run elsewhere.
    shared, bots = RunFolder(run.path.resolve()), ", ".join(distinct_bots(plan))
    for table in plan.tables:
        (run.path / table).mkdir(exist_ok=True)
    # Once for all workers, and this process's own game.
    with compiling(listener), bots_print_to_stderr():
        loaded = load_game(plan, folder, run.edition)
        compile_engine(loaded.edition)
    own = [spec for spec, guarded in zip(loaded.bots.specs, loaded.bots.table["guarded"], strict=True) if guarded]
    found = list[str]()
    if own:
        # In a process: even a compiled bot can read memory that is not its own, which ends the process.
        prepare = partial(compile_questions, run.edition, plan.players)
        found = in_a_process(partial(sample_bots, plan, shared), MOST_SAMPLING, " or ".join(own), prepare)
    for sentence in found:
        listener.note(sentence)
    warnings = dict.fromkeys((*run.record.warnings, *found))
    # A growth or a warning is on disk before the first new part. The checksum of an outgrown part is not: if this
    # process is killed after the part is played again, the next session would take the new file for a damaged one.
    record = replace(run.record, warnings=tuple(warnings)[:MAX_BOTS]).with_checksums(finished)
    folder.write(record)
    work = Work(
        task=partial(play_part, plan, shared),
        items=size.parts - len(finished),
        in_threads=loaded.is_safe_in_threads,
        folder=shared.path,
        describe=lambda part: f"part {part.number}, played by {bots}",
        describe_hang=partial(describe_hang, plan),
        resume_hint=f"continue with: {folder.resume_command}",
        note=listener.note,
    )
    missing = (part for part in parts_of(plan, size) if part not in finished)
    games = games_before = sum(part.games for part in finished)
    played = dict(finished)
    # Timed by the local clock: those of other machines differ.
    began, first_start, last_end = datetime.now(UTC).isoformat(timespec="seconds"), float("inf"), 0.0
    with workers.pool(work) as pool, bots_print_to_stderr():
        try:
            with listener.count(size.games, games) as show:

                def show_all(done: int, turn: int) -> None:
                    show(games + done, turn)

                for result in pool.results(missing, show_all):
                    if result is not None:  # not stopped
                        played[result.part] = result.checksums
                        games += result.part.games
                        last_end = time.monotonic()
                        first_start = min(first_start, last_end - result.seconds)
        except Interrupted:
            raise Interrupted(f"Interrupted. Continue with: {folder.resume_command}") from None
        finally:
            # Also after Ctrl-C and errors: the next session need not decode the parts of this one.
            record = record.with_checksums(played)
            if games > games_before:
                seconds = round(max(0.0, last_end - first_start), 3)
                session = Session(began, pool.jobs, pool.name, games - games_before, seconds)
                record = replace(record, sessions=(*record.sessions, session))
            folder.write(record)
    return record


def sample_bots(plan: Plan, folder: RunFolder) -> list[str]:
    """Sentences about users' bots that look at hidden cards, by a sample of their decisions."""
    with bots_print_to_stderr():
        bots = load_game(plan, folder).bots
        own = np.flatnonzero(bots.table["guarded"]).tolist()
        troubles = [examine(bots, bot, plan.players, 1, SAMPLE_DECISIONS, SAMPLE_SECONDS).trouble for bot in own]
    return [trouble for trouble in troubles if trouble is not None]


def play_part(plan: Plan, folder: RunFolder, part: Part, control: Control) -> PlayedPart | None:
    """Play and write one part, or None when stopped."""
    started = time.monotonic()
    try:
        loaded = load_game(plan, folder)
        seating = seat_blocks(plan, part.first_block, part.blocks)
        games = Games(seating.deals, seating.rotations, seating.bots, seating.places)
        full = plan.log == FULL
        log = play_batch(loaded.board, plan.players, plan.seed, games, loaded.bots.table, full, control)
        if log.stopped:
            return None
        if log.failure is not None:
            failure, bot = log.failure, int(seating.bots[log.failure.game, log.failure.seat])
            where = f"game {part.first_game + failure.game}, turn {failure.turn}, seat {failure.seat}"
            problem = describe_failure(loaded.bots, bot, failure.answer, failure.board, failure.state)
            raise UserError(f"{where}: {problem}; finished parts are kept")
        control[AT_GAME], control[AT_SEAT] = part.games, NOT_PLAYING
        # A games file marks its part as complete, so that of an outgrown part goes before the others change.
        folder.file("games", part.number).unlink(missing_ok=True)
        checksums, size = {}, 0
        for table, rows in part_rows(log, part, seating, plan, loaded.edition).items():
            cut = {name: str(getattr(part, name)) for name in ("first_block", "first_game", "games")}
            names = {"plan": plan.hash, "table": table, "part": str(part.number)}
            content = parquet_bytes(table, rows, {**names, **cut, "digest": table_digest(table, rows)})
            write_whole(folder.file(table, part.number), content)
            checksums[table], size = checksum(content), size + len(content)
    except OSError as error:
        raise WorkerError(str(folder.trouble(error))) from None
    except MemoryError:
        raise WorkerError(
            f"there is not enough memory; with fewer --jobs, continue with: {folder.resume_command}"
        ) from None
    return PlayedPart(part, time.monotonic() - started, size, checksums)


_loaded_games: dict[tuple[Plan, Path], LoadedGame] = {}
_loading = threading.Lock()


def load_game(plan: Plan, folder: RunFolder, edition: Edition | None = None) -> LoadedGame:
    key = plan, folder.path.resolve()
    # A Dask worker has several threads: without the lock they load a game twice, and drop games of each other.
    with _loading:
        if key not in _loaded_games:
            edition = edition or load_edition(folder.edition)
            bots = load_bots(distinct_bots(plan), edition, folder.bots)
            while len(_loaded_games) >= MOST_LOADED:
                _loaded_games.pop(next(iter(_loaded_games)))
            _loaded_games[key] = LoadedGame(edition, compile_board(edition), bots)
        return _loaded_games[key]


def estimate_cost(request: Request, plan: Plan, jobs: int, listener: ProgressListener) -> RunCost:
    """Estimate a run's time and disk space from a short probe of it, for `--dry-run`."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch))
        folder.copy_edition(request.edition, request.settings)
        folder.copy_bots(plan)
        for table in plan.tables:
            (folder.path / table).mkdir()
        with compiling(listener):
            loaded = load_game(plan, folder, request.edition)
            compile_engine(request.edition)
        with listener.wait("playing a few games to measure"):
            if loaded.is_safe_in_threads:
                loading, probe = play_probes(plan, folder)
            else:
                # As in a run, a user's bot must not end or block this process.
                probing, names = partial(play_probes, plan, folder), " or ".join(distinct_bots(plan))
                loading, probe = in_a_process(probing, MOST_PROBING, names)
    games = [part.games for part in parts_of(plan)]
    # Parts are whole, and only the last one is short. Workers take turns, so the first worker is the busiest.
    busiest = sum(games[:: min(jobs, len(games))])
    bytes_on_disk = round(probe.bytes / probe.part.games * sum(games))
    return RunCost(size_of(plan), bytes_on_disk, loading + probe.seconds / probe.part.games * busiest)


def play_probes(plan: Plan, folder: RunFolder) -> tuple[float, PlayedPart]:
    """Seconds that only a process's first part takes, and the last of ever larger probes."""
    whole = next(parts_of(plan))

    def probe(blocks: int) -> PlayedPart:
        games = len(seat_blocks(plan, 0, blocks).deals)
        played = play_part(plan, folder, Part(0, 0, blocks, 0, games), new_control())
        assert played is not None, "nobody stops it"
        return played

    # One block at first: bots that search may take seconds for a game.
    first, began, latest = probe(1), time.monotonic(), probe(1)
    loading = max(0.0, first.seconds - latest.seconds)
    while latest.part.blocks < whole.blocks and time.monotonic() - began < PROBE_SECONDS:
        latest = probe(min(latest.part.blocks * PROBE_GROWTH, whole.blocks))
    return loading, latest


def describe_hang(plan: Plan, at: Heartbeat) -> str:
    seating = seat_blocks(plan, at.item.first_block, at.item.blocks)
    bot = distinct_bots(plan)[seating.bots[at.game, at.seat]]
    where = f"game {at.item.first_game + at.game}, turn {at.turn}, seat {at.seat}"
    cause = (
        f"{bot} has not finished its turn in a minute, as in an endless loop or a call into a library that never "
        "returns"
    )
    if parse_spec(bot).file is None:
        cause = (
            "this turn takes more than a minute, most likely because the longest path of a large and dense network is "
            "being searched for; give the board fewer trains or no [longest_path]"
        )
    return f"{where}: {cause}; finished parts are kept"
