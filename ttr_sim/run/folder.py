"""A run's folder: run.json, the edition played, and for each table a folder of sealed Parquet files, one for each part.

The seal is a SHA-256 over all other bytes of a file, kept in its footer: a flipped byte anywhere
is found without reading a single row.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim import __version__
from ttr_sim.errors import UserError, command_line, no_run
from ttr_sim.files import write_whole
from ttr_sim.log import TABLES
from ttr_sim.run.lineups import part_file_name
from ttr_sim.run.plan import Plan
from ttr_sim.run.record import MalformedError, OtherSchemaError, Record, parse_record
from ttr_sim.run.tables import schema_of

RUN_FILE = "run.json"
MAX_RECORD_BYTES = 2_000_000  # a thousand times what we write
EDITION_FOLDER = "edition"
BOTS_FOLDER = "bots"
LOCK_FILE = ".lock"
REPORTED_PACKAGES = ("numpy", "numba", "pyarrow", "joblib")

SEAL_KEY = "ttr_sim_seal"
NO_SEAL = "0" * 64  # until all other bytes are there
# Key and value as Parquet's footer spells them: the value is a string (18) of 64 bytes (40).
SEAL = re.compile(SEAL_KEY.encode() + rb"\x18\x40([0-9a-f]{64})")
PART_METADATA = {"plan", "table", "part", "first_block", "first_game", "games", "block_digests"}
PART_FILE = re.compile(r"part-(\d{5,9})\.parquet")


class DamagedRecordError(UserError):
    """What run.json says of a run is lost, but its parts may be whole."""


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

    def part_numbers(self, table: str) -> list[int]:
        """Return the numbers of the parts whose file of this table is there, in order."""
        found = (PART_FILE.fullmatch(file.name) for file in (self.path / table).glob("*.parquet") if file.is_file())
        return sorted(int(name[1]) for name in found if name)

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
        write_whole(self.path / RUN_FILE, text.encode())

    def read(self) -> Record:
        """Return the record of run.json; raise UserError when there is none or it is damaged."""
        file = self.path / RUN_FILE
        if not file.is_file():
            raise no_run(self.path)
        try:
            if file.stat().st_size > MAX_RECORD_BYTES:
                raise MalformedError(f"it is larger than {MAX_RECORD_BYTES:,} bytes")
            return parse_record(file.read_text(encoding="utf-8"))
        except (MalformedError, UnicodeDecodeError) as error:
            raise DamagedRecordError(
                f"{file} is damaged: {error}; repeat the study it is of, or the run's first command with --out "
                f"{shlex.quote(str(self.path))}: finished parts are kept"
            ) from None
        except OtherSchemaError as error:
            raise UserError(f"{file} {error}; read it with the version that wrote it, or play it again") from None
        except OSError as error:
            raise UserError(f"{file} cannot be read: {error}") from None


def finished_digest(plan: Plan) -> str | None:
    """Return the digest of a plan's run in its usual folder, if it is finished and no part is missing."""
    folder = RunFolder(plan.default_folder)
    try:
        record = folder.read()
    except UserError:
        return None
    is_whole = all(len(folder.part_numbers(table)) == record.size.parts for table in plan.tables)
    return record.digest if is_whole else None


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


def write_sealed(file: bytearray, path: Path) -> None:
    """Seal a Parquet file that has a place for it in its metadata, and write it complete or not at all."""
    _seal(file)
    write_whole(path, file)


def read_metadata(path: Path) -> dict[str, str]:
    """Return the file's own metadata after checking every byte of the file."""
    return _metadata_of(_checked_footer(path))


def _checked_footer(path: Path) -> pq.FileMetaData:
    data = path.read_bytes()
    _check_seal(data)
    try:
        return pq.read_metadata(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:  # sealed, but no Parquet
        raise BrokenSealError from error


def _metadata_of(footer: pq.FileMetaData) -> dict[str, str]:
    try:
        return {key.decode(): value.decode() for key, value in footer.metadata.items()}
    except UnicodeDecodeError as error:
        raise BrokenSealError from error


def _seal(data: bytearray) -> None:
    start, end = _seal_place(data)
    data[start:end] = hashlib.sha256(data).hexdigest().encode()


def _check_seal(data: bytes) -> None:
    start, end = _seal_place(data)
    digest = hashlib.sha256(data[:start])
    digest.update(NO_SEAL.encode())
    digest.update(memoryview(data)[end:])
    if digest.hexdigest().encode() != data[start:end]:
        raise BrokenSealError


def _seal_place(data: bytes | bytearray) -> tuple[int, int]:
    found = SEAL.match(data, max(0, data.rfind(SEAL_KEY.encode())))
    if found is None:
        raise BrokenSealError
    return found.span(1)


def finished_parts(folder: RunFolder, plan: Plan, parts: int, note: Callable[[str], None]) -> dict[int, int]:
    """Return the number of games in each part whose files are all there; every byte of them is checked."""
    _refuse_strangers(folder, plan, parts)
    games = {}
    for number in sorted({number for table in plan.tables for number in folder.part_numbers(table)}):
        files = {table: folder.file(table, number) for table in plan.tables}
        missing = [file for file in files.values() if not file.is_file()]
        if not missing:
            games[number] = [_games_of(file, table, number, plan) for table, file in files.items()][-1]
        elif files["games"] not in missing:
            note(f"{missing[0]} is missing; part {number} is played again")
    return games


def sweep(folder: RunFolder) -> None:
    """Remove the files that a killed run, or a killed worker, was writing."""
    for unfinished in [*folder.path.glob(".*.tmp"), *folder.path.glob("*/.*.tmp")]:
        unfinished.unlink(missing_ok=True)


def _refuse_strangers(folder: RunFolder, plan: Plan, parts: int) -> None:
    """Refuse files that are not the plan's: readers take every Parquet file of a table's folder."""
    for table in TABLES:
        known = parts if table in plan.tables else 0
        for file in sorted((folder.path / table).glob("*.parquet")):
            name = PART_FILE.fullmatch(file.name)
            if name is None or int(name[1]) >= known or file.name != part_file_name(int(name[1])):
                raise UserError(f"{file} is not part of this run's plan; move it out of the folder, then run again")


def _games_of(file: Path, table: str, number: int, plan: Plan) -> int:
    try:
        footer = _checked_footer(file)
        metadata = _metadata_of(footer)
        if not metadata.keys() >= PART_METADATA:
            raise BrokenSealError
        _refuse_other_part(file, metadata, (plan.hash, table, str(number)))
        return _games_in(footer, metadata, schema_of(table))
    except BrokenSealError:
        raise UserError(
            f"{file} is damaged (cut short or changed since it was written); "
            f"delete it, then play its part again with: {RunFolder(file.parent.parent).resume_command}"
        ) from None


def _refuse_other_part(file: Path, metadata: dict[str, str], wanted: tuple[str, str, str]) -> None:
    plan, table, part = found = metadata["plan"], metadata["table"], metadata["part"]
    if found != wanted:
        raise UserError(
            f"{file} belongs to another plan or part (plan {plan[:8]}, part {part[:9]} of {table[:9]}); "
            "move it out of the folder and run again"
        )


def _games_in(footer: pq.FileMetaData, metadata: dict[str, str], columns: pa.Schema) -> int:
    """Return the number of games in a part; whoever can seal a file can put anything into it."""
    try:
        if footer.schema.to_arrow_schema() != columns:
            raise BrokenSealError
        b64decode(metadata["block_digests"], validate=True)
        return int(metadata["games"])
    except (pa.ArrowException, ValueError) as error:
        raise BrokenSealError from error
