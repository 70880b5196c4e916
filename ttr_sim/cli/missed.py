"""What `study --check` prints: one line for each target that the board misses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.balance.targets import Target

WORDS = {
    "win_effect": "gives {} wins in 100 beyond its class",
    "claims": "is claimed {} times in 100 games",
    "contention": "is fought over {} times in 100 games",
    "denial": "locks somebody out in {} of 100 games",
    "seat": "wins {} of 100 games",
    "style": "wins {} of 100 games",
}


def missed_targets(analysis: Analysis) -> list[str]:
    from ttr_sim.balance.targets import find_targets

    return [_line(target) for target in find_targets(analysis) if target.met is False]


def _line(target: Target) -> str:
    measured = WORDS[target.measure].format(f"{_hundredths(target.value)} ({_range(target.low, target.high)})")
    players = f", with {target.players} players" if target.players else ""
    return f"missed: {target.name} {measured}; wanted: {_wanted(target)}{players}"


def _wanted(target: Target) -> str:
    low, high = target.limit
    if low is None and high is None:
        return "anything"
    if low is None or high is None:
        return f"at most {_hundredths(high)}" if high is not None else f"at least {_hundredths(low or 0.0)}"
    return _range(low, high)


def _range(low: float, high: float) -> str:
    return f"{_hundredths(low)} to {_hundredths(high)}"


def _hundredths(share: float) -> str:
    from ttr_sim.analysis.text import decimal

    return decimal(share * 100)
