"""Decisions and answers in words, with the names of an edition's cities and colors."""

from __future__ import annotations

from ttr_sim.edition.model import Edition
from ttr_sim.engine import actions

DECISIONS = {
    actions.ASK_MIX: "announce a mix of tickets",
    actions.ASK_KEEP: "choose which tickets to keep",
    actions.ASK_TURN: "take a turn",
    actions.ASK_SECOND: "draw a second card",
    actions.ASK_TUNNEL: "pay for the tunnel or give it up",
    actions.ASK_PASSENGER: "take a passenger",
    actions.GAME_OVER: "the game is over",
}


def answer_in_words(edition: Edition, answer: int, offered: list[int]) -> str:
    """A bot's answer in words. `offered` are the tickets that a kept mask refers to."""
    a, b, c = (answer >> 8) & 255, (answer >> 16) & 255, (answer >> 24) & 255
    simple = {
        actions.DEFAULT: "no opinion",
        actions.ANSWER_DRAW_DECK: "draw from the deck",
        actions.ANSWER_DISCARD: "discard all held tickets",
        actions.ANSWER_PASS: "pass",
        actions.ANSWER_GIVE_UP: "give the tunnel up",
    }
    kind = answer if answer < 0 else answer & 255
    if kind in simple:
        return simple[kind]
    if kind == actions.ANSWER_DRAW_ROW:
        return f"take a face-up {color_name(edition, a)}"
    if kind == actions.ANSWER_CLAIM:
        return f"claim {route_name(edition, a)} for {_payment(edition, edition.routes[a].length, b, c)}"
    if kind == actions.ANSWER_TICKETS:
        return _draw_in_words(edition, answer)
    if kind == actions.ANSWER_STATION:
        return f"build a station in {edition.cities[a].name} ({c} wilds, {color_name(edition, b)})"
    if kind == actions.ANSWER_KEEP:
        kept = [ticket_name(edition, ticket) for index, ticket in enumerate(offered) if a >> index & 1]
        return "keep " + (", ".join(kept) or "nothing")
    if kind == actions.ANSWER_PAY_TUNNEL:
        return f"pay the tunnel's extra cards, {c} of them wilds"
    if kind == actions.ANSWER_PASSENGER:
        return f"take a {color_name(edition, a)} passenger"
    return f"the meaningless answer {answer}"


def _draw_in_words(edition: Edition, answer: int) -> str:
    if not edition.ticket_rules.mix:
        return "draw tickets"
    counts = [(answer >> (8 + 8 * index)) & 255 for index in range(len(edition.decks))]
    parts = [f"{count} {deck.name}" for count, deck in zip(counts, edition.decks, strict=True)]
    return "draw tickets: " + " and ".join(parts)


def _payment(edition: Edition, cards: int, color: int, wilds: int) -> str:
    parts = []
    if cards > wilds:
        parts.append(f"{cards - wilds} {color_name(edition, color)}")
    if wilds:
        parts.append(f"{wilds} wild")
    return " and ".join(parts)


def color_name(edition: Edition, color: int) -> str:
    return edition.colors[color].name if color < len(edition.colors) else "wild"


def route_name(edition: Edition, route: int) -> str:
    """`Atlanta–Miami`, with color and number among parallel routes."""
    entry = edition.routes[route]
    name = f"{edition.cities[entry.a].name}–{edition.cities[entry.b].name}"
    if sum(other.group == entry.group for other in edition.routes) > 1:
        name += f" ({'gray' if entry.color is None else edition.colors[entry.color].name} {entry.copy + 1})"
    return name


def ticket_name(edition: Edition, ticket: int) -> str:
    entry = edition.tickets[ticket]
    return f"{entry.a}–{entry.b} ({entry.points})"
