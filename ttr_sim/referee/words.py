"""Names of cards, routes, tickets, cities and cells of the log in sentences."""

from __future__ import annotations

from collections import Counter

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.rulebook import Rulebook

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def player(seat: int) -> str:
    """Name a seat: `first player` for seat 0."""
    return f"{ORDINALS[seat]} player"


def color_name(rules: Rulebook, letter: str | None) -> str:
    return rules.color_names.get(letter or "", f"unknown ({letter})")


def one_card(rules: Rulebook, letter: str | None) -> str:
    """Name a card: `a red card` or `a wild`."""
    if letter == WILD_LETTER:
        return "a wild"
    name = color_name(rules, letter)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} card"


def counted(rules: Rulebook, letter: str, count: int) -> str:
    """Count cards: `2 red`, `a wild` or `3 wilds`."""
    if letter != WILD_LETTER:
        return f"{count} {color_name(rules, letter)}"
    return "a wild" if count == 1 else f"{count} wilds"


def listed(parts: list[str]) -> str:
    """Join words: `one, two and three`. `none` for an empty list."""
    if len(parts) < 2:
        return parts[0] if parts else "none"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def numbered(count: int, thing: str) -> str:
    """Count things: `1 train` or `2 trains`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def sentence(text: str) -> str:
    """Capitalize the first letter only."""
    return text[0].upper() + text[1:]


def cards(rules: Rulebook, letters: str) -> str:
    """List cards in the colors' order: `2 red, 1 blue and a wild`."""
    if not letters:
        return "no cards"
    return listed([counted(rules, letter, count) for letter, count in Counter(rules.sorted_cards(letters)).items()])


def payment(rules: Rulebook, color: str | None, total: int, wilds: int) -> str:
    return cards(rules, (color or "") * (total - wilds) + WILD_LETTER * wilds)


def city(rules: Rulebook, number: int) -> str:
    return rules.edition.cities[number].name


def route(rules: Rulebook, number: int) -> str:
    """Name a route: `Denver–Omaha`, with its color where it has parallel routes."""
    name = ends(rules, number)
    return name if len(rules.groups[number]) == 1 else f"{name} ({route_color(rules, number)})"


def ends(rules: Rulebook, number: int) -> str:
    """Ends of a route: `Denver–Omaha`."""
    entry = rules.edition.routes[number]
    return f"{city(rules, entry.a)}–{city(rules, entry.b)}"


def route_color(rules: Rulebook, number: int) -> str:
    letter = rules.route_letters[number]
    return "gray" if letter is None else color_name(rules, letter)


def spaces(rules: Rulebook, number: int) -> str:
    """Describe a route: `3 red spaces` or `a tunnel of 2 gray spaces`."""
    entry = rules.edition.routes[number]
    text = numbered(entry.length, f"{route_color(rules, number)} space")
    return text if entry.kind == "plain" else f"a {entry.kind} of {text}"


def ticket(rules: Rulebook, number: int) -> str:
    """Name a ticket: `Denver–Omaha (7)`, without points in a race."""
    entry = rules.edition.tickets[number]
    points = "" if rules.edition.is_race else f" ({entry.points})"
    return f"{entry.a}–{entry.b}{points}"


def cell(value: object) -> str:
    """Format a cell of the log for a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "empty" if value == "" else str(value)
