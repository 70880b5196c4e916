"""The record of a run, and reading it back from run.json with every field checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, TypeVar

from ttr_sim.bots.api import FILE_ENDING
from ttr_sim.log import SCHEMA
from ttr_sim.run.lineups import Part, RunSize, blocks_per_part, field_of, size_of
from ttr_sim.run.plan import FULL, MAX_BOTS, MAX_GAMES, MAX_PART_SIZE, MAX_SEED, RESULTS, Plan

MAX_PLAYERS_EVER = 16  # only bounds the demands of a damaged file
MAX_SECONDS = 10**12
HASH = re.compile(r"[0-9a-f]{1,64}")
CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Session:
    """One session, from its first game to its last part."""

    started: str
    jobs: int
    backend: str
    games: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Record:
    """Contents of run.json, with warnings about users' bots that look at hidden cards."""

    plan: Plan
    size: RunSize  # as far as the run was asked to grow
    settings: tuple[str, ...]  # every `--set`
    command: str
    versions: dict[str, str]
    sessions: tuple[Session, ...] = ()
    digest: str | None = None  # None until the last part is there
    digest_turns: str | None = None
    warnings: tuple[str, ...] = ()
    # By table: of each part's file, None for parts that are not finished.
    checksums: dict[str, list[str | None]] = field(default_factory=dict)

    @property
    def requested_games(self) -> int:
        # Blocks are counted only where the size may be rounded: a huge run takes long to count.
        may_be_rounded = self.plan.games <= self.size.games < self.plan.games + self.plan.players
        return self.plan.games if may_be_rounded and self.size == size_of(self.plan) else self.size.games

    @property
    def seconds(self) -> float:
        return sum(session.seconds for session in self.sessions)

    @property
    def games_per_second(self) -> float:
        games = sum(session.games for session in self.sessions)
        return games / self.seconds if self.seconds else 0.0

    def with_checksums(self, parts: Mapping[Part, Mapping[str, str]]) -> Record:
        checksums: dict[str, list[str | None]] = {table: [None] * self.size.parts for table in self.plan.tables}
        for part, of_files in parts.items():
            for table, of_file in of_files.items():
                checksums[table][part.number] = of_file
        return replace(self, checksums=checksums)

    def checksum(self, table: str, part: int) -> str | None:
        stored = self.checksums.get(table, [])
        return stored[part] if part < len(stored) else None

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": self.plan.schema,
            "edition": self.plan.edition,
            "fingerprint": self.plan.fingerprint,
            "set": list(self.settings),
            "field": field_of(self.plan),
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
            "warnings": list(self.warnings),
            "checksums": self.checksums,
        }


class MalformedError(ValueError):
    """A field of run.json is missing, mistyped, out of range or inconsistent."""


class OtherSchemaError(ValueError):
    """Another version wrote the file, in a format that is not read."""


def are_texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def is_hash_or_null(value: Any) -> bool:
    return value is None or (isinstance(value, str) and HASH.fullmatch(value) is not None)


def are_checksums(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(of_files, list) and all(map(is_hash_or_null, of_files)) for of_files in value.values()
    )


# How JSON stores a field of a dataclass, by its annotation.
CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a text", lambda value: isinstance(value, str)),
    "str | None": ("a hash", is_hash_or_null),
    "int": (f"a whole number from 0 to {MAX_SEED}", lambda value: type(value) is int and 0 <= value <= MAX_SEED),
    "float": ("a number of seconds", lambda value: type(value) in {int, float} and 0 <= value < MAX_SECONDS),
    "tuple[str, ...]": (
        f"a list of 0 to {MAX_BOTS} texts",
        lambda value: isinstance(value, list) and len(value) <= MAX_BOTS and are_texts(value),
    ),
    "tuple[int, ...]": (
        "a list of numbers",
        lambda value: isinstance(value, list) and all(type(each) is int and 0 < each < 100 for each in value),
    ),
    "dict[str, str]": ("an object of texts", lambda value: isinstance(value, dict) and are_texts(value.values())),
    "dict[str, list[str | None]]": ("an object of lists of hashes", are_checksums),
}
Kind = TypeVar("Kind")


def build(kind: type[Kind], values: Any, path: str = "") -> Kind:
    """Make a dataclass of a JSON object, naming the first invalid field."""
    if not isinstance(values, dict):
        raise MalformedError(f"{path.rstrip('.') or 'the file'} is not an object")
    arguments = {}
    for each in fields(kind):  # type: ignore[arg-type]
        if each.name not in values:
            raise MalformedError(f"{path}{each.name} is missing")
        value = values[each.name]
        if each.type in CHECKS:
            expected, is_valid = CHECKS[str(each.type)]
            if not is_valid(value):
                raise MalformedError(f"{path}{each.name} is {str(value)[:40]!r}, not {expected}")
        arguments[each.name] = tuple(value) if isinstance(value, list) else value
    return kind(**arguments)


def parse_record(text: str) -> Record:
    """Parse run.json, naming the first invalid field."""
    try:
        values = json.loads(text)
    except RecursionError:
        raise MalformedError("it is nested too deeply") from None
    except ValueError as error:
        raise MalformedError(f"it is not JSON ({error})") from None
    if not isinstance(values, dict):
        raise MalformedError("the file is not an object")
    schema = values.get("schema")
    if type(schema) is int and schema in range(1, 1_000) and schema != SCHEMA:
        raise OtherSchemaError(f"has schema {schema}; this ttr-sim reads schema {SCHEMA}")
    plan = build(Plan, values.get("plan"), "plan.")
    limits = ((plan.players, MAX_PLAYERS_EVER), (plan.games, MAX_GAMES), (plan.part_size, MAX_PART_SIZE))
    if not all(1 <= value <= most for value, most in limits) or plan.log not in (FULL, RESULTS) or not plan.bots:
        raise MalformedError("its plan cannot be played")
    if CONTROL_CHARACTERS.search("".join((plan.edition, *plan.bots, *plan.one_of))):
        raise MalformedError("plan.edition or plan.bots has characters that cannot be printed")
    # Sizes are checked against each other without counting blocks.
    size = build(RunSize, values)
    most, parts = MAX_GAMES + plan.players, -(-size.blocks // blocks_per_part(plan))
    if not 0 < -(-size.games // plan.players) <= size.blocks <= size.games < most or size.parts != parts:
        raise MalformedError("games, blocks and parts are not those of its plan")
    timings = values.get("timings")
    sessions = timings.get("sessions") if isinstance(timings, dict) else None
    if not isinstance(sessions, list):
        raise MalformedError("timings.sessions is not a list")
    own = {
        "plan": plan,
        "size": size,
        "settings": values.get("set"),
        "sessions": [build(Session, session, "timings.sessions: ") for session in sessions],
    }
    record = build(Record, values | own)
    own_bots = tuple(bot for bot in plan.bots if FILE_ENDING in bot)
    if not all(sentence.startswith(own_bots) for sentence in record.warnings):
        raise MalformedError("warnings are not sentences about bot files of this run")
    # Whatever follows from the other fields must agree with them.
    for name, value in record.to_json().items():
        if name not in values or values[name] != value:
            stored = str(values.get(name))[:40]
            raise MalformedError(f"{name} is {stored!r}, not {str(value)[:80]!r}, as its plan has it")
    return record
