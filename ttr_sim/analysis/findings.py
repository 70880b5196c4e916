"""Findings: sentences chosen by rules from the tables, each with its number and interval.

A topic with nothing to say says so. The numbers that decide are all in `thresholds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pandas as pd

from ttr_sim.analysis import board_findings
from ttr_sim.analysis.robustness import Finding, Tables, TablesByField, notable, quiet_finding
from ttr_sim.analysis.standings import clearly_pay_or_cost
from ttr_sim.analysis.text import decimal, listed, of_those, percent, ranked, rate, wins, with_players
from ttr_sim.analysis.thresholds import ALWAYS_WINS, FEW_BLOCKS, ODD_SHARE
from ttr_sim.bots.tuning import CHANGED, FITTING, UNTUNED, state_of_tuning
from ttr_sim.edition import as_typed
from ttr_sim.edition.model import Edition
from ttr_sim.errors import command_line
from ttr_sim.run.lineups import STRONG, STRONG_BOT
from ttr_sim.run.plan import FULL
from ttr_sim.run.read import Run

UNFIT = {
    CHANGED: "was tuned for this board before its last change, not for it as it is",
    UNTUNED: "was never tuned for this board",
}
VERDICTS = {"dominant": "ahead of", "dominated": "behind"}
ALWAYS_REPORTED = ("stalled", "capped")
ODDITIES = {
    "stalled": "stalled because nobody could move any more",
    "capped": "were cut off at the turn limit",
    "stuck_row": "had a row full of wilds that could not be replaced",
    "no_claim": "had a player who claimed no route at all",
    "passed": "had a player without a legal action",
    "short_draw": "ran out of cards in the middle of a draw",
    "short_offer": "ran out of tickets to offer",
}


def find(edition: Edition, runs: Sequence[Run], tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Yield what stands out about the board, then about play, then about the limits of these runs.

    `runs` are those that findings about the board rest on; `others` are tables of other fields, by field.
    """
    if len(tables["overview"]):
        of_the_board = {
            "turn order": board_findings.turn_order(tables, others),
            "tickets": board_findings.tickets(tables, others, edition.is_race),
            "routes": board_findings.routes(tables, others),
            "dead content": board_findings.dead(tables, others),
            "shape": board_findings.shape(tables, others),
            "oddities": oddities(tables),
        }
        for topic, findings in of_the_board.items():
            yield from (finding.about_the_board(topic, compared=bool(others)) for finding in findings)
        for topic, findings in (("rewards", rewards(tables)), ("styles", styles(tables))):
            yield from (replace(finding, about="play", topic=topic) for finding in findings)
    for sentence in limits(edition, runs, tables):
        yield Finding("limits", (), sentence, True, "overview", about="limits", topic="limits")


def styles(tables: Tables) -> Iterator[Finding]:
    """Styles ahead of or behind all others, and circles of styles. Each style and verdict is reported once."""
    if tables["matchups"].empty:
        return
    found = []
    strategies = tables["strategies"]
    for (bot, verdict), rows in strategies[strategies["verdict"] != ""].groupby(["bot", "verdict"]):
        row = ranked(rows.assign(gap=(rows["win_share"] / rows["fair"] - 1).abs()), "gap").iloc[0]
        sentence = (
            f"Pair by pair, the style {bot} is clearly {VERDICTS[str(verdict)]} every other style "
            f"{with_players(rows['players'])}: {of_those(rows['players'], row['players'])}it "
            f"wins {percent(row, 'win_share')} of its seats, where {rate(row['fair'])} is fair."
        )
        if verdict == "dominant" and row["win_share_low"] >= ALWAYS_WINS:
            sentence += " Against these opponents, other styles hardly have a chance."
        found.append(notable(f"{verdict}_style", "strategies", row, "win_share", sentence))
    for label, row in tables["cycles"].iterrows():
        margin = float(row["margin"])
        sentence = (
            f"Styles beat each other in a circle {with_players([row['players']])}: {row['cycle']}; "
            f"each wins at least {(0.5 + margin) * 100:.1f} % against the next."
        )
        place = "cycles", int(str(label))
        found.append(Finding("style_cycle", (int(row["players"]),), sentence, True, *place, margin))
    quiet = (
        "No style is clearly ahead of, or clearly behind, all others at any player count, and none beat each other in "
        "a circle."
    )
    yield from found or [quiet_finding("styles", "strategies", quiet)]


def rewards(tables: Tables) -> Iterator[Finding]:
    """Changes of taste that pay or cost among strong players, and simple styles.

    That simple styles lose takes one line, and one that gains is a warning.
    """
    table = tables["rewards"]
    if table.empty:
        return
    gaps = {f"gap{end}": table[f"win_share{end}"] - table["fair"] for end in ("", "_low", "_high")}
    table = table.assign(clear=clearly_pay_or_cost(table), **gaps)
    is_taste = table["bot"].str.startswith(STRONG_BOT)
    yield from _simple_styles(table[~is_taste])
    tastes, clear = table[is_taste], table[is_taste & table["clear"]]
    yield from _moved(clear[clear["gap"] > 0], "reward_gain", "pays", ascending=False)
    yield from _moved(clear[clear["gap"] < 0], "reward_cost", "costs wins", ascending=True)
    neutral = tastes[~tastes["variant"].isin(clear["variant"])]
    if len(neutral):
        ends = neutral.groupby("variant", as_index=False).agg({"gap_low": "min", "gap_high": "max"})
        each = [
            f"{row['variant']} ({decimal(row['gap_low'] * 100)} to {decimal(row['gap_high'] * 100)})"
            for _, row in ends.iterrows()
        ]
        sentence = (
            "Among strong players, no clear effect at any player count, corrected for how many were tried: "
            f"{listed(each)}. In parentheses are the wins in 100 that the intervals of all player counts cover "
            "together."
        )
        yield quiet_finding("reward_nothing", "rewards", sentence)


