"""How people may play it: what the board rewards, styles, and oddities."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, notable, nothing, top
from ttr_sim.analysis.rewards import clearly_pay_or_cost
from ttr_sim.analysis.robustness import Tables
from ttr_sim.analysis.text import decimal, listed, of_those, percent, ranked, rate, wins, with_players
from ttr_sim.analysis.thresholds import ALWAYS_WINS, ODD_SHARE
from ttr_sim.errors import command_line
from ttr_sim.run.fields import STRONG_BOT

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


def styles(tables: Tables) -> Iterator[Finding]:
    if tables["matchups"].empty:
        return
    found = [*_ahead_or_behind(tables["strategies"]), *_cycles(tables["cycles"])]
    quiet = (
        "No style is clearly ahead of, or clearly behind, all others at any player count, and none beat each other in "
        "a circle."
    )
    yield from found or [nothing("styles", "strategies", quiet)]


def _ahead_or_behind(strategies: pd.DataFrame) -> Iterator[Finding]:
    """Report each style and verdict once; the number is from the player count with the largest gap to the fair
    share."""
    for (bot, verdict), rows in strategies[strategies["verdict"] != ""].groupby(["bot", "verdict"]):
        row = top(rows.assign(gap=(rows["win_share"] / rows["fair"] - 1).abs()), "gap")
        counts = rows["players"]
        sentence = (
            f"Pair by pair, the style {bot} is clearly {VERDICTS[str(verdict)]} every other style "
            f"{with_players(counts)}: {of_those(counts, row['players'])}it "
            f"wins {percent(row, 'win_share')} of its seats, where {rate(row['fair'])} is fair."
        )
        if verdict == "dominant" and row["win_share_low"] >= ALWAYS_WINS:
            sentence += " Against these opponents, other styles hardly have a chance."
        yield notable(f"{verdict}_style", "strategies", row, "win_share", sentence)


def _cycles(cycles: pd.DataFrame) -> Iterator[Finding]:
    for label, row in cycles.iterrows():
        margin = float(row["margin"])
        sentence = (
            f"Styles beat each other in a circle {with_players([row['players']])}: {row['cycle']}; "
            f"each wins at least {(0.5 + margin) * 100:.1f} % against the next."
        )
        yield Finding("style_cycle", (int(row["players"]),), sentence, True, "cycles", int(str(label)), margin)


def rewards(tables: Tables) -> Iterator[Finding]:
    """Name the changes of taste that pay or cost among strong players; that simple styles lose takes one line, and
    one that gains is a warning."""
    table = tables["rewards"]
    if table.empty:
        return
    table = table.assign(gap=table["win_share"] - table["fair"])
    for end in ("low", "high"):
        table[f"gap_{end}"] = table[f"win_share_{end}"] - table["fair"]
    table["clear"] = clearly_pay_or_cost(table)
    is_taste = table["bot"].str.startswith(STRONG_BOT)
    yield from _simple_styles(table[~is_taste])
    yield from _tastes(table[is_taste])


def _simple_styles(table: pd.DataFrame) -> Iterator[Finding]:
    gains = table[table["clear"] & (table["gap"] > 0)]
    for variant, rows in gains.groupby("variant"):
        yield _warning(str(variant), rows)
    others = table[~table["variant"].isin(gains["variant"])]
    if len(others):
        yield _no_simple_way(others)


def _warning(variant: str, rows: pd.DataFrame) -> Finding:
    row = top(rows, "gap")
    sentence = (
        f"Warning: {variant}, a simple style, wins more than its share among strong players "
        f"{with_players(rows['players'])}: {of_those(rows['players'], row['players'])}{percent(row, 'win_share')}, "
        f"where {rate(row['fair'])} is fair. The {STRONG_BOT} is not strong enough here, or a simple plan beats this "
        "board."
    )
    return notable("simple_style_wins", "rewards", row, "win_share", sentence, rows["players"])


def _no_simple_way(table: pd.DataFrame) -> Finding:
    """Name the simple style that comes closest to its share."""
    best = top(table.assign(of_fair=table["win_share"] / table["fair"]), "of_fair")
    wins_less = "wins" if (table["gap_high"] < 0).all() else "clearly wins more than"
    sentence = (
        f"No simple style {wins_less} its share among strong players: closest comes {best['variant']} "
        f"{with_players([best['players']])}, which wins {percent(best, 'win_share')} where {rate(best['fair'])} "
        "is fair."
    )
    return nothing("simple_styles", "rewards", sentence)


def _tastes(table: pd.DataFrame) -> Iterator[Finding]:
    clear = table[table["clear"]]
    yield from _moved(clear[clear["gap"] > 0], "reward_gain", "pays", ascending=False)
    yield from _moved(clear[clear["gap"] < 0], "reward_cost", "costs wins", ascending=True)
    yield from _neutral(table[~table["variant"].isin(clear["variant"])])


def _moved(rows: pd.DataFrame, rule: str, verb: str, ascending: bool) -> Iterator[Finding]:
    """Make one finding of all tastes that pay, or cost, each where it is most marked."""
    if rows.empty:
        return
    marked = ranked(rows, "gap", ascending=ascending).drop_duplicates("variant")
    each = [f"{row['variant']} {wins(row, 'gap')} {with_players([row['players']])}" for _, row in marked.iterrows()]
    sentence = f"Among strong players, playing differently in one seat {verb}: {listed(each)}."
    yield notable(rule, "rewards", marked.iloc[0], "win_share", sentence, set(rows["players"]))


def _neutral(rows: pd.DataFrame) -> Iterator[Finding]:
    if rows.empty:
        return
    ends = rows.groupby("variant", as_index=False).agg({"gap_low": "min", "gap_high": "max"})
    each = [
        f"{row['variant']} ({decimal(row['gap_low'] * 100)} to {decimal(row['gap_high'] * 100)})"
        for _, row in ends.iterrows()
    ]
    sentence = (
        "Among strong players, no clear effect at any player count, corrected for how many were tried: "
        f"{listed(each)}. In parentheses are the wins in 100 that the intervals of all player counts cover together."
    )
    yield nothing("reward_nothing", "rewards", sentence)


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
        yield nothing("oddities", "oddities", "No game stalled or was cut off, and no other oddity was frequent.")
