"""Carry out a run: play the missing parts in many workers, write each as it is finished, then take the digests.

A worker gets a plan, a folder and a part, and may be anywhere that shares the folder; see `run.backends`.
"""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bots import LoadedBots, load_bots
from ttr_sim.bots.api import parse_spec
from ttr_sim.bots.loading import bots_print_to_stderr
from ttr_sim.bots.plain_bots import describe_failure
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.engine.batch import Failure, Games, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.jit import SOURCE_HASH
from ttr_sim.engine.play import AT_GAME
from ttr_sim.errors import Interrupted, UserError
from ttr_sim.run.backends import Backend, MishapError, Trouble, Work, Workers
from ttr_sim.run.backends.hanging import in_a_process
from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.control import Controls, Counter, Heartbeat, Watch, watch_over
from ttr_sim.run.digest import entries_digests, run_digests
from ttr_sim.run.folder import NO_SEAL, RUN_FILE, SEAL_KEY, RunFolder, finished_parts, sweep, write_sealed
from ttr_sim.run.honesty import compile_questions, sample
from ttr_sim.run.lineups import Part, Seating, distinct_bots, parts_of, seat_blocks
from ttr_sim.run.opened import Run, claimed_folder, opened_folder, run_in
from ttr_sim.run.plan import FULL, MAX_GAMES, Plan, Request
from ttr_sim.run.record import Record, Session
from ttr_sim.run.table_file import table_file
from ttr_sim.run.tables import Entries, Words, entries_by_table
from ttr_sim.run.trust import Allow, are_bots_unchanged, mark_as_own, refuse_foreign_bots

MOST_LOADED = 4
MOST_SAMPLING = 90.0  # seconds for a look at the users' bots: longer than the alarm of a choice in Python


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """All that the games of a plan are played with."""

    edition: Edition
    board: np.ndarray
    bots: LoadedBots


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """A part on disk."""

    number: int
    games: int
    seconds: float
    bytes: int


PartWork = Work[Part, PlayedPart | None]  # None: stopped
PartBackend = Backend[Part, PlayedPart | None]


@dataclass(slots=True)
class SessionSoFar:
    """What this session has played, by the clock of this machine: those of workers' machines may differ."""

    games: int = 0
    first_start: float = float("inf")
    last_end: float = 0.0

    def add(self, part: PlayedPart) -> None:
        self.games += part.games
        self.last_end = time.monotonic()
        self.first_start = min(self.first_start, self.last_end - part.seconds)

    @property
    def seconds(self) -> float:
        return max(0.0, self.last_end - self.first_start) if self.games else 0.0


def play_plan(request: Request, plan: Plan, folder: Path, workers: Workers, watch: Watch, command: str) -> Run:
    """Play a plan of the request into its folder and return the finished run; what is there already is kept."""
    with claimed_folder(request, plan, folder, command) as run:
        mark_as_own(run)
        return carry_out(_grown(run, plan.games), workers, watch, lambda files: True)  # just named by the user


def resume(
    folder: Path, workers: Workers, watch: Watch, allow: Allow = lambda files: False, games: int | None = None
) -> Run:
    """Finish the run in a folder, grown to `games` if these are given; `allow` is asked before bot files of somebody
    else run."""
    with opened_folder(folder) as present:
        return carry_out(_grown(present, _new_total(present, games)), workers, watch, allow)


def _new_total(run: Run, games: int | None) -> int:
    """Return how many games the run shall have."""
    present = run.record.size.games
    if games is None:
        return present
    least = present - run.plan.players + 1  # whole blocks may have made a few more of those requested
    if not least <= games <= MAX_GAMES:
        raise UserError(
            f"{run.path} has {present:,} games, and --games is its new total: from {least:,} to {MAX_GAMES:,}, "
            f"not {games:,}"
        )
    return games


def _grown(run: Run, games: int) -> Run:
    return run_in(run.folder, run.record.grown_to(games), run.edition)


def carry_out(run: Run, workers: Workers, watch: Watch, allow: Allow) -> Run:
    """Play the parts that are missing and return the finished run; nothing of a bot's file runs where none is."""
    folder, record = run.folder, run.record
    finished = finished_parts(folder, record.plan, record.size.parts, watch.note)
    if len(finished) < record.size.parts:
        refuse_foreign_bots(run, allow)
        record = _play_missing(run, finished, workers, watch)
        sweep(folder)  # of what a worker was writing that was killed
    digest, digest_turns = run_digests(folder, record.plan, record.size.parts)
    if record.digest not in (None, digest) or record.digest_turns not in (None, digest_turns):
        raise UserError(f"the digest in {folder.path / RUN_FILE} does not match the parts: the file was changed")
    complete = replace(record, digest=digest, digest_turns=digest_turns)
    folder.write(complete)
    return run_in(folder, complete, run.edition)


