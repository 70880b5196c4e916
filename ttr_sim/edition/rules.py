"""Read edition.toml: its blocks, the line and column of each key, and `--set` overrides laid over it."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import RULES_FILE, Place, Problems
from ttr_sim.edition.schema import Key, blocks_of, identifier, keys_of, optional, shown, whole
from ttr_sim.errors import UserError, closest

KeyPath = tuple[str, ...]
Places = Mapping[KeyPath, tuple[int, int]]
Statement = tuple[KeyPath, int, int]  # a key with its value, or a table heading: path, start and end in the text

PART = r"""[ \t]*(?:"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*"""
DOTTED = rf"{PART}(?:\.{PART})*"
TABLE = re.compile(rf"[ \t]*\[\[?(?P<key>{DOTTED})\]")
KEY = re.compile(rf"\s*(?P<key>{DOTTED})=")
BRACE = re.compile(r"\s*\{")
# Strings and comments: brackets, commas and line ends inside them mean nothing.
QUOTED = re.compile(
    r'"""(?:[^\\"]++|\\.|"(?!""))*+"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]++|\\.)*+"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
PLAIN = re.compile(r"""[^"'#\[\]{},\n]+""")

MOST_UNKNOWN = 50  # beyond that the file is something else

TOP = {
    # Raised when a key changes its meaning, so that an older program refuses a newer folder.
    "schema": Key(whole(1, 1)),
    "variant_of": optional(identifier),
    **keys_of(Edition),
}
BLOCKS = {name: block for name, (_, block) in blocks_of(Edition).items()}


@dataclass(frozen=True, slots=True)
class Rules:
    """Checked values by key (blocks are dictionaries, absent ones are missing) and their places."""

    values: dict[str, Any]
    places: Places
    overrides: frozenset[KeyPath]
    problems: Problems = field(repr=False)

    def place(self, *path: str) -> Place:
        """Place of a key: in the file, or in a `--set` on it or on a part of it."""
        # An override on a block or on a part of a value may have made this key wrong.
        for key in self.overrides:
            if key[: len(path)] == path or path[: len(key)] == key:
                return Place(f"--set {'.'.join(key)}", 0, 0)
        return Place(RULES_FILE, *nearest(self.places, path))

    def error(self, path: KeyPath, message: str, hint: str | None = None) -> None:
        self.problems.error(self.place(*path), message, hint)

    def warn(self, path: KeyPath, message: str, hint: str | None = None) -> None:
        self.problems.warn(self.place(*path), message, hint)

    def get(self, *path: str) -> Any:
        """Look up a value. None when it is absent, omitted or was reported as wrong."""
        value: Any = self.values
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def read(self, path: KeyPath, raw: object, keys: Mapping[str, Key], named: bool = False) -> dict[str, Any]:
        """Collect the values of a block that pass their check, and defaults for omitted keys."""
        dotted = ".".join(path)
        if not isinstance(raw, dict):
            self.error(path, f"{dotted} must be a block such as [{dotted}], not {shown(raw)}")
            return {}
        if named:
            return {entry: self.read((*path, entry), value, keys) for entry, value in raw.items()}
        if path:
            self.report_unknown(path, raw, keys)
        clean: dict[str, Any] = {}
        for name, key in keys.items():
            here = (*path, name)
            if name not in raw and key.required:
                self.error(path, f'the key "{".".join(here)}" is missing')
            elif name not in raw:
                clean[name] = key.default
            # A wrong value is left out, so that later checks skip it instead of failing on it.
            elif message := key.check(raw[name]):
                self.error(here, f"{'.'.join(here)} {message}")
            else:
                clean[name] = raw[name]
        return clean

    def report_unknown(self, path: KeyPath, raw: Iterable[str], known: Iterable[str]) -> None:
        unknown = [key for key in raw if key not in known]
        for key in unknown[:MOST_UNKNOWN]:
            self.error((*path, key), f"unknown key {shown('.'.join((*path, key)))}", closest(key, known))
        if len(unknown) > MOST_UNKNOWN:
            message = f"{len(unknown) - MOST_UNKNOWN:,} more unknown keys from here on"
            self.error((*path, unknown[MOST_UNKNOWN]), message)


def read_rules(text: str, overrides: Mapping[str, str], problems: Problems) -> Rules | None:
    """Read the rules. None when the text is not TOML. Wrong keys are reported and left out."""
    raw = parse_toml(text, RULES_FILE, problems)
    if raw is None:
        return None
    # Overrides come before the checks, so a wrong one is reported like a wrong line.
    apply_overrides(raw, overrides)
    paths = frozenset(tuple(key.split(".")) for key in overrides)
    rules = Rules({}, key_places(text), paths, problems)
    rules.report_unknown((), raw, {**TOP, **BLOCKS})
    rules.values.update(rules.read((), raw, TOP))
    for name, block in BLOCKS.items():
        if name in raw:
            rules.values[name] = rules.read((name,), raw[name], block.keys, block.named)
        elif block.required:
            rules.error((), f"the block [{name}] is missing")
    return rules


def overrides_of(settings: Sequence[str]) -> dict[str, str]:
    """Split `--set` texts `KEY=TOML` into a mapping."""
    overrides: dict[str, str] = {}
    for setting in settings:
        key, _, value = (part.strip() for part in setting.partition("="))
        if not key or not value:
            raise UserError(f"--set {setting}: give a key and a value, as in --set trains=40")
        if key in overrides:
            raise UserError(f"--set {key} is given twice")
        overrides[key] = value
    return overrides


def apply_overrides(raw: dict[str, Any], overrides: Mapping[str, str]) -> None:
    """Set each dotted key to its TOML value in parsed but unchecked rules."""
    for dotted, written in overrides.items():
        *tables, last = dotted.split(".")
        table = raw
        for name in tables:
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                raise UserError(f'--set {dotted}: "{name}" is a value, not a block')
        try:
            parsed = tomllib.loads(f"value = {written}")
        except (ValueError, RecursionError):
            parsed = {}
        if set(parsed) != {"value"}:  # a line end in the text would add keys
            raise UserError(f"--set {dotted}: {shown(written)} is not a TOML value (text needs its own quotes)")
        table[last] = parsed["value"]


def parse_toml(text: str, file: str, problems: Problems) -> dict[str, Any] | None:
    """Parse TOML. None after reporting the place of a syntax error."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # The parser ends its message with `(at line 3, column 5)` or `(at end of document)`.
        message = re.sub(r" \(at .*\)$", "", str(error))
        line, column = text.count("\n") + (not text.endswith("\n")), 1
        if numbers := re.search(r"\(at line (\d+), column (\d+)\)$", str(error)):
            line, column = int(numbers[1]), int(numbers[2])
        problems.error(Place(file, line, column), f"not valid TOML: {message}")
    except (RecursionError, ValueError) as error:  # brackets without end, numbers of a thousand digits
        problems.error(Place(file), f"not valid TOML: {error}")
    return None


def key_places(text: str) -> Places:
    """Line and column of every key and table, including keys of inline tables."""
    places: dict[KeyPath, tuple[int, int]] = {}
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for path, start, _ in statements(text):
        line = bisect_right(line_starts, start)
        # The first mention of a table is its place, also when only a dotted key names it.
        for length in range(1, len(path) + 1):
            places.setdefault(path[:length], (line, start - line_starts[line - 1] + 1))
    return places


def nearest(places: Places, path: KeyPath) -> tuple[int, int]:
    """Place of a key, or of the innermost table around it that is in the text."""
    return next((places[path[:length]] for length in range(len(path), 0, -1) if path[:length] in places), (1, 1))


def replaced(text: str, path: KeyPath, written: str) -> str:
    """Replace the value of one key and leave the rest of the text as it is."""
    _, start, end = next(statement for statement in statements(text) if statement[0] == path)
    return f"{text[:start]}{path[-1]} = {written}{text[end:]}"


def statements(text: str) -> Iterator[Statement]:
    """Scan TOML that is known to parse, so that a line can be taken for its first characters."""
    table: KeyPath = ()
    offset = 0
    while offset < len(text):
        end = find_end(text, offset, len(text), "\n")
        if heading := TABLE.match(text, offset, end):
            table = parts(heading["key"])
            yield table, heading.start("key"), end
        else:
            yield from keys_within(text, table, offset, end)
        offset = end + 1


def keys_within(text: str, table: KeyPath, offset: int, end: int) -> Iterator[Statement]:
    """Scan the key of a line, or the keys of an inline table `{ a = 1, b = 2 }`."""
    while key := KEY.match(text, offset, end):
        path, stop = table + parts(key["key"]), find_end(text, key.end(), end, ",}")
        yield path, key.end("key") - len(key["key"].lstrip()), stop
        if brace := BRACE.match(text, key.end(), stop):
            yield from keys_within(text, path, brace.end(), stop)
        offset = stop + 1


def find_end(text: str, offset: int, end: int, stops: str) -> int:
    """Find the next of `stops` outside strings, comments and brackets."""
    depth = 0
    while offset < end:
        if skipped := QUOTED.match(text, offset, end) or PLAIN.match(text, offset, end):
            offset = skipped.end()
            continue
        if depth == 0 and text[offset] in stops:
            break
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[offset], 0)
        offset += 1
    return offset


def parts(dotted: str) -> KeyPath:
    return tuple(part.strip().strip("\"'") for part in re.findall(PART, dotted))