def _simple_styles(table: pd.DataFrame) -> Iterator[Finding]:
    gains = table[table["clear"] & (table["gap"] > 0)]
    for variant, rows in gains.groupby("variant"):
        row = ranked(rows, "gap").iloc[0]
        sentence = (
            f"Warning: {variant}, a simple style, wins more than its share among strong players "
            f"{with_players(rows['players'])}: {of_those(rows['players'], row['players'])}{percent(row, 'win_share')}, "
            f"where {rate(row['fair'])} is fair. The {STRONG_BOT} is not strong enough here, or a simple plan beats "
            "this board."
        )
        yield notable("simple_style_wins", "rewards", row, "win_share", sentence, rows["players"])
    others = table[~table["variant"].isin(gains["variant"])]
    if len(others):
        best = ranked(others.assign(of_fair=others["win_share"] / others["fair"]), "of_fair").iloc[0]
        verb = "wins" if (others["gap_high"] < 0).all() else "clearly wins more than"
        sentence = (
            f"No simple style {verb} its share among strong players: closest comes {best['variant']} "
            f"{with_players([best['players']])}, which wins {percent(best, 'win_share')} where {rate(best['fair'])} "
            "is fair."
        )
        yield quiet_finding("simple_styles", "rewards", sentence)


def _moved(rows: pd.DataFrame, rule: str, verb: str, ascending: bool) -> Iterator[Finding]:
    """Make one finding of all tastes that pay, or cost, each where it is most marked."""
    if rows.empty:
        return
    marked = ranked(rows, "gap", ascending=ascending).drop_duplicates("variant")
    each = [f"{row['variant']} {wins(row, 'gap')} {with_players([row['players']])}" for _, row in marked.iterrows()]
    sentence = f"Among strong players, playing differently in one seat {verb}: {listed(each)}."
    yield notable(rule, "rewards", marked.iloc[0], "win_share", sentence, set(rows["players"]))


def oddities(tables: Tables) -> Iterator[Finding]:
    oddities = tables["oddities"]
    odd = oddities[
        (oddities["games"] > 0) & oddities["kind"].isin(ALWAYS_REPORTED) | (oddities["share_low"] >= ODD_SHARE)
    ]
    for _, row in odd.iterrows():
        first = str(row["examples"]).split(",", maxsplit=1)[0]
        sentence = (
            f"With {row['players']:.0f} players {row['games']:,.0f} of {row['n']:,.0f} games {ODDITIES[row['kind']]}, "
            f"{percent(row, 'share')}; see `{command_line('replay', row['run'], first)}`."
        )
        yield notable(f"oddity_{row['kind']}", "oddities", row, "share", sentence)
    if odd.empty:
        yield quiet_finding("oddities", "oddities", "No game stalled or was cut off, and no other oddity was frequent.")


def limits(edition: Edition, runs: Sequence[Run], tables: Tables) -> Iterator[str]:
    """Warnings about unfinished or short runs, missing data, and strong players that were not tuned for this board."""
    for run in runs:
        planned = run.record.size.games
        if run.finished_games < planned:
            yield f"{run.path} is unfinished: it has {run.finished_games:,} of {planned:,} games."
    for warning in dict.fromkeys(warning for run in runs for warning in run.record.warnings):
        yield f"{warning}."
    without = [str(run.path) for run in runs if run.finished_games and run.plan.log != FULL]
    if without:
        were, they = ("was", "it shows") if len(without) == 1 else ("were", "they show")
        named = listed(without, most=1)
        yield f"{named} {were} logged without turns, so {they} nothing about routes and actions."
    overview = tables["overview"].drop_duplicates("players")  # the main field stands first
    for players, blocks in zip(overview["players"], overview["blocks"], strict=True):
        if blocks == 1:
            yield f"With {players} players there is only one block, so there are no intervals."
        elif blocks < FEW_BLOCKS:
            yield f"With {players} players there are only {blocks} blocks, so intervals are wide and rough."
    if len(tables["strategies"]) and tables["matchups"].empty:
        yield "Only one style played, so the games show nothing about styles, nor how far the rest holds."
    if len(tables["routes"]) and tables["routes"]["contention"].isna().all():
        yield "No bot published the routes it wants, so there is no estimate of which routes are fought over."
    if any(run.field == STRONG for run in runs):
        state = state_of_tuning(edition, STRONG_BOT)
        if state != FITTING:
            yield f"The {STRONG_BOT} {UNFIT[state]}: `{command_line('tune', as_typed(edition))}` does that."
