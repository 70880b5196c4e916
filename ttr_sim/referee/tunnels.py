"""Tunnels: cards are revealed from the deck, and those that match ask for extra cards."""

from __future__ import annotations

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

RULE = "tunnels"


def reveal(table: Table, turn: TurnRow) -> int:
    """Take the revealed cards from the deck, where the laid-down ones are not yet; the extra cards asked."""
    tunnels = table.edition.tunnels
    assert tunnels is not None
    revealed = turn.tunnel_cards
    if revealed is None:
        raise RuleError(RULE, "a tunnel was tried, but no cards were revealed for it")
    due = min(tunnels.reveal, table.piles.size)
    if len(revealed) != due:
        raise RuleError(RULE, f"{len(revealed)} cards were revealed, {due} should have been")
    for letter in revealed:
        table.piles.take(letter)
    extra = sum(letter in {WILD_LETTER, turn.color} for letter in revealed)
    table.expect(RULE, "tunnel_cost", turn.tunnel_cost, extra)
    return extra


def discard_revealed(table: Table, turn: TurnRow) -> None:
    """The revealed cards go to the discards, whether the route was claimed or given up."""
    for letter in turn.tunnel_cards or "":
        table.piles.discard(letter)
