"""An answer that the rules refuse, in words."""

from __future__ import annotations

from ttr_sim.bots.model import LoadedBots
from ttr_sim.engine.actions import (
    ASK_KEEP,
    ASK_MIX,
    ASK_PASSENGER,
    ASK_SECOND,
    ASK_TUNNEL,
    ASK_TURN,
    CLAIM,
    DISCARD,
    DRAW_DECK,
    DRAW_ROW,
    GIVE_UP,
    KEEP,
    PASS,
    PASSENGER,
    PAY_TUNNEL,
    STATION,
    TICKETS,
)
from ttr_sim.engine.calls import RAISED

DECISIONS = {
    ASK_MIX: "a mix of tickets",
    ASK_KEEP: "the tickets to keep",
    ASK_TURN: "an action",
    ASK_SECOND: "the second card",
    ASK_TUNNEL: "a tunnel's extra cards",
    ASK_PASSENGER: "a passenger",
}
ANSWERS = {
    DRAW_ROW: "draw_row(color {a})",
    DRAW_DECK: "draw_deck()",
    CLAIM: "claim(route {a}, color {b}, {c} wilds)",
    TICKETS: "draw_tickets()",
    STATION: "build_station(city {a}, color {b}, {c} wilds)",
    DISCARD: "discard_tickets()",
    PASS: "pass_turn()",
    KEEP: "keep(mask {a})",
    PAY_TUNNEL: "pay_tunnel({c} wilds)",
    GIVE_UP: "give_up()",
    PASSENGER: "passenger(color {a})",
}


def describe_failure(bots: LoadedBots, bot: int, decision: int, answer: int) -> str:
    """What went wrong: `my_bots.py:Greedy, asked for an action, answered claim(...), which the rules refuse`."""
    asked = f"{bots.specs[bot]}, asked for {DECISIONS.get(decision, 'a choice')},"
    if answer == RAISED:
        trouble = getattr(bots.owners[bot], "trouble", None)
        return f"{asked} {trouble or 'raised an exception (an index out of range, or a division by zero)'}"
    return f"{asked} answered {_in_words(answer)}, which the rules refuse"


def _in_words(answer: int) -> str:
    a, b, c = ((answer >> shift) & 255 for shift in (8, 16, 24))
    form = ANSWERS.get(answer & 255) if answer >= 0 else None
    return form.format(a=a, b=b, c=c) if form else str(answer)
