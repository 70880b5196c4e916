"""The record of a run, and reading it back from run.json with every field checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ttr_sim.bots.api import FILE_ENDING
from ttr_sim.log import SCHEMA
from ttr_sim.run.lineups import Part, RunSize, blocks_per_part, field_of, size_of
from ttr_sim.run.plan import FULL, MAX_BOTS, MAX_GAMES, MAX_PART_SIZE, MAX_SEED, RESULTS, Plan

MAX_PLAYERS_EVER = 16  # only bounds the demands of a damaged file
MAX_COUNT = 10**12
CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
HASH = re.compile(r"[0-9a-f]{1,64}")


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


class JsonObject:
    def __init__(self, values: Any, path: str = "") -> None:
        if not isinstance(values, dict):
            raise MalformedError(f"{path.rstrip('.') or 'the file'} is not an object")
        self.values, self.path = values, path

    def take(self, name: str, is_valid: Callable[[Any], bool], expected: str) -> Any:
        if name not in self.values:
            raise MalformedError(f"{self.path}{name} is missing")
        value = self.values[name]
        if not is_valid(value):
            raise MalformedError(f"{self.path}{name} is {str(value)[:40]!r}, not {expected}")
        return value

    def number(self, name: str, low: int, high: int) -> int:
        expected = f"a whole number from {low} to {high}"
        return int(self.take(name, lambda value: type(value) is int and low <= value <= high, expected))

    def text(self, name: str) -> str:
        return str(self.take(name, lambda value: isinstance(value, str), "a text"))

    def hash(self, name: str) -> str:
        return str(self.take(name, is_hash, "a hash"))

    def texts(self, name: str, least: int, most: int) -> tuple[str, ...]:
        def is_valid(value: Any) -> bool:
            return isinstance(value, list) and least <= len(value) <= most and all(isinstance(v, str) for v in value)

        return tuple(self.take(name, is_valid, f"a list of {least} to {most} texts"))

    def object(self, name: str) -> JsonObject:
        return JsonObject(self.take(name, lambda value: True, ""), f"{self.path}{name}.")

    def objects(self, name: str) -> list[JsonObject]:
        entries = self.take(name, lambda value: isinstance(value, list), "a list")
        return [JsonObject(entry, f"{self.path}{name}[{index}].") for index, entry in enumerate(entries)]


def is_hash(value: Any) -> bool:
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def is_hash_or_null(value: Any) -> bool:
    return value is None or is_hash(value)


def parse_record(text: str) -> Record:
    """Parse run.json, naming the first invalid field."""
    try:
        values = json.loads(text)
    except RecursionError:
        raise MalformedError("it is nested too deeply") from None
    except ValueError as error:
        raise MalformedError(f"it is not JSON ({error})") from None
    run = JsonObject(values)
    schema = run.values.get("schema")
    if type(schema) is int and schema in range(1, 1_000) and schema != SCHEMA:
        raise OtherSchemaError(f"has schema {schema}; this ttr-sim reads schema {SCHEMA}")
    plan = _plan(run.object("plan"))
    # Sizes are checked against each other without counting blocks.
    games = run.number("games", 1, MAX_GAMES + plan.players)
    blocks = run.number("blocks", -(-games // plan.players), games)
    parts = -(-blocks // blocks_per_part(plan))
    versions, checksums = run.object("versions"), run.object("checksums")

    def are_checksums(value: Any) -> bool:
        return isinstance(value, list) and all(map(is_hash_or_null, value))

    def are_seconds(value: Any) -> bool:
        return type(value) in {int, float} and 0 <= value < MAX_COUNT

    record = Record(
        plan=plan,
        size=RunSize(games, blocks, run.number("parts", parts, parts)),
        settings=run.texts("set", 0, 1_000),
        command=run.text("command"),
        versions={name: versions.text(name) for name in versions.values},
        sessions=tuple(
            Session(
                started=session.text("started"),
                jobs=session.number("jobs", 1, 1_000_000),
                backend=session.text("backend"),
                games=session.number("games", 0, 2 * MAX_GAMES),
                seconds=session.take("seconds", are_seconds, "a number of seconds"),
            )
            for session in run.object("timings").objects("sessions")
        ),
        digest=run.take("digest", is_hash_or_null, "a hash"),
        digest_turns=run.take("digest_turns", is_hash_or_null, "a hash"),
        warnings=run.texts("warnings", 0, MAX_BOTS),
        checksums={
            table: checksums.take(table, are_checksums, "a list of hashes")
            for table in checksums.values
            if table in plan.tables
        },
    )
    own_bots = tuple(bot for bot in plan.bots if FILE_ENDING in bot)
    if not all(sentence.startswith(own_bots) for sentence in record.warnings):
        raise MalformedError("warnings are not sentences about bot files of this run")
    # Whatever follows from the other fields must agree with them.
    for name, value in record.to_json().items():
        run.take(name, lambda stored, value=value: stored == value, f"{str(value)[:80]!r}, as its plan has it")  # type: ignore[misc]
    return record


def _plan(plan: JsonObject) -> Plan:
    for name in plan.values.keys() - {entry.name for entry in fields(Plan)}:
        raise MalformedError(f"plan.{name} is unknown")
    found = Plan(
        edition=plan.text("edition"),
        fingerprint=plan.hash("fingerprint"),
        players=plan.number("players", 1, MAX_PLAYERS_EVER),
        bots=plan.texts("bots", 1, MAX_BOTS),
        games=plan.number("games", 1, MAX_GAMES),
        seed=plan.number("seed", 0, MAX_SEED),
        log=plan.take("log", lambda value: value in (FULL, RESULTS), f"one of {FULL}, {RESULTS}"),
        part_size=plan.number("part_size", 1, MAX_PART_SIZE),
        kernel=plan.hash("kernel"),
        tuning=plan.text("tuning"),
        schema=plan.number("schema", SCHEMA, SCHEMA),
        one_of=plan.texts("one_of", 0, MAX_BOTS),
    )
    if CONTROL_CHARACTERS.search("".join((found.edition, *found.bots, *found.one_of))):
        raise MalformedError("plan.edition or plan.bots has characters that cannot be printed")
    return found
