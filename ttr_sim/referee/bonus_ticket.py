"""The bonus ticket, East to West: once per seat, for a network that joins the two regions."""

from __future__ import annotations

from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

RULE = "bonus ticket"


def earn_bonus_ticket(table: Table, turn: TurnRow) -> None:
    """At the first claim after which the own network joins both regions, while any is left."""
    ends = table.rules.bonus_ends
    if ends is None:
        table.expect(RULE, "bonus_ticket", turn.bonus_ticket, None)
        return
    state = table.seats[turn.seat]
    earned = (
        bool(turn.claimed) and not state.bonus_ticket and table.bonus_tickets_left > 0 and state.network.connects(ends)
    )
    table.expect(RULE, "bonus_ticket", turn.bonus_ticket, earned)
    if earned:
        table.bonus_tickets_left -= 1
        state.bonus_ticket = True
