"""A run's folder: run.json, the edition played, and a folder of parts for each table."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ttr_sim import __version__
from ttr_sim.errors import UserError
from ttr_sim.run.parts import Size, part_file_name
from ttr_sim.run.plan import SCHEMA, Plan

RUN_FILE = "run.json"
EDITION_FOLDER = "edition"
BOTS_FOLDER = "bots"
LOCK_FILE = ".lock"
REPORTED_PACKAGES = ("numpy", "numba", "pyarrow", "joblib")


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
    size: Size
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
            "schema": SCHEMA,
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
                "sessions": [_session_to_json(session) for session in self.sessions],
            },
            "parts": self.size.parts,
            "blocks": self.size.blocks,
            "games": self.size.games,
            "digest": self.digest,
            "digest_turns": self.digest_turns,
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Record:
        """Raises KeyError, TypeError or ValueError when something is missing or strange."""
        plan = Plan.from_json(values["plan"])
        if plan.hash != values["plan_hash"]:
            raise ValueError
        return cls(
            plan,
            Size(values["games"], values["blocks"], values["parts"]),
            tuple(values["set"]),
            values["command"],
            dict(values["versions"]),
            tuple(Session(**session) for session in values["timings"]["sessions"]),
            values["digest"],
            values["digest_turns"],
        )


def _session_to_json(session: Session) -> dict[str, Any]:
    return {name: getattr(session, name) for name in Session.__slots__}


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    held: list[int] = field(default_factory=list, compare=False, repr=False)

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
        return f"ttr-sim run --resume {shlex.quote(str(self.path))}"

    def trouble(self, error: OSError) -> UserError:
        """A disk that is full or must not be written to, in words."""
        sentence = f"cannot use {error.filename or self.path}: {error.strerror or error}"
        if (self.path / RUN_FILE).is_file():
            sentence += f"; once that is mended, go on with: {self.resume_command}"
        return UserError(sentence)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One run at a time in a folder; the system lets go of the lock with the process, however it ends."""
        with (self.path / LOCK_FILE).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UserError(
                    f"another ttr-sim is playing into {self.path} right now; wait for it, or choose another --out"
                ) from None
            yield

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
        """The record of run.json, or a sentence on why there is none."""
        file = self.path / RUN_FILE
        if not file.is_file():
            raise UserError(f"{self.path} is not a run: it has no {RUN_FILE}")
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
            if values["schema"] != SCHEMA:
                raise UserError(f"{file} has schema {values['schema']!r}; this ttr-sim reads schema {SCHEMA}")
            return Record.from_json(values)
        except (KeyError, TypeError, ValueError):
            raise UserError(
                f"{file} is damaged; give the run's first command again with --out {shlex.quote(str(self.path))}: "
                "parts that are finished are kept"
            ) from None


def versions() -> dict[str, str]:
    python = ".".join(str(number) for number in sys.version_info[:3])
    return {"ttr-sim": __version__, "python": python} | {name: _version(name) for name in REPORTED_PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
