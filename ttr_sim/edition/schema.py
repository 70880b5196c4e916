"""Checks of single values of edition.toml. A key of a block is a field of its record, annotated with its Key."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

from ttr_sim.edition import limits

Check = Callable[[Any], str | None]  # the problem with a value, or None

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
MOST_BITS = 1_000


@dataclass(frozen=True, slots=True)
class Key:
    """A required key, or one with a `default` for when it is omitted."""

    check: Check
    default: object = None
    required: bool = True


def optional(check: Check, default: object = None) -> Key:
    return Key(check, default, required=False)


def keys_of(record: type) -> dict[str, Key]:
    """Keys of a block, by the annotated fields of its record."""
    hints = get_type_hints(record, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def must_be(wanted: str, is_good: Callable[[Any], bool]) -> Check:
    return lambda value: None if is_good(value) else f"must be {wanted}, not {shown(value)}"


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)  # Python counts True as 1


def whole(low: int, high: int) -> Check:
    return must_be(f"a whole number from {low} to {high}", lambda value: is_whole(value) and low <= value <= high)


def number(low: float, high: float) -> Check:
    def is_good(value: Any) -> bool:
        return (is_whole(value) or isinstance(value, float)) and low <= value <= high

    return must_be(f"a number from {low:g} to {high:g}", is_good)


def one_of(*names: str) -> Check:
    return must_be(either(names), lambda value: value in names)


def text(value: object) -> str | None:
    if not isinstance(value, str):
        return f"must be text in quotes, not {shown(value)}"
    return None if value.strip() else "must not be empty"


def list_of(check_one: Check, most: int) -> Check:
    def check(value: object) -> str | None:
        if not isinstance(value, list):
            return f"must be a list in brackets, not {shown(value)}"
        if len(value) > most:
            return f"has {len(value)} entries; at most {most} are allowed"
        for place, entry in enumerate(value, start=1):
            if message := check_one(entry):
                return f"entry {place} {message}"
        return None

    return check


def player_range(value: object) -> str | None:
    if not isinstance(value, list) or len(value) != 2 or not all(is_whole(entry) for entry in value):
        return f"must be the lowest and the highest number of players, as in [2, 5], not {shown(value)}"
    if 2 <= value[0] <= value[1] <= limits.MAX_PLAYERS:
        return None
    return f"must go from a lower to a higher number, both from 2 to {limits.MAX_PLAYERS}, not {shown(value)}"


def points_by_players(value: object) -> str | None:
    """Check `{ 2 = [8, 4], 3 = [8, 5, 2] }`: for each number of players, the points of each rank."""
    if not isinstance(value, dict):
        return f"must be a table by number of players, as in {{ 2 = [8, 4] }}, not {shown(value)}"
    for players, ranks in value.items():
        if players not in {str(count) for count in range(2, limits.MAX_PLAYERS + 1)}:
            return f'has "{players}", which is not a number of players from 2 to {limits.MAX_PLAYERS}'
        if message := list_of(POINTS, int(players))(ranks):
            return f"for {players} players: {message}"
    return None


def shown(value: object) -> str:
    """Format a value on one line much as TOML would write it, shortened."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "a huge number"  # Python refuses to write one with thousands of digits
    written = json.dumps(value, ensure_ascii=False) if isinstance(value, bool | str) else str(value)
    return written if len(written) <= 40 else written[:37] + "..."


def either(names: Sequence[str]) -> str:
    """Format names as in `"a", "b" or "c"`."""
    quoted = [f'"{entry}"' for entry in names]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


flag = must_be("true or false", lambda value: isinstance(value, bool))
one_letter = must_be(
    "one lower-case letter from a to z",
    lambda value: isinstance(value, str) and bool(re.fullmatch("[a-z]", value)),
)
identifier = must_be(
    f"a name of letters, digits, - and _ (at most {limits.MAX_NAME})",
    lambda value: isinstance(value, str) and bool(NAME.fullmatch(value)) and len(value) <= limits.MAX_NAME,
)
POINTS = whole(0, limits.MAX_POINTS)
CARDS = whole(0, limits.MAX_CARDS)
OFFER = whole(0, limits.MAX_OFFER)
