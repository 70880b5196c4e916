"""What run.json holds: the plan, how and when it was played, and the digests; read back with every field checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ttr_sim.bots.api import FILE_ENDING
from ttr_sim.log import SCHEMA
from ttr_sim.run.fields import field_of
from ttr_sim.run.lineups import NOTHING, RunSize, blocks_per_part, grown
from ttr_sim.run.plan import FULL, MAX_BOTS, MAX_GAMES, MAX_PART_SIZE, MAX_SEED, RESULTS, Plan

MAX_NESTING = 20  # of run.json; what we write is five deep
MAX_PLAYERS_EVER = 16  # only bounds what a damaged file may ask for
ROUNDING = 1e-6
COMMANDS_OF_A_TERMINAL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
MOST_DOUBTS = MAX_BOTS


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
    """What run.json holds.

    `stages` are the sizes that the run grew to, the present one last; `doubts` are sentences about users' bots that
    look at hidden cards.
    """

    plan: Plan
    stages: tuple[RunSize, ...]
    settings: tuple[str, ...]  # every `--set`
    command: str
    versions: dict[str, str]
    sessions: tuple[Session, ...] = ()
    digest: str | None = None  # None until the last part is there
    digest_turns: str | None = None
    doubts: tuple[str, ...] = ()

    @property
    def size(self) -> RunSize:
        return self.stages[-1]

    @property
    def has_grown(self) -> bool:
        """Return whether the run has other games than its plan alone would give."""
        return len(self.stages) > 1 or self.size.games not in _games_of(self.plan)

    @property
    def seconds(self) -> float:
        return sum(session.seconds for session in self.sessions)

    @property
    def games_per_second(self) -> float:
        games = sum(session.games for session in self.sessions)
        return games / self.seconds if self.seconds else 0.0

    def with_session(self, session: Session) -> Record:
        return replace(self, sessions=(*self.sessions, session))

    def with_doubts(self, sentences: Sequence[str]) -> Record:
        return replace(self, doubts=tuple(dict.fromkeys((*self.doubts, *sentences)))[:MOST_DOUBTS])

    @property
    def requested_games(self) -> int:
        return self.size.games if self.has_grown else self.plan.games

    def grown_to(self, games: int) -> Record:
        """Return the record of the run with at least that many games; without digests as long as some are missing."""
        size = grown(self.plan, self.size, games)
        if size == self.size:
            return self
        return replace(self, stages=(*self.stages, size), digest=None, digest_turns=None)

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
            **({"stages": [asdict(stage) for stage in self.stages]} if self.has_grown else {}),
            "digest": self.digest,
            "digest_turns": self.digest_turns,
            **({"doubts": list(self.doubts)} if self.doubts else {}),
        }


class MalformedError(ValueError):
    """A field of run.json is missing, of the wrong type, out of range, or at odds with another."""


class OtherSchemaError(ValueError):
    """Another version wrote the file, in a format that is not read."""


def parse_record(text: str) -> Record:
    """Return the record; raise MalformedError, which names the field, when anything in the text is not as written."""
    if _nesting(text) > MAX_NESTING:
        raise MalformedError("it is nested too deeply")
    try:
        values = json.loads(text)
    except ValueError as error:
        raise MalformedError(f"it is not JSON ({error})") from None
    return _record(JsonObject(values, ""))


def _nesting(text: str) -> int:
    """Return the depth of brackets; those inside of strings count too, of which run.json has few."""
    depth = deepest = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    return deepest


class JsonObject:
    """The fields of one JSON object, each taken by name with its type and range."""

    def __init__(self, values: Any, path: str) -> None:
        if not isinstance(values, Mapping):
            raise MalformedError(f"{path or 'the file'} is not an object")
        self.values = values
        self.path = path

    def _raw(self, name: str) -> Any:
        if name not in self.values:
            raise MalformedError(f"{self.path}{name} is missing")
        return self.values[name]

    def refuse(self, name: str, expected: str) -> MalformedError:
        return MalformedError(f"{self.path}{name} is {str(self.values[name])[:40]!r}, not {expected}")

    def text(self, name: str, choices: tuple[str, ...] = ()) -> str:
        value = self._raw(name)
        if not isinstance(value, str) or (choices and value not in choices):
            raise self.refuse(name, f"one of {', '.join(choices)}" if choices else "a text")
        return value

    def hexadecimal(self, name: str) -> str:
        value = self.text(name)
        if not value or len(value) > 64 or set(value) - set("0123456789abcdef"):
            raise self.refuse(name, "a hash")
        return value

    def optional_hash(self, name: str) -> str | None:
        return None if self._raw(name) is None else self.hexadecimal(name)

    def number(self, name: str, low: int, high: int) -> int:
        value = self._raw(name)
        if type(value) is not int or not low <= value <= high:
            raise self.refuse(name, f"a whole number from {low} to {high}")
        return value

    def seconds(self, name: str) -> float:
        value = self._raw(name)
        if type(value) not in {int, float} or not 0 <= value < 1e12:
            raise self.refuse(name, "a number of seconds")
        return float(value)

    def texts(self, name: str, least: int, most: int) -> tuple[str, ...]:
        value = self._raw(name)
        if not isinstance(value, list) or not least <= len(value) <= most or not all(isinstance(v, str) for v in value):
            raise self.refuse(name, f"a list of {least} to {most} texts")
        return tuple(value)

    def object(self, name: str) -> JsonObject:
        return JsonObject(self._raw(name), f"{self.path}{name}.")

    def objects(self, name: str) -> list[JsonObject]:
        value = self._raw(name)
        if not isinstance(value, list):
            raise self.refuse(name, "a list")
        return [JsonObject(entry, f"{self.path}{name}[{index}].") for index, entry in enumerate(value)]


def _record(run: JsonObject) -> Record:
    if run.values.get("schema") in {*range(1, 1_000)} - {SCHEMA}:
        raise OtherSchemaError(f"has schema {run.values['schema']}; this ttr-sim reads schema {SCHEMA}")
    run.number("schema", SCHEMA, SCHEMA)
    plan = _plan(run.object("plan"))
    if COMMANDS_OF_A_TERMINAL.search("".join((plan.edition, *plan.bots))):
        raise MalformedError("plan.edition or plan.bots has characters that cannot be printed")
    versions = run.object("versions")
    record = Record(
        plan,
        tuple(_stages(run, plan)),
        run.texts("set", 0, 1_000),
        run.text("command"),
        {name: versions.text(name) for name in versions.values},
        tuple(_session(session) for session in run.object("timings").objects("sessions")),
        run.optional_hash("digest"),
        run.optional_hash("digest_turns"),
        _doubts(run, plan),
    )
    _refuse_contradictions(run, record)
    return record


def _plan(plan: JsonObject) -> Plan:
    known = {field.name for field in fields(Plan)}
    for name in plan.values:
        if name not in known:
            raise MalformedError(f"plan.{name} is unknown")
    return Plan(
        edition=plan.text("edition"),
        fingerprint=plan.hexadecimal("fingerprint"),
        players=plan.number("players", 1, MAX_PLAYERS_EVER),
        bots=plan.texts("bots", 1, MAX_BOTS),
        games=plan.number("games", 1, MAX_GAMES),
        seed=plan.number("seed", 0, MAX_SEED),
        log=plan.text("log", (FULL, RESULTS)),
        part_size=plan.number("part_size", 1, MAX_PART_SIZE),
        kernel=plan.hexadecimal("kernel"),
        tuning=plan.text("tuning"),
        schema=plan.number("schema", SCHEMA, SCHEMA),
    )


def _doubts(run: JsonObject, plan: Plan) -> tuple[str, ...]:
    """Return the sentences about users' bots; each begins with the bot it is about."""
    if "doubts" not in run.values:
        return ()
    doubts = run.texts("doubts", 1, MOST_DOUBTS)
    own = tuple(bot for bot in plan.bots if FILE_ENDING in bot)
    if not all(doubt.startswith(own) for doubt in doubts):
        raise run.refuse("doubts", "sentences about bot files of this run")
    return doubts


