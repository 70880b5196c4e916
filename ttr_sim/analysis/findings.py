"""Findings about a board, about play on it, and about the limits of the games, as sentences.

A sentence makes one claim with at most two numbers. Findings about the board rest on the main field, and `holds` names
the other fields that were asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from ttr_sim.analysis import thresholds
from ttr_sim.analysis.standings import clearly_off, clearly_pay_or_cost
from ttr_sim.analysis.targets import GENEROUS, MET, MISSED
from ttr_sim.analysis.text import ORDINALS, decimal, ends, listed, ranked, than_words, with_players
from ttr_sim.analysis.tickets import REVERSED, SAME, UNSURE, parse_holds
from ttr_sim.bots.tuning import FITTING, state_of_tuning
from ttr_sim.edition import as_typed
from ttr_sim.edition.model import Edition
from ttr_sim.errors import command_line
from ttr_sim.run.lineups import STRONG, STRONG_BOT
from ttr_sim.run.plan import FULL
from ttr_sim.run.read import Run
from ttr_sim.run.study import HEADINGS

BOARD, PLAY, LIMITS = "board", "play", "limits"
KEYS = {
    "tickets": "ticket",
    "seats": "seat",
    "pace": "measure",
    "connections": "group",
    "routes": "route",
    "cities": "city",
}
ODDITIES = {
    "stalled": "stalled because nobody could move any more",
    "capped": "were cut off at the turn limit",
    "stuck_row": "had a row full of wilds that could not be replaced",
    "no_claim": "had a player who claimed no route at all",
    "passed": "had a player without a legal action",
    "short_draw": "ran the deck out during a draw",
    "short_offer": "ran out of tickets to offer",
}
ALWAYS_REPORTED = ("stalled", "capped")
HOLDING = {SAME: "The same holds among {}.", UNSURE: "It is not sure among {}.", REVERSED: "It is reversed among {}."}

Tables = Mapping[str, pd.DataFrame]
TablesByField = Mapping[str, Tables]


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence chosen by a rule. `notable` is False for "nothing notable".

    `table` and `row` (its index label there) say where the number stands. `about` is board, play or limits, and `holds`
    says for other fields or styles whether the claim is the same there, unsure or reversed.
    """

    rule: str
    players: tuple[int, ...]
    sentence: str
    notable: bool
    table: str
    row: int | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    about: str = BOARD
    topic: str = ""
    holds: Mapping[str, str] = field(default_factory=dict)


