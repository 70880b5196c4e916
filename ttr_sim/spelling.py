"""The nearest known word to a mistyped one, for every "did you mean"."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, case and accents aside; None when none is near."""
    by_plain = {plain(name): name for name in known}
    matches = get_close_matches(plain(word[:100]), by_plain, n=1, cutoff=0.6)
    return by_plain[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean "X"?)` to append to a sentence, or nothing."""
    match = closest(word, known)
    return f' (did you mean "{match}"?)' if match else ""


def plain(text: str) -> str:
    """Lower case without accents."""
    split = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in split if not unicodedata.combining(letter)).casefold()
