"""The schema language of edition.toml: keys and blocks that annotate records, and the checks of values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

from ttr_sim.edition import limits

Check = Callable[[Any], str | None]  # the problem with a value, or None
Load = Callable[[Any], Any]  # from a checked value to that of a field

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
MOST_BITS = 1_000


def frozen(value: Any) -> Any:
    if isinstance(value, dict):  # lists by number of players
        return {int(players): tuple(entries) for players, entries in value.items()}
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Key:
    """A required key, or one with a `default`. `name` is its name in the file where that is not the field's."""

    check: Check
    default: Any = None
    required: bool = True
    name: str = ""
    load: Load = frozen


def optional(check: Check, default: object = None, load: Load = frozen) -> Key:
    return Key(check, default, required=False, load=load)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of edition.toml with the keys of a record, of one number, or none for a plain switch.

    A `named` block holds blocks under names that the designer chooses. `absent` stands for a missing one.
    """

    content: Any
    name: str = ""
    required: bool = False
    named: bool = False
    absent: Any = None

    @property
    def keys(self) -> dict[str, Key]:
        return self.content if isinstance(self.content, dict) else keys_of(self.content)

    def load(self, values: Mapping[str, Any] | None) -> Any:
        """Value of the Edition's field from checked values."""
        if values is None:
            return self.absent
        if isinstance(self.content, dict):
            return next(iter(values.values()), True)
        if self.named:
            return tuple(load_record(self.content, block, name=name) for name, block in values.items())
        return load_record(self.content, values)


@cache
def marked_fields(record: Any, kind: type[Any]) -> dict[str, Any]:
    """Keys or blocks that annotate the fields of a record."""
    hints = get_type_hints(record, include_extras=True)
    marks = {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}
    return {name: mark for name, mark in marks.items() if isinstance(mark, kind)}


def keys_of(record: type) -> dict[str, Key]:
    """Keys of a record, under their names in the file."""
    return {key.name or name: key for name, key in marked_fields(record, Key).items()}


def blocks_of(record: type) -> dict[str, tuple[str, Block]]:
    """Fields and blocks of a record, under the blocks' names in the file."""
    return {block.name or name: (name, block) for name, block in marked_fields(record, Block).items()}


def load_record(record: Any, values: Mapping[str, Any], **more: Any) -> Any:
    """Build a record of checked values, and of `more` that no key holds."""
    keys = marked_fields(record, Key)
    return record(**{name: key.load(values[key.name or name]) for name, key in keys.items()}, **more)


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


def points_by_region(value: object) -> str | None:
    """Check `{ north = 3, south = 5 }`: the points of each region."""
    if not isinstance(value, dict) or not value:
        return f"must be a table by region, as in {{ north = 3, south = 5 }}, not {shown(value)}"
    if len(value) > limits.MAX_DISTRICTS:
        return f"has {len(value)} regions; at most {limits.MAX_DISTRICTS} are allowed"
    for region, points in value.items():
        if message := POINTS(points):
            return f'for "{region}" {message}'
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
    "one lower-case letter from a to z", lambda value: isinstance(value, str) and bool(re.fullmatch("[a-z]", value))
)
identifier = must_be(
    f"a name of letters, digits, - and _ (at most {limits.MAX_NAME})",
    lambda value: isinstance(value, str) and bool(NAME.fullmatch(value)) and len(value) <= limits.MAX_NAME,
)
POINTS = whole(0, limits.MAX_POINTS)
CARDS = whole(0, limits.MAX_CARDS)
OFFER = whole(0, limits.MAX_OFFER)
