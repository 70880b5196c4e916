"""A run's folder: run.json, the edition and bots that were played, and for each table one Parquet file a part."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim import __version__
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import write_folder
from ttr_sim.errors import UserError, command_line, no_run
from ttr_sim.files import write_whole
from ttr_sim.log import TABLES
from ttr_sim.run.lineups import Part, distinct_bots, parts_of
from ttr_sim.run.plan import Plan
from ttr_sim.run.record import MalformedError, OtherSchemaError, Record, parse_record
from ttr_sim.run.tables import schema_of, table_digest

RUN_FILE = "run.json"
MAX_RECORD_BYTES = 50_000_000  # a hundred million games have 50,000 parts
EDITION_FOLDER = "edition"
BOTS_FOLDER = "bots"
LOCK_FILE = ".lock"
REPORTED_PACKAGES = ("numpy", "numba", "pyarrow", "joblib")
PART_FILE = re.compile(r"part-(\d{5,9})\.parquet")


class DamagedRecordError(UserError):
    """Unusable run.json. Its parts may still be intact."""


class BrokenFileError(Exception):
    """A part's file changed after it was written."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path

    @property
    def edition(self) -> Path:
        return self.path / EDITION_FOLDER

    @property
    def bots(self) -> Path:
        return self.path / BOTS_FOLDER

    @property
    def resume_command(self) -> str:
        return command_line("run", "--resume", self.path)

    def file(self, table: str, number: int) -> Path:
        return self.path / table / f"part-{number:05d}.parquet"

    def part_numbers(self, table: str) -> list[int]:
        """Numbers of the parts with a file of this table, in order."""
        found = (PART_FILE.fullmatch(file.name) for file in (self.path / table).glob("*.parquet") if file.is_file())
        return sorted(int(name[1]) for name in found if name)

    def trouble(self, error: OSError) -> UserError:
        """Error for a full or read-only disk."""
        sentence = f"cannot use {error.filename or self.path}: {error.strerror or error}"
        if (self.path / RUN_FILE).is_file():
            sentence += f"; after fixing this, continue with: {self.resume_command}"
        return UserError(sentence)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder, and explain a full or read-only disk."""
        from filelock import FileLock, Timeout

        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with FileLock(self.path / LOCK_FILE, timeout=0):
                yield
        except Timeout:
            raise UserError(
                f"another ttr-sim is playing into {self.path} right now; wait for it, or choose another --out"
            ) from None
        except OSError as error:
            raise self.trouble(error) from None

    def write(self, record: Record) -> None:
        text = json.dumps(record.to_json(), indent=2, ensure_ascii=False) + "\n"
        write_whole(self.path / RUN_FILE, text.encode())

    def read(self) -> Record:
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

    def sweep(self) -> None:
        """Remove files that a killed run or worker was writing."""
        for unfinished in [*self.path.glob(".*.tmp"), *self.path.glob("*/.*.tmp")]:
            unfinished.unlink(missing_ok=True)

    def is_finished(self, plan: Plan) -> bool:
        """Whether a finished run of this plan is there."""
        try:
            record = self.read()
        except UserError:
            return False
        return record.plan == plan and record.digest is not None

    def copy_edition(self, edition: Edition, settings: tuple[str, ...]) -> None:
        """Write a copy and rename it: the folder is complete or absent."""
        unfinished = self.edition.with_name(f".{EDITION_FOLDER}.new")
        shutil.rmtree(unfinished, ignore_errors=True)
        write_folder(edition, unfinished, settings)
        unfinished.rename(self.edition)

    def copy_bots(self, plan: Plan) -> None:
        """Copy the user's bots, and the modules of their folder that they import."""
        files = bot_files(plan, None)
        names = [file.name for file in files]
        for file in files:
            if names.count(file.name) > 1:
                raise UserError(f"two files of bots are called {file.name}; give one of them another name")
            self.bots.mkdir(exist_ok=True)
            shutil.copyfile(file, self.bots / file.name)

    def finished_parts(self, record: Record, note: Callable[[str], None]) -> dict[Part, dict[str, str]]:
        """Checksums by table of each intact part. Damaged and strange files are refused."""
        plan, present = record.plan, dict[str, set[int]]()
        for table in TABLES:
            known = record.size.parts if table in plan.tables else 0
            present[table] = set(self.part_numbers(table))
            expected = {self.file(table, number) for number in present[table] if number < known}
            for file in sorted((self.path / table).glob("*.parquet")):
                # Readers take every Parquet file of a table's folder.
                if file not in expected:
                    raise UserError(f"{file} is not part of this run's plan; move it out of the folder, then run again")
        last = max((number for numbers in present.values() for number in numbers), default=-1)
        finished = {}
        for part in parts_of(plan, record.size):
            if part.number > last:
                break
            missing = [table for table in plan.tables if part.number not in present[table]]
            if not missing:
                checksums = {table: self.checksum_of(record, table, part) for table in plan.tables}
                intact = {table: of_file for table, of_file in checksums.items() if of_file is not None}
                if intact == checksums:
                    finished[part] = intact
            elif "games" not in missing:
                note(f"{self.file(missing[0], part.number)} is missing; part {part.number} is played again")
        return finished

    def checksum_of(self, record: Record, table: str, part: Part) -> str | None:
        """Checksum of an intact file, None for an outgrown part."""
        file, plan = self.file(table, part.number), record.plan
        try:
            metadata = read_metadata(file)
            if (metadata["plan"], metadata["table"], metadata["part"]) != (plan.hash, table, str(part.number)):
                raise UserError(
                    f"{file} belongs to another plan or part (plan {metadata['plan'][:8]}, part "
                    f"{metadata['part'][:9]} of {metadata['table'][:9]}); move it out of the folder and run again"
                )
            content = file.read_bytes()
            of_file, stored = checksum(content), record.checksum(table, part.number)
            # A killed run leaves parts that run.json does not list.
            is_intact = rows_digest(table, content) == metadata["digest"] if stored is None else stored == of_file
            if is_intact:
                return of_file if metadata["games"] == str(part.games) else None
        except (BrokenFileError, KeyError):
            pass
        raise UserError(
            f"{file} is damaged (cut short or changed since it was written); "
            f"delete it, then play its part again with: {self.resume_command}"
        )

    def digests(self, record: Record) -> tuple[str, str | None]:
        """`digest` and `digest_turns` of run.json, from the digests of all parts in order."""
        results, turns = hashlib.sha256(), hashlib.sha256()
        for number in range(record.size.parts):
            for table in sorted(record.plan.tables):
                digest = bytes.fromhex(read_metadata(self.file(table, number))["digest"])
                (turns if table == "turns" else results).update(digest)
        return results.hexdigest(), turns.hexdigest() if "turns" in record.plan.tables else None


