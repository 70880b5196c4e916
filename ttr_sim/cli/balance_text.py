"""What `balance` prints: what to change, what that buys and what is left, as text or as one JSON object."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ttr_sim.cli.text import bullet, counted

if TYPE_CHECKING:
    from ttr_sim.balance.outcome import BalanceOutcome
    from ttr_sim.balance.proof import BeforeAfter


def as_object(outcome: BalanceOutcome) -> dict[str, Any]:
    from ttr_sim.balance.edits import as_rows

    order, proof = outcome.order, outcome.proof
    return {
        "edition": order.edition.name,
        "out": None if outcome.out is None else str(outcome.out),
        "margin": order.wanted.margin,
        "met": outcome.met,
        "edits": as_rows(order.edition, outcome.edits),
        "path": [
            {"edits": len(board.edits), "worst": round(board.worst, 4), "missed": len(board.missed)}
            for board in outcome.found.path
        ],
        "targets": [_target(pair) for pair in proof.pairs],
        "proof": {"seed": proof.sample.seed, "games": sum(run.finished_games for run in proof.after.runs)},
        "unmended": [{"name": left.name, "why": left.why} for left in outcome.unfixed],
    }


def _target(pair: BeforeAfter) -> dict[str, Any]:
    after = pair.after
    return {
        "name": after.name,
        "players": after.players,
        "before": None if pair.before is None else pair.before.value,
        "after": after.value,
        "low": None if math.isnan(after.low) else after.low,
        "high": None if math.isnan(after.high) else after.high,
        "limit": list(after.limit),
        "met": after.met,
    }


def as_text(outcome: BalanceOutcome) -> str:
    return "\n".join(_lines(outcome))


def _lines(outcome: BalanceOutcome) -> Iterator[str]:
    from ttr_sim.balance.edits import describe_edit

    order, proof = outcome.order, outcome.proof
    title = order.edition.title
    if not outcome.edits:
        yield f"{title}: nothing to change."
    else:
        yield f"{title}: {counted(len(outcome.edits), 'edit')}, written to {outcome.out}"
        yield from (bullet(describe_edit(order.edition, edit)) for edit in outcome.edits)
    games = sum(run.finished_games for run in proof.after.runs)
    before, after = len(proof.before.missed), len(proof.missed)
    yield ""
    yield f"On {games:,} games with fresh deals: {counted(after, 'target')} missed, {before} before."
    yield from (bullet(f"{left.name}: {left.why}") for left in outcome.unfixed)
    if proof.spot_check:
        yield ""
        yield proof.spot_check.sentence
    if len(outcome.found.path) > 2:
        yield ""
        yield "The path, on the deals of the search:"
        for board in outcome.found.path:
            beyond = f", the worst {board.worst * 100:.0f} % beyond its limit" if board.missed else ""
            yield bullet(f"{counted(len(board.edits), 'edit')}: {counted(len(board.missed), 'target')} missed{beyond}")
