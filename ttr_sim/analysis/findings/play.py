"""What stands out about play: styles, turn order, the shape of a game, oddities."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, Tables, bottom, leaders, notable, nothing, top
from ttr_sim.analysis.thresholds import (
    ALPHA,
    ALWAYS_WINS,
    DECIDED_EARLY,
    HIDDEN_WINNER,
    ODD_SHARE,
    SEAT_MARGIN,
    SHARED_WINS,
)
from ttr_sim.analysis.words import ORDINALS, of_those, percent, rate, with_players
from ttr_sim.command_line import command_line

VERDICTS = {"dominant": "is clearly ahead of every other style", "dominated": "is clearly behind every other style"}
ALWAYS_REPORTED = ("stalled", "capped")
ODDITIES = {
    "stalled": "stalled: nobody could move any more",
    "capped": "had to be cut short at the turn limit",
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
        "No style is clearly ahead of, or clearly behind, all others at any player count, and no styles go in a circle."
    )
    yield from found or [nothing("styles", "strategies", quiet)]


def _ahead_or_behind(strategies: pd.DataFrame) -> Iterator[Finding]:
    """Report each style and verdict once; the number is from the player count with the largest gap to the fair
    share."""
    for (bot, verdict), rows in strategies[strategies["verdict"] != ""].groupby(["bot", "verdict"]):
        row = top(rows.assign(gap=(rows["win_share"] / rows["fair"] - 1).abs()), "gap")
        counts = rows["players"]
        sentence = (
            f"{bot} {VERDICTS[str(verdict)]} {with_players(counts)}: {of_those(counts, row['players'])}it wins "
            f"{percent(row, 'win_share')} of its seats, where {rate(row['fair'])} is fair."
        )
        if verdict == "dominant" and row["win_share_low"] >= ALWAYS_WINS:
            sentence += " Against these opponents other styles hardly have a chance."
        yield notable(f"{verdict}_style", "strategies", row, "win_share", sentence)


def _cycles(cycles: pd.DataFrame) -> Iterator[Finding]:
    for label, row in cycles.iterrows():
        margin = float(row["margin"])
        sentence = (
            f"Styles go in a circle {with_players([row['players']])}: {row['cycle']}; "
            f"each wins at least {(0.5 + margin) * 100:.1f} % against the next."
        )
        yield Finding("style_cycle", int(row["players"]), sentence, True, "cycles", int(str(label)), margin)


def turn_order(tables: Tables) -> Iterator[Finding]:
    seats = tables["seats"]
    seats = seats.assign(
        gap=(seats["win_share"] - seats["fair"]).abs().round(9), gains=seats["win_share"] > seats["fair"]
    )
    clear = seats[(seats["p_adjusted"] <= ALPHA) & (seats["gap"] >= SEAT_MARGIN)]
    for row, counts in leaders(clear, "gap", "seat", "gains"):
        sentence = (
            f"The {ORDINALS[int(row['seat'])]} to move wins {'more' if row['gains'] else 'less'} than its share "
            f"{with_players(counts)}: {of_those(counts, row['players'])}it wins {percent(row, 'win_share')} of the "
            f"games, where {rate(row['fair'])} is fair."
        )
        yield notable("seat_advantage", "seats", row, "win_share", sentence)
    if clear.empty:
        yield nothing("seats", "seats", _seat_bound(seats))


def _seat_bound(seats: pd.DataFrame) -> str:
    """Say how far off a seat may still be: the farthest end of any interval."""
    ends = seats[["win_share_low", "win_share_high"]]
    if ends.isna().to_numpy().any():
        return "Whether turn order matters cannot be estimated from so few blocks."
    off = float(ends.sub(seats["fair"], axis=0).abs().to_numpy().max())
    return f"No seat is clearly off its fair share; none by more than {off * 100:.1f} percentage points either way."


def shape(tables: Tables) -> Iterator[Finding]:
    pace = tables["pace"]
    found = [
        *_beyond(
            pace,
            "decided",
            -DECIDED_EARLY,
            "early_decision",
            "the winner leads alone from {} of the game on, on average",
        ),
        *_beyond(
            pace,
            "hidden",
            HIDDEN_WINNER,
            "hidden_winner",
            "in {} of the games the winner was not in front in open points",
        ),
        *_beyond(pace, "shared", SHARED_WINS, "shared_wins", "{} of the games end with several winners"),
    ]
    quiet = "Games are neither decided early, nor by hidden tickets alone, nor often shared."
    yield from found or [nothing("shape", "pace", quiet)]


def _beyond(pace: pd.DataFrame, measure: str, limit: float, rule: str, words: str) -> Iterator[Finding]:
    """Make one finding for the player counts beyond the limit; a negative limit is one to stay under."""
    rows = pace[pace["measure"] == measure]
    beyond = rows[rows["mean_high"] < -limit] if limit < 0 else rows[rows["mean_low"] > limit]
    if beyond.empty:
        return
    row = bottom(beyond, "mean") if limit < 0 else top(beyond, "mean")
    sentence = f"{with_players(beyond['players'])}, {words.format(percent(row, 'mean'))}"
    if len(beyond) > 1:
        sentence += f" (with {row['players']:.0f}, where it is most marked)"
    yield notable(rule, "pace", row, "mean", f"{sentence[0].upper()}{sentence[1:]}.")


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
        yield nothing("oddities", "oddities", "No game stalled or was cut short, and nothing else odd was frequent.")