def find(edition: Edition, runs: Sequence[Run], tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Yield findings about the board, play, and the limits of the games.

    `runs` are the ones that findings about the board rest on. `others` are tables of other fields, by field.
    """
    if len(tables["overview"]):
        of_the_board = {
            "turn order": turn_order(tables, others),
            "tickets": tickets(edition, tables, others),
            "routes": routes(tables, others),
            "dead content": dead(tables, others),
            "shape": shape(tables, others),
            "oddities": oddities(tables),
        }
        for topic, findings in of_the_board.items():
            for finding in findings:
                sentences = [finding.sentence]
                for state, words in HOLDING.items():
                    asked = [HEADINGS.get(name, name) for name, held in finding.holds.items() if held == state]
                    if asked:
                        sentences.append(words.format(listed(asked)))
                yield replace(finding, sentence=" ".join(sentences), topic=topic)
        for topic, findings in (("rewards", rewards(tables)), ("styles", styles(tables))):
            yield from (replace(finding, about=PLAY, topic=topic) for finding in findings)
    for sentence in limits(edition, runs, tables):
        yield Finding("limits", (), sentence, True, "overview", about=LIMITS, topic="limits")


def turn_order(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """The seat that is farthest off its share, where any surely is."""
    seats = tables["seats"]
    clear = seats[clearly_off(seats)]
    if clear.empty:
        yield _quiet("seats", "seats", "No seat wins clearly more or less than its share.")
        return
    row = ranked(clear.assign(gap=(clear["win_share"] / clear["fair"]).sub(1).abs()), "gap").iloc[0]
    sentence = (
        f"The {ORDINALS[int(row['seat'])]} player wins {_share(row, 'win_share')} of games "
        f"{with_players([row['players']])}, where {row['fair'] * 100:.3g} % is even."
    )
    holds = _holds(others, "seats", row, "win_share", float(row["fair"]), bool(row["win_share"] > row["fair"]))
    yield _notable("turn_order", "seats", row, "win_share", sentence, set(clear["players"]), holds)


def tickets(edition: Edition, tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Tickets beyond their limit, and neglected ones."""
    value = tables["ticket_value"]
    beyond = value[value["side"] != ""]
    shown = ranked(beyond.assign(size=beyond["excess"].abs()), "size")
    than = than_words(edition)
    for _, row in shown.iterrows():
        is_generous = row["side"] == GENEROUS
        more = "more" if is_generous else "fewer"
        state = "is" if row["state"] == MISSED else "may be"
        sentence = (
            f"{ends(row)} {state} too {row['side']}: being dealt it gives {decimal(abs(row['excess']) * 100)} ± "
            f"{decimal((row['excess_high'] - row['excess_low']) * 50)} {more} wins per 100 games than {than}."
        )
        rule, counts = f"ticket_{row['side']}", sorted(set(value["players"].astype(int)) - {0})
        yield _notable(rule, "ticket_value", row, "excess", sentence, counts, parse_holds(row["holds"]))
    if shown.empty and (value["state"] == MET).any():
        yield _quiet("tickets", "ticket_value", f"No ticket is beyond its limit compared with {than}.")
    yield from _neglected(tables["tickets"], others, "dealt_kept", thresholds.RARELY_KEPT, "kept when dealt")
    yield from _neglected(tables["tickets"], others, "completed", thresholds.RARELY_COMPLETED, "completed when kept")


def _neglected(tickets: pd.DataFrame, others: TablesByField, column: str, limit: float, rare: str) -> Iterator[Finding]:
    for players, rows in tickets[tickets[f"{column}_high"] < limit].groupby("players"):
        row = ranked(rows, column, ascending=True).iloc[0]
        also = f", and {len(rows) - 1} more under {limit * 100:.0f} %" if len(rows) > 1 else ""
        sentence = f"{ends(row)} is {rare} only {_share(row, column)} of the time with {players} players{also}."
        holds = _holds(others, "tickets", row, column, limit, above=False)
        yield _notable(f"ticket_rarely_{rare.partition(' ')[0]}", "tickets", row, column, sentence, holds=holds)


def routes(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """The routes that are fought over and that block rivals most."""
    if tables["routes"].empty:
        return
    rules = (
        ("contested_connection", "connections", "contention", thresholds.CONTESTED, "is fought over most"),
        ("denied_route", "routes", "denial", thresholds.DENIED, "blocks rivals most"),
    )
    found = []
    for rule, name, column, limit, most in rules:
        event = "a rival wants it, too" if name == "connections" else "it leaves a rival no parallel route"
        rows = tables[name][tables[name][f"{column}_low"] >= limit]
        first = ranked(rows, column).drop_duplicates("players")
        for _, led in first.groupby(KEYS[name], sort=False):
            row = ranked(led, column).iloc[0]
            counts = [int(players) for players in led["players"]]
            with_count = f"with {row['players']:.0f}, " if len(counts) > 1 else ""
            sentence = (
                f"{ends(row)} {most} {with_players(counts)}: {with_count}in {_share(row, column)} of games {event}."
            )
            holds = _holds(others, name, row, column, limit, above=True)
            found.append(_notable(rule, name, row, column, sentence, counts, holds))
    yield from found or [_quiet("routes", "routes", "No route is fought over often, and none often blocks rivals.")]


def dead(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Routes and cities that nobody uses: no field, and at no player count."""
    if tables["routes"].empty:
        return
    found = []
    rules = (
        ("connections", thresholds.RARELY_CLAIMED, "dead_connection"),
        ("cities", thresholds.RARELY_VISITED, "dead_city"),
    )
    for name, limit, rule in rules:
        everywhere = pd.concat([tables[name], *(other[name] for other in others.values() if len(other.get(name, ())))])
        most = everywhere.groupby(KEYS[name])["claims_high"].max()
        unused = tables[name][tables[name][KEYS[name]].map(most) < limit]
        busiest = ranked(unused, "claims").drop_duplicates(KEYS[name])
        for _, row in busiest.iterrows():
            place = str(row["name"]) if name == "cities" else ends(row)
            asked = f" among {listed(HEADINGS[field] for field in others)} too" if others else ""
            times = decimal(row["claims"] * 100)
            sentence = f"{place} is hardly ever used, at most {times} times per 100 games{asked}."
            found.append(_notable(rule, name, row, "claims", sentence, set(tables[name]["players"])))
    yield from found or [_quiet("dead", "connections", "Every route and city is used.")]


def shape(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Games decided early, won from behind, or shared, beyond a limit."""
    pace, found = tables["pace"], []
    rules = (
        ("early_decision", "decided", thresholds.DECIDED_EARLY, "the winner leads for good from {} of the game on"),
        (
            "hidden_winner",
            "hidden",
            thresholds.HIDDEN_WINNER,
            "in {} of games the winner is behind on the board at the end",
        ),
        ("shared_wins", "shared", thresholds.SHARED_WINS, "{} of games end with several winners"),
    )
    for rule, measure, limit, words in rules:
        rows, above = pace[pace["measure"] == measure], measure != "decided"
        beyond = rows[rows["mean_low"] > limit] if above else rows[rows["mean_high"] < limit]
        if len(beyond):
            row = ranked(beyond, "mean", ascending=not above).iloc[0]
            sentence = f"With {row['players']:.0f} players {words.format(_share(row, 'mean'))}."
            holds = _holds(others, "pace", row, "mean", limit, above)
            found.append(_notable(rule, "pace", row, "mean", sentence, beyond["players"], holds))
    yield from found or [_quiet("shape", "pace", "Games are neither decided early nor often shared.")]


def oddities(tables: Tables) -> Iterator[Finding]:
    oddities = tables["oddities"]
    always = (oddities["games"] > 0) & oddities["kind"].isin(ALWAYS_REPORTED)
    odd = ranked(oddities[always | (oddities["share_low"] >= thresholds.ODD_SHARE)], "share").drop_duplicates("kind")
    for _, row in odd.iterrows():
        first = str(row["examples"]).split(",", maxsplit=1)[0]
        sentence = (
            f"With {row['players']:.0f} players {_share(row, 'share')} of games {ODDITIES[row['kind']]}; "
            f"see `{command_line('replay', row['run'], first)}`."
        )
        yield _notable(f"oddity_{row['kind']}", "oddities", row, "share", sentence)
    if odd.empty:
        yield _quiet("oddities", "oddities", "No game stalled or was cut off, and nothing else odd was frequent.")


def rewards(tables: Tables) -> Iterator[Finding]:
    """Tastes that pay or cost strong players, and simple styles that win."""
    table = tables["rewards"]
    if table.empty:
        return
    table = table.assign(clear=clearly_pay_or_cost(table), gap=table["win_share"] - table["fair"])
    is_taste = table["bot"].str.startswith(STRONG_BOT)
    simple, tastes = table[~is_taste & table["clear"] & (table["gap"] > 0)], table[is_taste & table["clear"]]
    for _, row in ranked(simple, "gap").drop_duplicates("variant").iterrows():
        sentence = (
            f"Warning: {row['variant']}, a simple plan, wins {_share(row, 'win_share')} of games "
            f"{with_players([row['players']])} among strong players, where {row['fair'] * 100:.3g} % is even."
        )
        yield _notable("simple_style_wins", "rewards", row, "win_share", sentence)
    if simple.empty and (~is_taste).any():
        yield _quiet("simple_styles", "rewards", "No simple plan wins its share among strong players.")
    for _, row in ranked(tastes.assign(size=tastes["gap"].abs()), "size").drop_duplicates("variant").iterrows():
        pays, rule = ("pays", "reward_gain") if row["gap"] > 0 else ("costs wins", "reward_cost")
        sentence = (
            f"A strong player who {row['variant']} {pays}: {decimal(row['gap'] * 100, plus='+')} wins per 100 games "
            f"{with_players([row['players']])}."
        )
        yield _notable(rule, "rewards", row, "win_share", sentence)


def styles(tables: Tables) -> Iterator[Finding]:
    """Styles ahead of or behind all others, and circles of styles."""
    if tables["matchups"].empty:
        return
    found = []
    strategies = tables["strategies"]
    for (bot, verdict), rows in strategies[strategies["verdict"] != ""].groupby(["bot", "verdict"]):
        row = ranked(rows.assign(gap=(rows["win_share"] / rows["fair"] - 1).abs()), "gap").iloc[0]
        beats = "beats every other style" if verdict == "dominant" else "loses to every other style"
        hardly = " The others hardly have a chance." if row["win_share_low"] >= thresholds.ALWAYS_WINS else ""
        sentence = f"The style {bot} {beats} {with_players(rows['players'])}.{hardly}"
        found.append(_notable(f"{verdict}_style", "strategies", row, "win_share", sentence, rows["players"]))
    for label, row in tables["cycles"].iterrows():
        sentence = f"Styles beat each other in a circle {with_players([row['players']])}: {row['cycle']}."
        place = "cycles", int(str(label))
        found.append(Finding("style_cycle", (int(row["players"]),), sentence, True, *place, float(row["margin"])))
    yield from found or [_quiet("styles", "strategies", "No style beats all others or loses to all others.")]


def limits(edition: Edition, runs: Sequence[Run], tables: Tables) -> Iterator[str]:
    """Gaps and warnings of the runs, and too few blocks."""
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
        elif blocks < thresholds.FEW_BLOCKS:
            yield f"With {players} players there are only {blocks} blocks, so intervals are wide and rough."
    if len(tables["routes"]) and tables["routes"]["contention"].isna().all():
        yield "No bot published the routes it wants, so there is no estimate of which routes are fought over."
    if any(run.field == STRONG for run in runs) and state_of_tuning(edition, STRONG_BOT) != FITTING:
        tuning = command_line("tune", as_typed(edition))
        yield f"The {STRONG_BOT} was not tuned for this board: `{tuning}` does that in some minutes."


def _holds(others: TablesByField, table: str, row: pd.Series, column: str, limit: float, above: bool) -> dict[str, str]:
    """Compare the row's number in each other field with the limit."""
    found = {}
    for name, tables in others.items():
        rows = tables.get(table)
        if rows is None or rows.empty:
            continue
        same = rows[(rows["players"] == row["players"]) & (rows[KEYS[table]] == row[KEYS[table]])]
        low, high = (same[f"{column}_{end}"].to_numpy(float) for end in ("low", "high"))
        is_above, is_below = bool((low > limit).any()), bool((high < limit).any())
        agrees, opposes = (is_above, is_below) if above else (is_below, is_above)
        found[name] = SAME if agrees else REVERSED if opposes else UNSURE
    return found


def _notable(
    rule: str,
    table: str,
    row: pd.Series,
    column: str,
    sentence: str,
    players: Iterable[int] = (),
    holds: Mapping[str, str] | None = None,
) -> Finding:
    """Make a finding about one number of a row."""
    value, low, high = (float(row[name]) for name in (column, f"{column}_low", f"{column}_high"))
    counts = tuple(sorted(int(count) for count in players)) or (int(row["players"]),)
    return Finding(rule, counts, sentence, True, table, int(str(row.name)), value, low, high, holds=holds or {})


def _quiet(rule: str, table: str, sentence: str) -> Finding:
    return Finding(rule, (), sentence, False, table)


def _share(row: pd.Series, column: str) -> str:
    """Write `24.1 ± 0.3 %`."""
    half = (row[f"{column}_high"] - row[f"{column}_low"]) / 2
    error = "" if np.isnan(half) else f" ± {decimal(half * 100)}"
    return f"{decimal(row[column] * 100)}{error} %"
