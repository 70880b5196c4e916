"""What `run` prints: a few lines of text, or one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ttr_sim.cli.text import aligned, duration, file_size

if TYPE_CHECKING:
    from ttr_sim.analysis.bot_results import BotResult, RunOutcome
    from ttr_sim.run.opened import Run
    from ttr_sim.run.probe import RunCost


def print_outcome(run: Run, outcome: RunOutcome, as_json: bool) -> None:
    click.echo(json.dumps(_as_object(run, outcome), ensure_ascii=False) if as_json else _as_text(run, outcome))


def print_cost(cost: RunCost, jobs: int, as_json: bool) -> None:
    size = cost.size
    numbers = {**asdict(size), "bytes": cost.bytes, "seconds": round(cost.seconds, 1), "jobs": jobs}
    if as_json:
        click.echo(json.dumps(numbers))
        return
    click.echo(
        f"{size.games:,} games in {size.blocks:,} blocks and {size.parts:,} parts: about {file_size(cost.bytes)} "
        f"on disk and {duration(cost.seconds)} with {jobs} jobs"
    )


def _as_object(run: Run, outcome: RunOutcome) -> dict[str, object]:
    record, plan = run.record, run.plan
    return {
        "run": str(run.path),
        "edition": plan.edition,
        "fingerprint": plan.fingerprint,
        "players": plan.players,
        "games": record.size.games,
        "blocks": record.size.blocks,
        "seconds": round(record.seconds, 3),
        "games_per_second": round(record.games_per_second, 1),
        "digest": record.digest,
        "digest_turns": record.digest_turns,
        "stalled": outcome.stalled,
        "capped": outcome.capped,
        "bots": [asdict(bot) for bot in outcome.bots],
    }


def _as_text(run: Run, outcome: RunOutcome) -> str:
    record, plan = run.record, run.plan
    lines = [
        f"{record.size.games:,} games ({record.size.blocks:,} blocks) of {run.edition.title} with {plan.players} "
        f"players in {duration(record.seconds)}, {record.games_per_second:,.0f} per second",
        "",
        _bots(outcome.bots, plan.players),
        "",
    ]
    for count, what in (
        (outcome.stalled, "stalled: nobody could move"),
        (outcome.capped, "were cut off after too many turns"),
    ):
        if count:
            lines.append(f"{count:,} games {what}")
    lines.append(f"digest {record.digest}" + (f", turns {record.digest_turns}" if record.digest_turns else ""))
    return "\n".join([*lines, f"{run.path}"])


def _bots(bots: Sequence[BotResult], players: int) -> str:
    fair = ("(fair share)", "", _percent(1 / players), "", "")
    return aligned(("bot", "seats", "win share", "95 % interval", "score"), [*map(_row, bots), fair], left=1)


def _row(bot: BotResult) -> tuple[str, ...]:
    interval = f"{_percent(bot.low)} - {_percent(bot.high)}"
    score = "-" if bot.score is None else f"{bot.score:.1f}"
    return bot.bot, f"{bot.seats:,}", _percent(bot.win_share), interval, score


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
