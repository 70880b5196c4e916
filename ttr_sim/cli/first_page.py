"""A first page for a study: one table and one chart of win shares by player count."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ttr_sim import open_run
from ttr_sim.analysis.bot_results import BotResult, outcome

Results = dict[str, tuple[BotResult, ...]]

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<h1>{title}</h1>
<p>{provenance}</p>
<h2>Win share by player count</h2>
{chart}
<table>
<tr><th>game<th>bot<th>seats<th>win share<th>95 % interval<th>score</tr>
{rows}
</table>
</html>
"""


def write_first_page(paths: Sequence[Path], out: Path) -> Path:
    runs = [open_run(path) for path in paths]
    results = {f"{run.plan.edition}, {run.plan.players} players": outcome(run).bots for run in runs}
    editions = {run.plan.edition: run.edition for run in runs}
    page = PAGE.format(
        title=escape(", ".join(edition.title for edition in editions.values())),
        provenance=escape(" ".join(edition.provenance for edition in editions.values())),
        chart=_chart(results),
        rows="\n".join(_row(game, bot) for game, bots in results.items() for bot in bots),
    )
    out.mkdir(parents=True, exist_ok=True)
    file = out / "index.html"
    file.write_text(page, encoding="utf-8")
    return file


def _row(game: str, bot: BotResult) -> str:
    shares = [f"{share:.1%}" if share is not None else "-" for share in (bot.win_share, bot.low, bot.high)]
    score = f"{bot.score:.1f}" if bot.score is not None else "-"
    cells = (game, bot.bot, f"{bot.seats:,}", shares[0], f"{shares[1]} to {shares[2]}", score)
    return "<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells) + "</tr>"


def _chart(results: Results) -> str:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    for bot in dict.fromkeys(bot.bot for bots in results.values() for bot in bots):
        shares = [entry.win_share or 0.0 for bots in results.values() for entry in bots if entry.bot == bot]
        axes.plot(list(results), shares, marker="o", label=bot)
    axes.set_ylabel("win share")
    axes.legend()
    text = io.StringIO()
    figure.savefig(text, format="svg")
    return text.getvalue()[text.getvalue().index("<svg") :]
