"""Find where keys are in TOML text, which the standard library's parser does not say. The text is known to parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

Path = tuple[str, ...]
Places = Mapping[Path, tuple[int, int]]

PART = r"""[ \t]*(?:"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*"""
DOTTED = rf"{PART}(?:\.{PART})*"
TABLE = re.compile(rf"[ \t]*\[\[?(?P<key>{DOTTED})\]")
KEY = re.compile(rf"\s*(?P<key>{DOTTED})=")
BRACE = re.compile(r"\s*\{")
# Strings and comments: brackets, commas and line ends inside them mean nothing.
QUOTED = re.compile(
    r'"""(?:[^\\"]++|\\.|"(?!""))*+"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]++|\\.)*+"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
PLAIN = re.compile(r"""[^"'#\[\]{},\n]+""")  # none of which `_reach` looks for


class Statement(NamedTuple):
    """A key with its value, or a table heading, and where it is in the text."""

    path: Path
    start: int
    end: int


def key_places(text: str) -> Places:
    """Return line and column of every key and table, keys of inline tables included."""
    places: dict[Path, tuple[int, int]] = {}
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for path, start, _ in _statements(text):
        line = bisect_right(line_starts, start)
        for length in range(1, len(path) + 1):
            places.setdefault(path[:length], (line, start - line_starts[line - 1] + 1))
    return places


def nearest(places: Places, path: Path) -> tuple[int, int]:
    """Return the place of a key, or of the innermost table around it that is in the text."""
    return next((places[path[:length]] for length in range(len(path), 0, -1) if path[:length] in places), (1, 1))


def replaced(text: str, path: Path, written: str) -> str:
    """Return the text with another value for a key and no other change."""
    _, start, end = next(statement for statement in _statements(text) if statement.path == path)
    return f"{text[:start]}{path[-1]} = {written}{text[end:]}"


def _statements(text: str) -> Iterator[Statement]:
    table: Path = ()
    offset = 0
    while offset < len(text):
        end = _reach(text, offset, len(text), "\n")
        if heading := TABLE.match(text, offset, end):
            table = _parts(heading["key"])
            yield Statement(table, heading.start("key"), end)
        elif key := KEY.match(text, offset, end):
            yield from _with_inline_keys(text, table, key, end)
        offset = end + 1


def _with_inline_keys(text: str, table: Path, key: re.Match[str], end: int) -> Iterator[Statement]:
    """Yield a key, and those of `{ a = 1, b = 2 }` when that is its value."""
    path = table + _parts(key["key"])
    yield Statement(path, _first_letter(key), end)
    brace = BRACE.match(text, key.end(), end)
    offset = brace.end() if brace else end
    while inner := KEY.match(text, offset, end):
        inner_end = _reach(text, inner.end(), end, ",}")
        yield from _with_inline_keys(text, path, inner, inner_end)
        offset = inner_end + 1


def _reach(text: str, offset: int, end: int, stops: str) -> int:
    """Return where the next of `stops` is, outside of strings, comments and brackets."""
    depth = 0
    while offset < end:
        if quoted := QUOTED.match(text, offset, end):
            offset = quoted.end()
            continue
        if plain := PLAIN.match(text, offset, end):
            offset = plain.end()
            continue
        if depth == 0 and text[offset] in stops:
            break
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[offset], 0)
        offset += 1
    return offset


def _first_letter(key: re.Match[str]) -> int:
    return key.end("key") - len(key["key"].lstrip())


def _parts(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in re.findall(PART, dotted))