def _play_missing(run: Run, finished: dict[int, int], workers: Workers, watch: Watch) -> Record:
    folder, games_before = run.folder, sum(finished.values())
    loaded = _warmed_up(run, watch)
    record = run.record.with_doubts(doubts_about(run, loaded.bots, watch))
    work = _work(run, loaded, record.size.parts - len(finished), watch.note)
    _refuse_other_cuts(run, finished)
    folder.write(record)  # what grows or is doubted is written down before the first new part is there
    missing = (part for part in parts_of(run.plan, record.stages) if part.number not in finished)
    began, session = datetime.now(UTC).isoformat(timespec="seconds"), SessionSoFar()
    with workers.backend(work) as backend, bots_print_to_stderr():
        try:
            with watch.count(record.size.games, games_before) as show:
                play_parts(run.plan, missing, backend, session, lambda games, turn=0: show(games_before + games, turn))
        except Interrupted:
            raise Interrupted(f"Interrupted. Continue with: {folder.resume_command}") from None
        finally:
            if session.games:
                played = Session(began, backend.jobs, backend.name, session.games, round(session.seconds, 3))
                record = record.with_session(played)
                folder.write(record)
    return record


def _refuse_other_cuts(run: Run, finished: dict[int, int]) -> None:
    """Refuse parts of a run that had grown before its record was lost: they end at other blocks than the plan's."""
    for part in islice(parts_of(run.plan, run.record.stages), max(finished, default=-1) + 1):
        if finished.get(part.number, part.games) != part.games:
            file = run.folder.file("games", part.number)
            raise UserError(
                f"{file} has {finished[part.number]:,} games, not {part.games:,}: the run had grown before its "
                f"{RUN_FILE} was lost; start a new run"
            )


def _work(run: Run, loaded: LoadedGame, parts: int, note: Callable[[str], None]) -> PartWork:
    """Return what the workers have to do; their folder may not be named from where this process happens to be."""
    folder = RunFolder(run.path.resolve())
    return Work(
        task=partial(play_part, run.plan, folder),
        items=parts,
        compiled=loaded.bots.compiled,
        prepare=partial(_prepare, run.plan, folder),
        folder=folder.path,
        describe=lambda part: f"part {part.number}",
        how_to_go_on=f"continue with: {run.folder.resume_command}",
        note=note,
    )


def _prepare(plan: Plan, folder: RunFolder) -> None:
    compile_engine(load_game(plan, folder).edition, plan.players, plan.log == FULL)


def _warmed_up(run: Run, watch: Watch) -> LoadedGame:
    """Load the parent's own game and compile every kernel, once for all workers."""
    plan = run.plan
    if plan.kernel != SOURCE_HASH or not are_bots_unchanged(run):  # checked before a bot's file is run
        raise UserError(
            f"the engine or a bot changed since the run in {run.path} began, and new parts would not fit the old; "
            "start a new run"
        )
    with compiling(watch), bots_print_to_stderr():
        loaded = load_game(plan, run.folder, run.edition)
        compile_engine(loaded.edition, plan.players, plan.log == FULL)
    return loaded


def doubts_about(run: Run, bots: LoadedBots, watch: Watch) -> list[str]:
    """Say which of the users' bots look at what is hidden. They are asked where they can do no harm: even a compiled
    one can read memory that is nobody's, which ends its process."""
    own = [spec for spec, guarded in zip(bots.specs, bots.table.guarded, strict=True) if guarded]
    if not own:
        return []
    task = partial(_sampled, run.plan, RunFolder(run.path.resolve()))
    sentences = in_a_process(
        task, MOST_SAMPLING, " or ".join(own), partial(compile_questions, run.edition, run.plan.players)
    )
    for sentence in sentences:
        watch.note(sentence)
    return sentences


def _sampled(plan: Plan, folder: RunFolder) -> list[str]:
    with bots_print_to_stderr():
        return list(sample(load_game(plan, folder).bots, plan.players))


def play_parts(plan: Plan, parts: Iterator[Part], backend: PartBackend, session: SessionSoFar, show: Counter) -> None:
    """Return when every part is on disk; what was played before an exception stays there and in the session."""
    reason = None

    with watch_over(
        backend, lambda under_way, turn=0: show(session.games + under_way, turn), partial(describe_hang, plan)
    ):
        for outcome in backend.results(parts):
            if isinstance(outcome, PlayedPart):
                session.add(outcome)
                show(session.games)
            elif isinstance(outcome, Trouble):
                reason = reason or outcome.sentence
                backend.stop()
    if reason is not None:
        raise UserError(reason)
    if backend.stopping:
        raise Interrupted


