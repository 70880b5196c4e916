"""Read edition.toml: the keys it may have, their checks and defaults, and `--set` overrides laid over it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr_sim.edition import limits
from ttr_sim.edition.problems import RULES_FILE, Place, Problems
from ttr_sim.edition.toml_positions import KeyPath, Places, key_places, nearest, parse_toml
from ttr_sim.errors import UserError, closest

Check = Callable[[Any], str | None]  # the problem with a value, or None

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
MOST_BITS = 1_000
MOST_UNKNOWN = 50  # beyond that the file is something else


@dataclass(frozen=True, slots=True)
class Key:
    """A required key, or one with a `default` for when it is omitted."""

    check: Check
    default: object = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """A table of keys. With `named`, a table of such tables under names the designer chooses."""

    keys: Mapping[str, Key]
    required: bool = False
    named: bool = False


def optional(check: Check, default: object = None) -> Key:
    return Key(check, default, required=False)


def must_be(wanted: str, is_good: Callable[[Any], bool]) -> Check:
    return lambda value: None if is_good(value) else f"must be {wanted}, not {shown(value)}"


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)  # Python counts True as 1


def whole(low: int, high: int) -> Check:
    return must_be(f"a whole number from {low} to {high}", lambda value: is_whole(value) and low <= value <= high)


def number(low: float, high: float) -> Check:
    def is_good(value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high

    return must_be(f"a number from {low:g} to {high:g}", is_good)


flag = must_be("true or false", lambda value: isinstance(value, bool))

letter = must_be(
    "one lower-case letter from a to z",
    lambda value: isinstance(value, str) and bool(re.fullmatch("[a-z]", value)),
)

name = must_be(
    f"a name of letters, digits, - and _ (at most {limits.MAX_NAME})",
    lambda value: isinstance(value, str) and bool(NAME.fullmatch(value)) and len(value) <= limits.MAX_NAME,
)


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
        if message := list_of(whole(0, limits.MAX_POINTS), int(players))(ranks):
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


# Checks that several keys share.
POINTS = whole(0, limits.MAX_POINTS)
CARDS = whole(0, limits.MAX_CARDS)
OFFER = whole(0, limits.MAX_OFFER)
TIE_BREAKS = ("tickets", "stations", "longest_path", "passengers")
LEAST_MARGIN, MOST_MARGIN = 1, 50  # a smaller one would take millions of games to show
PER_HUNDRED = number(LEAST_MARGIN, 100)

TOP = {
    # Raised when a key changes its meaning, so that an older program refuses a newer folder.
    "schema": Key(whole(1, 1)),
    "name": Key(name),
    "title": Key(text),
    "variant_of": optional(name),
    "provenance": optional(text, ""),
    "players": Key(player_range),
    "trains": Key(whole(1, limits.MAX_TRAINS)),
    "hand": Key(CARDS),
    "route_scores": optional(list_of(POINTS, limits.MAX_LENGTH)),
    "tie_breaks": optional(list_of(one_of(*TIE_BREAKS), len(TIE_BREAKS)), []),
    "max_turns": optional(whole(1, limits.MAX_TURNS_PER_PLAYER), 250),
}

BLOCKS = {
    "colors": Block({"letter": Key(letter), "cards": Key(CARDS)}, required=True, named=True),
    "wilds": Block({"cards": Key(CARDS)}),
    "row": Block(
        {
            "size": Key(whole(1, limits.MAX_ROW)),
            "reset_at": Key(whole(1, limits.MAX_ROW)),
            "max_resets": optional(whole(0, limits.MAX_RESETS), 10),
            "needs_pile": optional(flag, False),
        }
    ),
    "parallel": Block({"closed_up_to_players": Key(whole(0, limits.MAX_PLAYERS))}),
    "decks": Block({"deal": optional(OFFER), "draw": optional(OFFER)}, required=True, named=True),
    # With mix = true the totals count, without it deal and draw of each deck (see checks.py).
    "tickets": Block(
        {
            "mix": optional(flag, False),
            "deal_total": optional(OFFER),
            "draw_total": optional(OFFER),
            "keep_at_start": Key(OFFER),
            "returned_at_start": optional(one_of("bottom", "removed", "shuffled"), "bottom"),
            "keep": optional(whole(1, limits.MAX_OFFER), 1),
            "failed_subtract": optional(flag, True),
        },
        required=True,
    ),
    "end": Block(
        {
            "trains_left": optional(whole(0, limits.MAX_TRAINS)),
            "race_tickets": optional(whole(1, limits.MAX_TICKETS)),
            "last_train": optional(flag, False),
        },
        required=True,
    ),
    "longest_path": Block({"points": Key(POINTS)}),
    "globetrotter": Block({"points": Key(POINTS)}),
    "stations": Block({"count": Key(whole(0, limits.MAX_STATIONS)), "unused_points": Key(POINTS)}),
    "tunnels": Block({"reveal": Key(whole(0, limits.MAX_TUNNEL_REVEAL))}),
    # An empty block only switches its rule on.
    "ferries": Block({}),
    "passengers": Block(
        {
            "colors": Key(list_of(text, limits.MAX_COLORS)),
            "each": Key(CARDS),
            "most": Key(POINTS),
            "second": Key(POINTS),
        }
    ),
    "merchandise": Block({"cards": Key(whole(0, 120)), "points": Key(points_by_players)}),
    "instant_tickets": Block({"hold": Key(whole(1, limits.MAX_OFFER)), "discard": optional(flag, False)}),
    "bonus_ticket": Block({"from": Key(text), "to": Key(text), "count": Key(whole(0, 120))}),
    "targets": Block(
        {
            "margin": optional(number(LEAST_MARGIN, MOST_MARGIN), 5),
            "claimed": optional(number(0, 100), 2),
            "fought_over": optional(number(LEAST_MARGIN, 300)),
            "locked_out": optional(PER_HUNDRED),
            "seats": optional(PER_HUNDRED),
            "locked": optional(list_of(text, limits.MAX_TICKETS + limits.MAX_ROUTES), []),
        }
    ),
}


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

    def __contains__(self, block: str) -> bool:
        return block in self.values

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def get(self, *path: str) -> Any:
        """Look up a value. None when it is absent, omitted or was reported as wrong."""
        value: Any = self.values
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value


def read_rules(text: str, overrides: Mapping[str, str], problems: Problems) -> Rules | None:
    """Read the rules. None when the text is not TOML. Wrong keys are reported and left out."""
    raw = parse_toml(text, RULES_FILE, problems)
    if raw is None:
        return None
    # Overrides come before the checks, so a wrong one is reported like a wrong line.
    apply_overrides(raw, overrides)
    paths = frozenset(tuple(key.split(".")) for key in overrides)
    rules = Rules({}, key_places(text), paths, problems)
    _report_unknown(rules, (), raw, {**TOP, **BLOCKS})
    rules.values.update(_read_keys(rules, (), raw, TOP))
    for block_name, block in BLOCKS.items():
        if block_name in raw:
            rules.values[block_name] = _read_block(rules, (block_name,), raw[block_name], block)
        elif block.required:
            rules.error((), f"the block [{block_name}] is missing")
    return rules


def _read_block(rules: Rules, path: KeyPath, raw: object, block: Block) -> dict[str, Any]:
    dotted = ".".join(path)
    if not isinstance(raw, dict):
        rules.error(path, f"{dotted} must be a block such as [{dotted}], not {shown(raw)}")
        return {}
    if block.named:
        one = Block(block.keys)
        # The names of colors and decks are the designer's, so no key of the table is unknown.
        return {entry: _read_block(rules, (*path, entry), value, one) for entry, value in raw.items()}
    _report_unknown(rules, path, raw, block.keys)
    return _read_keys(rules, path, raw, block.keys)


def _read_keys(rules: Rules, path: KeyPath, raw: dict[str, Any], keys: Mapping[str, Key]) -> dict[str, Any]:
    """Collect the values that pass their check, and defaults for omitted keys."""
    clean: dict[str, Any] = {}
    for key_name, key in keys.items():
        here = (*path, key_name)
        if key_name not in raw and key.required:
            rules.error(path, f'the key "{".".join(here)}" is missing')
        elif key_name not in raw:
            clean[key_name] = key.default
        # A wrong value is left out, so that later checks skip it instead of failing on it.
        elif message := key.check(raw[key_name]):
            rules.error(here, f"{'.'.join(here)} {message}")
        else:
            clean[key_name] = raw[key_name]
    return clean


def _report_unknown(rules: Rules, path: KeyPath, raw: Iterable[str], known: Mapping[str, object]) -> None:
    unknown = [key for key in raw if key not in known]
    for key in unknown[:MOST_UNKNOWN]:
        rules.error((*path, key), f"unknown key {shown('.'.join((*path, key)))}", closest(key, known))
    if len(unknown) > MOST_UNKNOWN:
        rules.error((*path, unknown[MOST_UNKNOWN]), f"{len(unknown) - MOST_UNKNOWN:,} more unknown keys from here on")


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
        for table_name in tables:
            table = table.setdefault(table_name, {})
            if not isinstance(table, dict):
                raise UserError(f'--set {dotted}: "{table_name}" is a value, not a block')
        try:
            parsed = tomllib.loads(f"value = {written}")
        except (ValueError, RecursionError):
            parsed = {}
        if set(parsed) != {"value"}:  # a line end in the text would add keys
            raise UserError(f"--set {dotted}: {shown(written)} is not a TOML value (text needs its own quotes)")
        table[last] = parsed["value"]
