"""An edition by card letter, route and ticket, their names in sentences, and violations of its rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from ttr_sim.edition.model import Edition
from ttr_sim.log import WILD_LETTER

Ends = tuple[tuple[int, ...], tuple[int, ...]]

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Rulebook:
    """A country's spots are cities like others: in a checked edition each has one neighbor and is a dead end."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.letters = (*(color.letter for color in edition.colors), WILD_LETTER)
        self.letter_order = {letter: number for number, letter in enumerate(self.letters)}
        self.card_counts = {color.letter: color.cards for color in edition.colors} | {WILD_LETTER: edition.wilds}
        self.color_names = {color.letter: color.name for color in edition.colors} | {WILD_LETTER: "wild"}
        self.route_letters = [None if r.color is None else edition.colors[r.color].letter for r in edition.routes]
        members: dict[int, list[int]] = {}
        for number, route in enumerate(edition.routes):
            members.setdefault(route.group, []).append(number)
        self.groups = [tuple(members[route.group]) for route in edition.routes]  # all routes parallel to each
        self.ticket_ends = [(ticket.a_cities, ticket.b_cities) for ticket in edition.tickets]
        self.bonus_ends: Ends | None = None
        if edition.bonus_ticket is not None:
            regions = [city.region for city in edition.cities]
            east, west = edition.bonus_ticket.source, edition.bonus_ticket.target
            ones = tuple(city for city, region in enumerate(regions) if region == east)
            self.bonus_ends = ones, tuple(city for city, region in enumerate(regions) if region == west)
        # Passengers wait in their city, those of a country on its first spot.
        first: dict[str, int] = {}
        self.passenger_home = [
            first.setdefault(city.country, number) if city.country else number
            for number, city in enumerate(edition.cities)
        ]

    def sorted_cards(self, cards: str) -> str:
        """Sort card letters in the colors' order, wilds last."""
        return "".join(sorted(cards, key=lambda letter: self.letter_order.get(letter, len(self.letters))))

    def is_tunnel(self, route: int) -> bool:
        return self.edition.tunnels is not None and self.edition.routes[route].kind == "tunnel"

    def color_name(self, letter: str | None) -> str:
        return self.color_names.get(letter or "", f"unknown ({letter})")

    def card_name(self, letter: str | None) -> str:
        """Name a card: `a red card` or `a wild`."""
        if letter == WILD_LETTER:
            return "a wild"
        name = self.color_name(letter)
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name} card"

    def cards_text(self, letters: str) -> str:
        """List cards in the colors' order: `2 red, 1 blue and a wild`."""
        parts = []
        for letter, count in Counter(self.sorted_cards(letters)).items():
            if letter == WILD_LETTER:
                parts.append("a wild" if count == 1 else f"{count} wilds")
            else:
                parts.append(f"{count} {self.color_name(letter)}")
        return listed(parts) if parts else "no cards"

    def payment_text(self, color: str | None, total: int, wilds: int) -> str:
        return self.cards_text((color or "") * (total - wilds) + WILD_LETTER * wilds)

    def city_name(self, city: int) -> str:
        return self.edition.cities[city].name

    def route_name(self, route: int) -> str:
        """Name a route: `Denver–Omaha`, with its color where it has parallel routes."""
        name = self.ends_name(route)
        return name if len(self.groups[route]) == 1 else f"{name} ({self.route_color(route)})"

    def ends_name(self, route: int) -> str:
        entry = self.edition.routes[route]
        return f"{self.city_name(entry.a)}–{self.city_name(entry.b)}"

    def route_color(self, route: int) -> str:
        letter = self.route_letters[route]
        return "gray" if letter is None else self.color_name(letter)

    def spaces_text(self, route: int) -> str:
        """Describe a route: `3 red spaces` or `a tunnel of 2 gray spaces`."""
        entry = self.edition.routes[route]
        text = numbered(entry.length, f"{self.route_color(route)} space")
        return text if entry.kind == "plain" else f"a {entry.kind} of {text}"

    def ticket_name(self, ticket: int) -> str:
        """Name a ticket: `Denver–Omaha (7)`, without points in a race."""
        entry = self.edition.tickets[ticket]
        points = "" if self.edition.is_race else f" ({entry.points})"
        return f"{entry.a}–{entry.b}{points}"


@dataclass(frozen=True, slots=True)
class Violation:
    """`turn` is -1 at setup and None in the final scoring. `seat` is None for the whole table."""

    game: int
    turn: int | None
    seat: int | None
    rule: str
    message: str

    def sentence(self) -> str:
        """Format the violation as one line."""
        moment = "final scoring" if self.turn is None else "setup" if self.turn < 0 else f"turn {self.turn}"
        seat = "" if self.seat is None else f", seat {self.seat}"
        return f"game {self.game}, {moment}{seat}: {self.rule}: {self.message}"

    def as_json(self) -> dict[str, object]:
        """Fields as `audit --json` prints them."""
        return asdict(self)


class RuleError(Exception):
    """An illegal move that makes the remaining game impossible to audit."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message


def player_name(seat: int) -> str:
    """Name a seat: `first player` for seat 0."""
    return f"{ORDINALS[seat]} player"


def listed(parts: list[str]) -> str:
    """Join words: `one, two and three`. `none` for an empty list."""
    if len(parts) < 2:
        return parts[0] if parts else "none"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def numbered(count: int, thing: str) -> str:
    """Count things: `1 train` or `2 trains`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def capitalized(text: str) -> str:
    """Capitalize the first letter only."""
    return text[0].upper() + text[1:]


def cell_text(value: object) -> str:
    """Format a cell of the log for a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "empty" if value == "" else str(value)
