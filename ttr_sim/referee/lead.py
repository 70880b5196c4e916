"""Who leads in public score: how often that changes and since when it does not."""

from __future__ import annotations


class Lead:
    __slots__ = ("_last_leader", "_scores", "changes", "leader", "since")

    def __init__(self, players: int) -> None:
        self._scores = [0] * players
        self._last_leader: int | None = None
        self.leader: int | None = None
        self.since = 0
        self.changes = 0

    def after_turn(self, turn: int, seat: int, score: int) -> None:
        """A shared lead is nobody's; it makes no change until someone else leads alone."""
        if self._scores[seat] == score:
            return
        self._scores[seat] = score
        best = max(self._scores)
        leader = self._scores.index(best) if self._scores.count(best) == 1 else None
        if leader == self.leader:
            return
        self.leader = leader
        self.since = turn
        if leader is not None:
            self.changes += self._last_leader not in {None, leader}
            self._last_leader = leader