def _session(session: JsonObject) -> Session:
    return Session(
        session.text("started"),
        session.number("jobs", 1, 1_000_000),
        session.text("backend"),
        session.number("games", 0, 2 * MAX_GAMES),
        session.seconds("seconds"),
    )


def _games_of(plan: Plan) -> range:
    """Return how many games whole blocks can make of those requested."""
    return range(plan.games, plan.games + plan.players + 1)


def _stages(run: JsonObject, plan: Plan) -> Iterator[RunSize]:
    """Yield the stored sizes when they can be the plan's; counting every block would take long for a huge plan."""
    if "stages" not in run.values:
        known = _games_of(plan)
        yield _stage(run, plan, NOTHING, known[0], known[-1])
        return
    size = NOTHING
    for stage in run.objects("stages"):
        size = _stage(stage, plan, size, size.games + 1, MAX_GAMES + plan.players)
        yield size
    if size == NOTHING:
        raise run.refuse("stages", "a list of sizes")


def _stage(stage: JsonObject, plan: Plan, before: RunSize, fewest: int, most: int) -> RunSize:
    games = stage.number("games", fewest, most)
    added = games - before.games
    blocks = stage.number("blocks", before.blocks - (-added // plan.players), before.blocks + added)
    parts = before.parts - (before.blocks - blocks) // blocks_per_part(plan)
    return RunSize(games, blocks, stage.number("parts", parts, parts))


def _refuse_contradictions(run: JsonObject, record: Record) -> None:
    """Compare what stands in the file and follows from the rest of it."""
    written = record.to_json()
    for name, value in written.items():
        if name not in run.values:
            raise MalformedError(f"{name} is missing")
        if not isinstance(value, dict) and run.values[name] != value:
            raise run.refuse(name, f"{value!r}, as its plan has it")
    timings = run.object("timings")
    for name in ("seconds", "games_per_second"):
        if abs(timings.seconds(name) - written["timings"][name]) > ROUNDING:
            raise timings.refuse(name, "what its sessions add up to")
