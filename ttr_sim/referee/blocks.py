"""Blocks: one deal played with rotations of one lineup, each another one."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_sim.edition.model import Edition
from ttr_sim.referee.findings import Finding
from ttr_sim.referee.rows import GameLog
from ttr_sim.referee.table import SETUP

RULE = "blocks"


class Blocks:
    """Looks at games in the order of the log, each beside the earlier ones of its block."""

    def __init__(self, edition: Edition) -> None:
        self._mix = edition.ticket_rules.mix
        self._block: list[GameLog] = []

    def check(self, log: GameLog) -> list[Finding]:
        """What is wrong between this game and those of the same block before it."""
        if self._block and self._block[0].game.block != log.game.block:
            self._block = []
        found = [Finding(log.game.game, SETUP, None, RULE, message) for message in self._complaints(log)]
        self._block.append(log)
        return found

    def _complaints(self, log: GameLog) -> Iterator[str]:
        if not self._block:
            return
        first = self._block[0]
        if log.game.deal != first.game.deal:
            yield f"deal {log.game.deal} was played in a block of deal {first.game.deal}"
        elif self._chance(log) != self._chance(first):
            yield f"other cards were dealt than in game {first.game.game} of the same deal"
        lineup = _lineup(log)
        if lineup not in _rotations(_lineup(first)):
            yield f"the lineup is no rotation of that of game {first.game.game}"
        elif any(lineup == _lineup(earlier) for earlier in self._block):
            yield "the lineup was seated so before in the same block"

    def _chance(self, log: GameLog) -> tuple[object, ...]:
        """All that no choice can change at setup."""
        hands = [row.hand for row in log.seats]
        offered = [] if self._mix else [row.ticket for row in log.tickets if row.turn == SETUP]
        return hands, log.game.fill, log.game.passengers, offered


def _lineup(log: GameLog) -> list[str]:
    return [row.bot for row in log.seats]


def _rotations(lineup: list[str]) -> list[list[str]]:
    return [lineup[place:] + lineup[:place] for place in range(len(lineup))]
