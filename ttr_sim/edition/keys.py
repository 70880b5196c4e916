"""Find the line of a key in TOML text, which the parser of the standard library does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

Path = tuple[str, ...]

PART = r"""\s*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)\s*"""
DOTTED = rf"{PART}(?:\.{PART})*"
TABLE = re.compile(rf"\s*\[\[?(?P<key>{DOTTED})\]")
KEY = re.compile(rf"(?P<key>{DOTTED})=")
# What hides brackets and line ends from a look at the value: strings and comments.
QUOTED = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)


def key_places(text: str) -> dict[Path, tuple[int, int]]:
    """Line and column of every key and table, keys of inline tables included."""
    places: dict[Path, tuple[int, int]] = {}
    for path, offset in _keys(text):
        for length in range(1, len(path) + 1):
            places.setdefault(path[:length], _line_and_column(text, offset))
    return places


def nearest(places: dict[Path, tuple[int, int]], path: Path) -> tuple[int, int]:
    """The place of a key, or of the innermost table around it that is written down."""
    for length in range(len(path), 0, -1):
        if path[:length] in places:
            return places[path[:length]]
    return 1, 1


def _keys(text: str) -> Iterator[tuple[Path, int]]:
    """Each key with its offset; the text has been parsed before, so it is well formed."""
    blank = QUOTED.sub(lambda match: re.sub(r"[^\n]", "_", match[0]) if match[0][0] == "#" else match[0], text)
    table: Path = ()
    offset = 0
    while offset < len(blank):
        end = _statement_end(blank, offset)
        if heading := TABLE.match(blank, offset, end):
            table = _parts(heading["key"])
            yield table, heading.start() + len(heading[0]) - len(heading[0].lstrip())
        elif key := KEY.match(blank, offset, end):
            path = table + _parts(key["key"])
            yield path, _first_letter(key)
            yield from _inline_keys(blank, key.end(), end, path)
        offset = end + 1


def _statement_end(text: str, offset: int) -> int:
    """The line end at which no bracket or string is open."""
    depth = 0
    while offset < len(text):
        if string := QUOTED.match(text, offset):
            offset = string.end()
            continue
        if text[offset] == "\n" and depth <= 0:
            return offset
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[offset], 0)
        offset += 1
    return offset


def _inline_keys(text: str, start: int, end: int, path: Path) -> Iterator[tuple[Path, int]]:
    """Keys one level deep in `{ a = 1, b = 2 }`."""
    brace = re.compile(r"\s*\{").match(text, start, end)
    offset = brace.end() if brace else end
    while key := KEY.match(text, offset, end):
        yield path + _parts(key["key"]), _first_letter(key)
        offset = _value_end(text, key.end(), end) + 1


def _value_end(text: str, offset: int, end: int) -> int:
    depth = 0
    while offset < end:
        if string := QUOTED.match(text, offset, end):
            offset = string.end()
            continue
        if text[offset] in ",}" and depth == 0:
            return offset
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[offset], 0)
        offset += 1
    return end


def _first_letter(key: re.Match[str]) -> int:
    return key.start() + len(key[0]) - len(key[0].lstrip())


def _parts(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in re.findall(PART, dotted))


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