def play_part(plan: Plan, folder: RunFolder, part: Part, controls: Controls) -> PlayedPart | None:
    """Play and write one part, unless stopped."""
    if controls.stopping:
        return None
    try:
        return _play_and_write(plan, folder, part, controls)
    except OSError as error:
        raise MishapError(str(folder.trouble(error))) from None
    except MemoryError:
        raise MishapError(
            f"there is not enough memory; with fewer --jobs, continue with: {folder.resume_command}"
        ) from None


def _play_and_write(plan: Plan, folder: RunFolder, part: Part, controls: Controls) -> PlayedPart | None:
    started = time.monotonic()
    loaded = load_game(plan, folder)
    with controls.of_this_thread(part) as control:
        entries = play(plan, loaded, part, control)
        if entries is None:
            return None
        control[AT_GAME] = part.games  # all are finished while they are written
        size = _write(plan, folder, part, entries, Words.of(distinct_bots(plan), loaded.edition))
    return PlayedPart(part.number, part.games, time.monotonic() - started, size)


def play(plan: Plan, loaded: LoadedGame, part: Part, control: NDArray[np.int64]) -> dict[str, Entries] | None:
    """Return the part's rows, or None when stopped."""
    seating = seat_blocks(plan, part.first_block, part.blocks)
    games = Games(seating.deals, seating.rotations, seating.bots, seating.places)
    log_turns = plan.log == FULL
    log = play_batch(loaded.board, plan.players, plan.seed, games, loaded.bots.table, log_turns, control)
    if log.stopped:
        return None
    if log.failure is not None:
        raise UserError(_describe_failure(log.failure, loaded.bots, part, seating))
    return entries_by_table(log, part, seating)


def _write(plan: Plan, folder: RunFolder, part: Part, entries: dict[str, Entries], words: Words) -> int:
    """Write the part's files and return the number of bytes."""
    digests = entries_digests({table: entries[table] for table in plan.tables}, words)
    size = 0
    for table in plan.tables:
        metadata = _metadata(plan, part, table, digests[table])
        file = table_file(table, entries[table], words, metadata)
        write_sealed(file, folder.file(table, part.number))
        size += len(file)
    return size


def _metadata(plan: Plan, part: Part, table: str, digests: bytes) -> dict[str, str]:
    return {
        "plan": plan.hash,
        "table": table,
        "part": str(part.number),
        "first_block": str(part.first_block),
        "first_game": str(part.first_game),
        "games": str(part.games),
        "block_digests": b64encode(digests).decode(),
        SEAL_KEY: NO_SEAL,
    }


_loaded_games: dict[tuple[Plan, Path], LoadedGame] = {}


def load_game(plan: Plan, folder: RunFolder, edition: Edition | None = None) -> LoadedGame:
    """Load once in a process; the parent does it before its threads do, with the edition it has read."""
    key = plan, folder.path.resolve()
    if key not in _loaded_games:
        edition = edition or load_edition(folder.edition)
        bots = load_bots(distinct_bots(plan), edition, folder.bots)
        while len(_loaded_games) >= MOST_LOADED:
            _loaded_games.pop(next(iter(_loaded_games)))
        _loaded_games[key] = LoadedGame(edition, compile_board(edition), bots)
    return _loaded_games[key]


def describe_hang(plan: Plan, at: Heartbeat) -> str:
    """Return the sentence about a bot that never answers, or about a longest path: our own styles always answer."""
    seating = seat_blocks(plan, at.part.first_block, at.part.blocks)
    bot = distinct_bots(plan)[seating.bots[at.game, at.seat]]
    where = _where(at.part.first_game + at.game, at.turn, at.seat)
    if parse_spec(bot).file is None:
        return (
            f"{where}: this turn takes more than a minute, most likely because the longest path of a large and dense "
            "network is being searched for; give the board fewer trains or no [longest_path]; finished parts are kept"
        )
    return f"{where}: {bot} has not finished its turn in a minute; finished parts are kept"


def _describe_failure(failure: Failure, bots: LoadedBots, part: Part, seating: Seating) -> str:
    bot = int(seating.bots[failure.game, failure.seat])
    where = _where(part.first_game + failure.game, failure.turn, failure.seat)
    trouble = describe_failure(bots, bot, failure.answer, failure.board, failure.state)
    return f"{where}: {trouble}; finished parts are kept"


def _where(game: int, turn: int, seat: int) -> str:
    return f"game {game}, turn {turn}, seat {seat}"
