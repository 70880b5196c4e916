"""A run's folder: run.json, the edition played, and for each table a folder of sealed Parquet files, one for each part.

The seal is a SHA-256 over all other bytes of a file, kept in its footer: a flipped byte anywhere
is found without reading a single row.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim import __version__
from ttr_sim.command_line import command_line
from ttr_sim.errors import UserError
from ttr_sim.log import SCHEMA, TABLES
from ttr_sim.run.parts import RunSize, part_file_name
from ttr_sim.run.plan import Plan

RUN_FILE = "run.json"
EDITION_FOLDER = "edition"
BOTS_FOLDER = "bots"
LOCK_FILE = ".lock"
REPORTED_PACKAGES = ("numpy", "numba", "pyarrow", "joblib")

SEAL_KEY = "ttr_sim_seal"
NO_SEAL = "0" * 64
# Key and value as Parquet's footer spells them: the value is a string (18) of 64 bytes (40).
SEAL = re.compile(SEAL_KEY.encode() + rb"\x18\x40([0-9a-f]{64})")
COMPRESSION_LEVEL = 3
PLAIN_COLUMNS = {"game", "turn", "score"}  # numbers that keep counting up are smaller without a dictionary
FILTERED_COLUMNS = ["game"]  # readers skip files by its range; statistics of every column would cost a third more bytes


@dataclass(frozen=True, slots=True)
class Session:
    """One stretch of playing, from its first game to its last part on disk."""

    started: str
    jobs: int
    backend: str
    games: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Record:
    """What run.json holds."""

    plan: Plan
    size: RunSize
    settings: tuple[str, ...]  # every `--set`
    command: str
    versions: dict[str, str]
    sessions: tuple[Session, ...] = ()
    digest: str | None = None  # None until the last part is there
    digest_turns: str | None = None

    @property
    def seconds(self) -> float:
        return sum(session.seconds for session in self.sessions)

    @property
    def games_per_second(self) -> float:
        games = sum(session.games for session in self.sessions)
        return games / self.seconds if self.seconds else 0.0

    def with_session(self, session: Session) -> Record:
        return replace(self, sessions=(*self.sessions, session))

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": self.plan.schema,
            "edition": self.plan.edition,
            "fingerprint": self.plan.fingerprint,
            "set": list(self.settings),
            "plan": self.plan.to_json(),
            "plan_hash": self.plan.hash,
            "command": self.command,
            "versions": self.versions,
            "timings": {
                "seconds": round(self.seconds, 3),
                "games_per_second": round(self.games_per_second, 1),
                "sessions": [asdict(session) for session in self.sessions],
            },
            "parts": self.size.parts,
            "blocks": self.size.blocks,
            "games": self.size.games,
            "digest": self.digest,
            "digest_turns": self.digest_turns,
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Record:
        """Raise KeyError, TypeError or ValueError when something is missing or malformed."""
        plan = Plan.from_json(values["plan"])
        if plan.hash != values["plan_hash"]:
            raise ValueError
        return cls(
            plan,
            RunSize(values["games"], values["blocks"], values["parts"]),
            tuple(values["set"]),
            values["command"],
            dict(values["versions"]),
            tuple(Session(**session) for session in values["timings"]["sessions"]),
            values["digest"],
            values["digest_turns"],
        )


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path

    @property
    def edition(self) -> Path:
        return self.path / EDITION_FOLDER

    @property
    def bots(self) -> Path:
        return self.path / BOTS_FOLDER

    def file(self, table: str, number: int) -> Path:
        return self.path / table / part_file_name(number)

    @property
    def resume_command(self) -> str:
        return command_line("run", "--resume", self.path)

    def trouble(self, error: OSError) -> UserError:
        """Return the sentence for a disk that is full or cannot be written to."""
        sentence = f"cannot use {error.filename or self.path}: {error.strerror or error}"
        if (self.path / RUN_FILE).is_file():
            sentence += f"; after fixing this, continue with: {self.resume_command}"
        return UserError(sentence)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Allow one run at a time in a folder; the system drops the lock with the process, however it ends."""
        from filelock import FileLock, Timeout

        lock = FileLock(self.path / LOCK_FILE, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise UserError(
                f"another ttr-sim is playing into {self.path} right now; wait for it, or choose another --out"
            ) from None
        try:
            yield
        finally:
            lock.release()

    def write(self, record: Record) -> None:
        text = json.dumps(record.to_json(), indent=2, ensure_ascii=False) + "\n"
        unfinished = self.path / f".{RUN_FILE}.{os.getpid()}.tmp"
        try:
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(self.path / RUN_FILE)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise

    def read(self) -> Record:
        """Return the record of run.json; raise UserError when there is none or it is damaged."""
        file = self.path / RUN_FILE
        if not file.is_file():
            raise UserError(f"{self.path} is not a run: it has no {RUN_FILE}")
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
            if values["schema"] not in range(1, SCHEMA + 1):
                raise UserError(f"{file} has schema {values['schema']!r}; this ttr-sim reads schemas 1 to {SCHEMA}")
            return Record.from_json(values)
        except (KeyError, TypeError, ValueError):
            raise UserError(
                f"{file} is damaged; repeat the run's first command with --out {shlex.quote(str(self.path))}: "
                "finished parts are kept"
            ) from None


def versions() -> dict[str, str]:
    python = ".".join(str(number) for number in sys.version_info[:3])
    return {"ttr-sim": __version__, "python": python} | {name: _version(name) for name in REPORTED_PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


class BrokenSealError(Exception):
    """The file is not the one that was written."""


def write_sealed(rows: pa.Table, path: Path, metadata: dict[str, str]) -> int:
    """Write the rows to one file, complete or not at all; return the number of bytes."""
    data = _seal(_parquet_bytes(rows, metadata))
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
    return len(data)


def read_metadata(path: Path) -> dict[str, str]:
    """Return the file's own metadata after checking every byte of the file."""
    data = path.read_bytes()
    _check_seal(data)
    stored = pq.read_metadata(pa.BufferReader(data)).metadata
    return {key.decode(): value.decode() for key, value in stored.items()}


def _parquet_bytes(rows: pa.Table, metadata: dict[str, str]) -> bytes:
    sink = pa.BufferOutputStream()
    how = {
        "compression": "zstd",
        "compression_level": COMPRESSION_LEVEL,
        "write_statistics": FILTERED_COLUMNS,
        "use_dictionary": [name for name in rows.column_names if name not in PLAIN_COLUMNS],
    }
    with pq.ParquetWriter(sink, rows.schema, **how) as writer:
        writer.write_table(rows, row_group_size=max(1, len(rows)))
        writer.add_key_value_metadata({**metadata, SEAL_KEY: NO_SEAL})
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _seal(data: bytes) -> bytes:
    start, end = _seal_place(data)
    return data[:start] + hashlib.sha256(data).hexdigest().encode() + data[end:]


def _check_seal(data: bytes) -> None:
    start, end = _seal_place(data)
    digest = hashlib.sha256(data[:start])
    digest.update(NO_SEAL.encode())
    digest.update(memoryview(data)[end:])
    if digest.hexdigest().encode() != data[start:end]:
        raise BrokenSealError


def _seal_place(data: bytes) -> tuple[int, int]:
    found = SEAL.match(data, max(0, data.rfind(SEAL_KEY.encode())))
    if found is None:
        raise BrokenSealError
    return found.span(1)


def finished_parts(folder: RunFolder, plan: Plan, parts: int, note: Callable[[str], None]) -> dict[int, int]:
    """Return the number of games in each part whose files are all there; every byte of them is checked."""
    _refuse_strangers(folder, plan, parts)
    games = {}
    for number in range(parts):
        files = {table: folder.file(table, number) for table in plan.tables}
        missing = [file for file in files.values() if not file.is_file()]
        if not missing:
            games[number] = [_games_of(file, table, number, plan) for table, file in files.items()][-1]
        elif files["games"] not in missing:
            note(f"{missing[0]} is missing; part {number} is played again")
    return games


def sweep(folder: RunFolder) -> None:
    """Remove the files that a killed run was writing."""
    for unfinished in [*folder.path.glob(".*.tmp"), *folder.path.glob("*/.*.tmp")]:
        unfinished.unlink(missing_ok=True)


def _refuse_strangers(folder: RunFolder, plan: Plan, parts: int) -> None:
    """Refuse files that are not the plan's: readers take every Parquet file of a table's folder."""
    expected = {part_file_name(number) for number in range(parts)}
    for table in TABLES:
        known = expected if table in plan.tables else set()
        for file in sorted((folder.path / table).glob("*.parquet")):
            if file.name not in known:
                raise UserError(f"{file} is not part of this run's plan; move it out of the folder, then run again")


def _games_of(file: Path, table: str, number: int, plan: Plan) -> int:
    try:
        metadata = read_metadata(file)
    except BrokenSealError:
        raise UserError(
            f"{file} is damaged (cut short or changed since it was written); "
            "delete it and run again: only its part is played again"
        ) from None
    if (metadata["plan"], metadata["table"], metadata["part"]) != (plan.hash, table, str(number)):
        raise UserError(
            f"{file} belongs to another plan or part (plan {metadata['plan'][:8]}, part {metadata['part']} of "
            f"{metadata['table']}); move it out of the folder and run again"
        )
    return int(metadata["games"])
