"""Plans for tests that need no engine."""

from __future__ import annotations

from ttr_sim.run.plan import FULL, Plan


def plan_of(players: int, bots: str, games: int = 10, seed: int = 1, part_size: int = 2_000) -> Plan:
    return Plan("usa", "f" * 16, players, tuple(bots.split(",")), games, seed, FULL, part_size, "kernel", "tuning")
