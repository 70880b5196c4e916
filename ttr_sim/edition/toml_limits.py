"""Refuse TOML text that would take the parser too much memory or time, before it is parsed.

The standard library's parser needs some kilobytes for each key, and the square of its parts for a dotted one.
"""

from __future__ import annotations

import re

MAX_MARKS = 20_000  # an official edition.toml has some two hundred
MAX_WORD = 10_000
MAX_PARTS = 20  # of a dotted key; ours have three
MARKS = "=.,[{\\\n"  # wherever the parser has more to do than to copy letters
PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
LONG_WORD = re.compile(rf"(?<![\w-])[\w-]{{{MAX_WORD}}}")  # a number of so many digits takes a hundred times its size
LONG_KEY = re.compile(rf"(?:{PART}\.[ \t]*+){{{MAX_PARTS}}}{PART}[.=\]]", re.ASCII)


def too_much(text: str) -> tuple[str, int] | None:
    """Return what is too much in the text and the offset where it is, or None when it may be parsed."""
    marks = sum(text.count(mark) for mark in MARKS)
    if marks > MAX_MARKS:
        return f"{marks:,} lines, keys and values; at most {MAX_MARKS:,} are allowed", 0
    if word := LONG_WORD.search(text):
        return f"a word or number of more than {MAX_WORD:,} letters", word.start()
    key = LONG_KEY.search(text)
    return None if key is None else (f"a key of more than {MAX_PARTS} parts", key.start())