def bot_files(plan: Plan, folder: Path | None) -> list[Path]:
    """Files of a plan's bots in the run's folder, or the user's own."""
    from ttr_sim.bots.api import parse_spec
    from ttr_sim.bots.loading import files_of

    specs = [parse_spec(bot) for bot in distinct_bots(plan)]
    files = [file for spec in specs if spec.file is not None for file in files_of(spec, folder)]
    return list(dict.fromkeys(file.resolve() for file in files))


def versions() -> dict[str, str]:
    python = ".".join(str(number) for number in sys.version_info[:3])
    return {"ttr-sim": __version__, "python": python} | {name: version(name) for name in REPORTED_PACKAGES}


def checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read_metadata(file: Path) -> dict[str, str]:
    try:
        with file.open("rb") as opened:
            footer = pq.read_metadata(opened)
            if footer.schema.to_arrow_schema() != schema_of(file.parent.name):
                raise BrokenFileError
            return {key.decode(): value.decode() for key, value in footer.metadata.items()}
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BrokenFileError from error


def rows_digest(table: str, content: bytes) -> str:
    try:
        rows = pq.read_table(pa.BufferReader(content), use_threads=False, schema=schema_of(table))
        return table_digest(table, rows)
    except (pa.ArrowException, OSError, LookupError, ValueError, TypeError) as error:
        raise BrokenFileError(str(error).partition("\n")[0]) from error
