"""Play the missing parts of a run, by workers that share its folder, and record digests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

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
from ttr_sim.engine.play import AT_GAME, AT_SEAT, Games, play_batch
from ttr_sim.errors import Interrupted, UserError
from ttr_sim.files import write_whole
from ttr_sim.log import TABLES
from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.folder import BOTS_FOLDER, EDITION_FOLDER, RUN_FILE, DamagedRecordError, RunFolder, checksum, versions
from ttr_sim.run.honesty import compile_questions, sample
from ttr_sim.run.lineups import Part, distinct_bots, parts_of, seat_blocks, size_of
from ttr_sim.run.plan import FULL, MAX_BOTS, MAX_GAMES, Plan, Request
from ttr_sim.run.read import Run, run_in
from ttr_sim.run.record import Record, Session
from ttr_sim.run.tables import parquet_bytes, part_rows, table_digest
from ttr_sim.run.verify import Allow, are_bots_unchanged, mark_as_own, refuse_foreign_bots
from ttr_sim.run.workers import (
    NOT_PLAYING,
    Backend,
    Control,
    Counter,
    Heartbeat,
    ProgressListener,
    TaskError,
    Watchdog,
    Work,
    WorkerError,
    Workers,
    in_a_process,
)

MOST_LOADED = 4
# Seconds for a look at the users' bots: longer than the alarm of a choice in Python.
MOST_SAMPLING = 90.0


@dataclass(frozen=True, slots=True)
class LoadedGame:
    edition: Edition
    board: np.ndarray
    bots: LoadedBots

    @property
    def is_safe_in_threads(self) -> bool:
        # A user's compiled bot can break its process, which must not be this one.
        return bool(self.bots.compiled and not self.bots.table["guarded"].any())


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """A part on disk, with the checksums of its files by table."""

    part: Part
    seconds: float
    bytes: int
    checksums: dict[str, str]


@dataclass(slots=True)
class SessionSoFar:
    """Parts played so far, timed by the local clock."""

    parts: dict[Part, dict[str, str]]
    games: int = 0
    first_start: float = float("inf")
    last_end: float = 0.0

    def add(self, played: PlayedPart) -> None:
        self.parts[played.part] = played.checksums
        self.games += played.part.games
        self.last_end = time.monotonic()
        self.first_start = min(self.first_start, self.last_end - played.seconds)

    @property
    def seconds(self) -> float:
        return max(0.0, self.last_end - self.first_start) if self.games else 0.0


def play_plan(
    request: Request, plan: Plan, folder: Path, workers: Workers, listener: ProgressListener, command: str
) -> Run:
    """Play a plan into its folder, keeping finished parts."""
    with claimed_folder(request, plan, folder, command) as run:
        mark_as_own(run)
        # The user has just named the bot files.
        return _finish(run, workers, listener, lambda files: True)


def resume(
    folder: Path,
    workers: Workers,
    listener: ProgressListener,
    allow: Allow = lambda files: False,
    games: int | None = None,
) -> Run:
    """Finish a run, optionally grown to `games`."""
    with opened_folder(folder) as run:
        record, present = run.record, run.record.size.games
        # Whole blocks may have made a few more games of those requested.
        least = max(1, present - run.plan.players + 1)
        if games is not None and not least <= games <= MAX_GAMES:
            raise UserError(
                f"{run.path} has {present:,} games, and --games is its new total: from {least:,} to {MAX_GAMES:,}, "
                f"not {games:,}"
            )
        if games is not None and games > present:
            record = replace(record, size=size_of(run.plan, games), digest=None, digest_turns=None)
        return _finish(run_in(run.folder, record, run.edition), workers, listener, allow)


@contextmanager
def claimed_folder(request: Request, plan: Plan, path: Path, command: str) -> Iterator[Run]:
    """Lock the folder and create or check its run."""
    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file; name a folder with --out")
    if path.is_dir() and not (path / RUN_FILE).exists():
        own = {EDITION_FOLDER, BOTS_FOLDER, *TABLES}
        if {entry.name for entry in path.iterdir() if not entry.name.startswith(".")} - own:
            raise UserError(f"{path} is not empty and not a run; name another folder with --out")
    folder = RunFolder(path)
    with folder.disk_errors_explained():
        path.mkdir(parents=True, exist_ok=True)
        with folder.locked():
            record = _record_of_same_plan(folder, plan)
            if record is None:
                # An edition that is already there may be the user's own work.
                if not folder.edition.exists():
                    folder.copy_edition(request.edition, request.settings)
                folder.copy_bots(plan)
                record = Record(plan, size_of(plan), request.settings, command, versions())
                folder.write(record)
            files = files_with(request.edition, request.settings).items()
            paths = [(folder.edition / name, content) for name, content in files]
            is_same = all(file.is_file() and file.read_bytes() == content for file, content in paths)
            yield _tidy(run_in(folder, record, request.edition if is_same else load_edition(folder.edition)))


@contextmanager
def opened_folder(path: Path) -> Iterator[Run]:
    folder = RunFolder(path)
    folder.read()
    with folder.disk_errors_explained(), folder.locked():
        yield _tidy(run_in(folder, folder.read(), load_edition(folder.edition)))


def _tidy(run: Run) -> Run:
    run.folder.sweep()
    for table in run.plan.tables:
        (run.path / table).mkdir(exist_ok=True)
    return run


def _record_of_same_plan(folder: RunFolder, plan: Plan) -> Record | None:
    """Record of the same plan, None if missing or damaged."""
    if not (folder.path / RUN_FILE).is_file():
        return None
    try:
        record = folder.read()
    except DamagedRecordError:
        return None
    differences = []
    for field in fields(Plan):
        there, wanted = getattr(record.plan, field.name), getattr(plan, field.name)
        if there != wanted:
            differences.append(f"{field.name} {_short(there)}, not {_short(wanted)}")
    if differences:
        raise UserError(
            f"{folder.path} holds another run ({'; '.join(differences)}); choose another folder with --out, "
            "or omit --out"
        )
    return record


def _short(value: object) -> str:
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else f"{text[:8]}..."


def _finish(run: Run, workers: Workers, listener: ProgressListener, allow: Allow) -> Run:
    """Play missing parts and complete the record."""
    folder, record = run.folder, run.record
    parts = folder.finished_parts(record, listener.note)
    if len(parts) < record.size.parts:
        refuse_foreign_bots(run, allow)
        record = _play_missing(run, parts, workers, listener)
        # A worker that was killed while it wrote leaves files behind.
        folder.sweep()
    digest, digest_turns = folder.digests(record)
    if record.digest not in (None, digest) or record.digest_turns not in (None, digest_turns):
        raise UserError(f"the digest in {folder.path / RUN_FILE} does not match the parts: the file was changed")
    complete = replace(record, digest=digest, digest_turns=digest_turns)
    if complete != run.record:
        folder.write(complete)
    return run_in(folder, complete, run.edition)


def _play_missing(
    run: Run, finished: dict[Part, dict[str, str]], workers: Workers, listener: ProgressListener
) -> Record:
    folder, plan, size = run.folder, run.plan, run.record.size
    loaded = _load_and_compile(run, listener)
    warnings = dict.fromkeys((*run.record.warnings, *_honesty_warnings(run, loaded.bots, listener)))
    # A growth or a warning is on disk before the first new part. The checksum of an outgrown part is not: if this
    # process is killed after the part is played again, the next session would take the new file for a damaged one.
    record = replace(run.record, warnings=tuple(warnings)[:MAX_BOTS]).with_checksums(finished)
    folder.write(record)
    games_before = sum(part.games for part in finished)
    missing = (part for part in parts_of(plan, size) if part not in finished)
    shared, bots = RunFolder(run.path.resolve()), ", ".join(distinct_bots(plan))  # workers run elsewhere
    work = Work(
        task=partial(play_part, plan, shared),
        items=size.parts - len(finished),
        in_threads=loaded.is_safe_in_threads,
        prepare=partial(compile_on_worker, plan, shared),
        folder=shared.path,
        describe=lambda part: f"part {part.number}, played by {bots}",
        resume_hint=f"continue with: {folder.resume_command}",
        note=listener.note,
    )
    began, session = datetime.now(UTC).isoformat(timespec="seconds"), SessionSoFar(dict(finished))
    with workers.backend(work) as backend, bots_print_to_stderr():
        try:
            with listener.count(size.games, games_before) as show:
                play_parts(plan, missing, backend, session, lambda games, turn=0: show(games_before + games, turn))
        except Interrupted:
            raise Interrupted(f"Interrupted. Continue with: {folder.resume_command}") from None
        finally:
            # Also after Ctrl-C and errors: the next session need not decode the parts of this one.
            record = record.with_checksums(session.parts)
            if session.games:
                played = Session(began, backend.jobs, backend.name, session.games, round(session.seconds, 3))
                record = replace(record, sessions=(*record.sessions, played))
            folder.write(record)
    return record


def _load_and_compile(run: Run, listener: ProgressListener) -> LoadedGame:
    """Load this process's own game and compile every kernel, once for all workers."""
    # Checked before a bot's file is run.
    if run.plan.kernel != SOURCE_HASH or not are_bots_unchanged(run):
        raise UserError(
            f"the engine or a bot changed since the run in {run.path} began, and new parts would not fit the old; "
            "start a new run"
        )
    with compiling(listener), bots_print_to_stderr():
        loaded = load_game(run.plan, run.folder, run.edition)
        compile_engine(loaded.edition)
    return loaded


