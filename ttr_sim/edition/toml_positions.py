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

# The standard library's parser takes kilobytes for each key, and quadratic time for the parts of a dotted one.
MAX_MARKS = 20_000  # an official edition.toml has about two hundred
MAX_WORD = 10_000
MAX_PARTS = 20  # of a dotted key; ours have three
MARKS = "=.,[{\\\n"
BOUNDED_PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
LONG_WORD = re.compile(rf"(?<![\w-])[\w-]{{{MAX_WORD}}}")
LONG_KEY = re.compile(rf"(?:{BOUNDED_PART}\.[ \t]*+){{{MAX_PARTS}}}{BOUNDED_PART}[.=\]]", re.ASCII)

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


def refuse_huge(text: str) -> tuple[str, int] | None:
    """Find what would take the parser too much time or memory, and its offset."""
    marks = sum(text.count(mark) for mark in MARKS)
    if marks > MAX_MARKS:
        return f"{marks:,} lines, keys and values; at most {MAX_MARKS:,} are allowed", 0
    if word := LONG_WORD.search(text):
        return f"a word or number of more than {MAX_WORD:,} letters", word.start()
    key = LONG_KEY.search(text)
    return None if key is None else (f"a key of more than {MAX_PARTS} parts", key.start())


def parse_toml(text: str, file: str, problems: Problems) -> dict[str, Any] | None:
    """Parse TOML; None after reporting the place of a syntax error."""
    if refused := refuse_huge(text):
        message, offset = refused
        before = text[:offset]
        problems.error(Place(file, before.count("\n") + 1, offset - before.rfind("\n")), message)
        return None
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
    """Yield a key, then those of an inline table `{ a = 1, b = 2 }` if that is its value."""
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
