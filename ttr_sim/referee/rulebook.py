"""An edition by card letter, route and ticket, and violations of its rules."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ttr_sim.edition.model import Edition
from ttr_sim.log import WILD_LETTER

Ends = tuple[tuple[int, ...], tuple[int, ...]]


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
