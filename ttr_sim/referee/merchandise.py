"""Merchandise: one card for a claimed route with the cart symbol, points by rank at the end."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

RULE = "merchandise"


def earn_merchandise(table: Table, turn: TurnRow, route: int) -> None:
    """One card, whatever the length, while any is left."""
    if table.edition.merchandise is None:
        table.expect(RULE, "merchandise", turn.merchandise, None)
        return
    earned = bool(turn.claimed) and table.edition.routes[route].merchandise and table.merchandise_left > 0
    table.expect(RULE, "merchandise", turn.merchandise, earned)
    if earned:
        table.merchandise_left -= 1
        table.seats[turn.seat].merchandise += 1


def merchandise_points(table: Table) -> list[int]:
    rule = table.edition.merchandise
    assert rule is not None
    return points_by_rank([state.merchandise for state in table.seats], rule.points.get(table.players, ()))


def points_by_rank(held: list[int], points: Sequence[int]) -> list[int]:
    """Tied seats score the rank they share, the ranks after it are skipped, and no cards score nothing."""
    ranks = [sum(other > count for other in held) for count in held]
    return [points[rank] if count and rank < len(points) else 0 for count, rank in zip(held, ranks, strict=True)]