def _honesty_warnings(run: Run, bots: LoadedBots, listener: ProgressListener) -> list[str]:
    """Warn about user bots that read hidden cards."""
    own = [spec for spec, guarded in zip(bots.specs, bots.table["guarded"], strict=True) if guarded]
    if not own:
        return []
    # In a process: even a compiled bot can read memory that is not its own, which ends the process.
    task = partial(_sample_bots, run.plan, RunFolder(run.path.resolve()))
    prepare = partial(compile_questions, run.edition, run.plan.players)
    sentences = in_a_process(task, MOST_SAMPLING, " or ".join(own), prepare)
    for sentence in sentences:
        listener.note(sentence)
    return sentences


def _sample_bots(plan: Plan, folder: RunFolder) -> list[str]:
    with bots_print_to_stderr():
        return list(sample(load_game(plan, folder).bots, plan.players))


def play_parts(
    plan: Plan,
    parts: Iterator[Part],
    backend: Backend[Part, PlayedPart | None],
    session: SessionSoFar,
    show: Counter,
) -> None:
    """Play every part, recording each result as it arrives."""

    def show_all(done: int, turn: int = 0) -> None:
        show(session.games + done, turn)

    problem = None
    with Watchdog(backend, show_all, partial(describe_hang, plan)).watching():
        for outcome in backend.results(parts):
            if isinstance(outcome, PlayedPart):
                session.add(outcome)
                show(session.games)
            elif isinstance(outcome, TaskError):
                problem = problem or outcome.sentence
                backend.stop()
    if problem is not None:
        raise UserError(problem)
    if backend.stopping:
        raise Interrupted


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


def compile_on_worker(plan: Plan, folder: RunFolder) -> None:
    compile_engine(load_game(plan, folder).edition)


def describe_hang(plan: Plan, at: Heartbeat) -> str:
    part = at.item
    seating = seat_blocks(plan, part.first_block, part.blocks)
    bot = distinct_bots(plan)[seating.bots[at.game, at.seat]]
    where = f"game {part.first_game + at.game}, turn {at.turn}, seat {at.seat}"
    if parse_spec(bot).file is None:
        return (
            f"{where}: this turn takes more than a minute, most likely because the longest path of a large and dense "
            "network is being searched for; give the board fewer trains or no [longest_path]; finished parts are kept"
        )
    return (
        f"{where}: {bot} has not finished its turn in a minute, as in an endless loop or a call into a library that "
        "never returns; finished parts are kept"
    )
