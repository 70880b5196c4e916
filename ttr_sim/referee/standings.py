"""Ranks, winners and margin: by score, then by the edition's tie-breaks, then shared."""

from __future__ import annotations

from collections.abc import Callable

from ttr_sim.referee.reckoning import Reckoning
from ttr_sim.referee.table import Table

RULE = "standings"

TIE_BREAKS: dict[str, Callable[[Reckoning], int]] = {
    "tickets": lambda reckoning: reckoning.tickets_and_bonus,
    "stations": lambda reckoning: reckoning.stations_left or 0,
    "longest_path": lambda reckoning: reckoning.has_longest_path,
    "passengers": lambda reckoning: reckoning.passengers_held,
}


def check_standings(table: Table, reckonings: list[Reckoning]) -> None:
    """Rank and win share of each seat, winners, margin and lead of the game."""
    merits = [_merit(table, reckoning) for reckoning in reckonings]
    ranks = [1 + sum(other > merit for other in merits) for merit in merits]
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    for seat, row in enumerate(table.log.seats):
        table.seat = seat
        table.expect(RULE, "rank", row.rank, ranks[seat])
        table.expect(RULE, "win_share", row.win_share, 1 / len(winners) if seat in winners else 0.0)
    table.seat = None
    game = table.log.game
    table.expect(RULE, "winners", game.winners, sum(1 << seat for seat in winners))
    table.expect(RULE, "margin", game.margin, _margin([reckoning.score for reckoning in reckonings], winners))
    table.expect("lead", "lead_changes", game.lead_changes, table.lead.changes)
    leads_to_the_end = winners == [table.lead.leader]
    table.expect("lead", "lead_turn", game.lead_turn, table.lead.since if leads_to_the_end else None)


def _merit(table: Table, reckoning: Reckoning) -> tuple[int, ...]:
    return reckoning.score, *(TIE_BREAKS[name](reckoning) for name in table.edition.tie_breaks)


def _margin(scores: list[int], winners: list[int]) -> int:
    """By how much a sole winner is ahead; 0 when a tie-break decided or the win is shared."""
    if len(winners) > 1:
        return 0
    return scores[winners[0]] - max(score for seat, score in enumerate(scores) if seat != winners[0])
