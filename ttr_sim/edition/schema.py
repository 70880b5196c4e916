"""The keys of edition.toml: what each may hold, and its value when it is omitted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ttr_sim.edition import limits

Check = Callable[[object], str | None]  # what is wrong with a value, or None

TIE_BREAKS = ("tickets", "stations", "longest_path", "passengers")
RETURNED = ("bottom", "removed", "shuffled")
MOST_BITS = 1_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Key:
    """A required key, or one with a `default` for when it is omitted."""

    check: Check
    default: object = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """A table of keys; with `named`, a table of such tables under names the designer chooses."""

    keys: Mapping[str, Key]
    required: bool = False
    named: bool = False


def optional(check: Check, default: object = None) -> Key:
    return Key(check, default, required=False)


def whole(low: int, high: int) -> Check:
    def check(value: object) -> str | None:
        if _is_whole(value) and low <= value <= high:  # type: ignore[operator]
            return None
        return f"must be a whole number from {low} to {high}, not {shown(value)}"

    return check


def number(low: float, high: float) -> Check:
    def check(value: object) -> str | None:
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return None
        return f"must be a number from {low:g} to {high:g}, not {shown(value)}"

    return check


def flag(value: object) -> str | None:
    return None if isinstance(value, bool) else f"must be true or false, not {shown(value)}"


def text(value: object) -> str | None:
    if not isinstance(value, str):
        return f"must be text in quotes, not {shown(value)}"
    return None if value.strip() else "must not be empty"


def name(value: object) -> str | None:
    if isinstance(value, str) and NAME.fullmatch(value) and len(value) <= limits.MAX_NAME:
        return None
    return f"must be a name of letters, digits, - and _ (at most {limits.MAX_NAME}), not {shown(value)}"


def letter(value: object) -> str | None:
    if isinstance(value, str) and re.fullmatch("[a-z]", value):
        return None
    return f"must be one lower-case letter from a to z, not {shown(value)}"


def one_of(*names: str) -> Check:
    def check(value: object) -> str | None:
        return None if value in names else f"must be {either(names)}, not {shown(value)}"

    return check


def list_of(check_one: Check, most: int) -> Check:
    def check(value: object) -> str | None:
        if not isinstance(value, list):
            return f"must be a list in brackets, not {shown(value)}"
        if len(value) > most:
            return f"has {len(value)} entries; at most {most} are allowed"
        wrong = (f"entry {place + 1} {message}" for place, entry in enumerate(value) if (message := check_one(entry)))
        return next(wrong, None)

    return check


def player_range(value: object) -> str | None:
    """Check the lowest and highest number of players."""
    if not isinstance(value, list) or len(value) != 2 or not all(_is_whole(entry) for entry in value):
        return f"must be the lowest and the highest number of players, as in [2, 5], not {shown(value)}"
    low, high = value
    if 2 <= low <= high <= limits.MAX_PLAYERS:
        return None
    return f"must go from a lower to a higher number, both from 2 to {limits.MAX_PLAYERS}, not {shown(value)}"


def points_by_players(value: object) -> str | None:
    """Check `{ 2 = [8, 4], 3 = [8, 5, 2] }`: by number of players, the points of each rank."""
    if not isinstance(value, dict):
        return f"must be a table by number of players, as in {{ 2 = [8, 4] }}, not {shown(value)}"
    for players, places in value.items():
        if players not in {str(number) for number in range(2, limits.MAX_PLAYERS + 1)}:
            return f'has "{players}", which is not a number of players from 2 to {limits.MAX_PLAYERS}'
        if message := list_of(whole(0, limits.MAX_POINTS), int(players))(places):
            return f"for {players} players: {message}"
    return None


def shown(value: object) -> str:
    """Return a value on one line much as TOML would write it, shortened."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "a huge number"  # Python refuses to write one with thousands of digits
    written = json.dumps(value, ensure_ascii=False) if isinstance(value, bool | str) else str(value)
    return written if len(written) <= 40 else written[:37] + "..."


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def either(names: Sequence[str]) -> str:
    """Return the names in quotes, as in `"a", "b" or "c"`."""
    quoted = [f'"{entry}"' for entry in names]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


POINTS = whole(0, limits.MAX_POINTS)
OFFER = whole(0, limits.MAX_OFFER)
LEAST_MARGIN, MOST_MARGIN = 1, 50  # a smaller one would take millions of games to show
PER_HUNDRED = number(LEAST_MARGIN, 100)

TOP = {
    "schema": Key(whole(1, 1)),
    "name": Key(name),
    "title": Key(text),
    "variant_of": optional(name),
    "provenance": optional(text, ""),
    "players": Key(player_range),
    "trains": Key(whole(1, limits.MAX_TRAINS)),
    "hand": Key(whole(0, limits.MAX_CARDS)),
    "route_scores": optional(list_of(POINTS, limits.MAX_LENGTH)),
    "tie_breaks": optional(list_of(one_of(*TIE_BREAKS), len(TIE_BREAKS)), []),
    "max_turns": optional(whole(1, limits.MAX_TURNS_PER_PLAYER), 250),
}

BLOCKS = {
    "colors": Block({"letter": Key(letter), "cards": Key(whole(0, limits.MAX_CARDS))}, required=True, named=True),
    "wilds": Block({"cards": Key(whole(0, limits.MAX_CARDS))}),
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
    "tickets": Block(
        {
            "mix": optional(flag, False),
            "deal_total": optional(OFFER),
            "draw_total": optional(OFFER),
            "keep_at_start": Key(OFFER),
            "returned_at_start": optional(one_of(*RETURNED), "bottom"),
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
    "ferries": Block({}),
    "passengers": Block(
        {
            "colors": Key(list_of(text, limits.MAX_COLORS)),
            "each": Key(whole(0, limits.MAX_CARDS)),
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
