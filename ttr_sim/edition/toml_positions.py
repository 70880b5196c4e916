"""Parse TOML and find the line and column of each key, which the standard library's parser does not report."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ttr_sim.edition.problems import Place, Problems

KeyPath = tuple[str, ...]
Places = Mapping[KeyPath, tuple[int, int]]

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


class Statement(NamedTuple):
    """A key with its value, or a table heading, and its offsets in the text."""

    path: KeyPath
    start: int
    end: int


def key_places(text: str) -> Places:
    """Line and column of every key and table, including keys of inline tables."""
    places: dict[KeyPath, tuple[int, int]] = {}
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for path, start, _ in _statements(text):
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
    _, start, end = next(statement for statement in _statements(text) if statement.path == path)
    return f"{text[:start]}{path[-1]} = {written}{text[end:]}"


def _statements(text: str) -> Iterator[Statement]:
    """Scan TOML that is known to parse."""
    # Only text that parses gets here, so a line can be taken for its first characters.
    table: KeyPath = ()
    offset = 0
    while offset < len(text):
        end = _find_end(text, offset, len(text), "\n")
        if heading := TABLE.match(text, offset, end):
            table = _parts(heading["key"])
            yield Statement(table, heading.start("key"), end)
        elif key := KEY.match(text, offset, end):
            yield from _with_inline_keys(text, table, key, end)
        offset = end + 1


def _with_inline_keys(text: str, table: KeyPath, key: re.Match[str], end: int) -> Iterator[Statement]:
    """Yield a key, then the keys of its inline table `{ a = 1, b = 2 }`, if any."""
    path = table + _parts(key["key"])
    yield Statement(path, key.end("key") - len(key["key"].lstrip()), end)
    brace = BRACE.match(text, key.end(), end)
    offset = brace.end() if brace else end
    while inner := KEY.match(text, offset, end):
        inner_end = _find_end(text, inner.end(), end, ",}")
        yield from _with_inline_keys(text, path, inner, inner_end)
        offset = inner_end + 1


def _find_end(text: str, offset: int, end: int, stops: str) -> int:
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


def _parts(dotted: str) -> KeyPath:
    return tuple(part.strip().strip("\"'") for part in re.findall(PART, dotted))
