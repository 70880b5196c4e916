"""The verdict on the terminal: one word, a line for each topic, what to fix, and what to do next."""

from __future__ import annotations

import math
import os
import shutil
import sys
from collections.abc import Iterable, Iterator

import click

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.targets import MET, MISSED, OPEN, TICKET, Target
from ttr_sim.analysis.text import decimal, ranked
from ttr_sim.analysis.verdict import FAIR, NOT_FAIR, ODD, SYMBOLS, TargetChanges, Verdict, describe
from ttr_sim.balance.remedies import Remedies
from ttr_sim.edition import as_typed
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import UNREACHABLE, fewest_trains
from ttr_sim.errors import command_line

COLORS = {MET: "green", OPEN: "yellow", ODD: "yellow", MISSED: "red"}
EIGHTHS = " ▏▎▍▌▋▊▉"
PLAIN = {"✓": "+", "✗": "x", "–": "-", "−": "-", "±": "+-", "·": "|", "’": "'", "…": "."}
PLAIN |= dict.fromkeys(f"█{EIGHTHS[1:]}", "#")
MOST_LINES = 25  # with the address of the page below
MOST_ROWS = 8
MOST_OTHERS = 3  # routes, seats and styles
SCALE = 0.10  # of a full bar
BAR = 14  # characters of it
WIDEST, NARROWEST = 100, 60


def verdict_lines(analysis: Analysis, remedies: Remedies) -> Iterator[str]:
    """Yield at most 23 lines, as the address of the page takes two more."""
    verdict, edition, width = analysis.verdict, analysis.edition, _width()
    games = sum(run.games for run in analysis.main_runs)
    counts = sorted({run.players for run in analysis.main_runs})
    players = f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    yield (
        f"{edition.title} · {len(edition.tickets)} tickets · {len(edition.routes)} routes · "
        f"{games:,} games with {players} players"
    )
    yield ""
    yield _headline(verdict, width)
    yield ""
    for card in verdict.cards:
        yield f"  {symbol(card.state)} {card.title:<12} {card.sentence}"
    others = [target for target in verdict.to_show() if target.measure != TICKET][:MOST_OTHERS]
    # The rest are 4 lines of heading, 3 around the tickets, 3 of what is next, and 2 of the address.
    room = MOST_LINES - 12 - len(verdict.cards) - len(others)
    yield from _tickets(verdict, remedies, width, min(room, MOST_ROWS))
    yield from (_other(verdict, target) for target in others)
    yield ""
    name = as_typed(edition)
    if verdict.counts[MISSED]:
        yield next_step("NEXT", command_line("balance", name), "find and prove the fewest edits")
    elif doubtful := [target for target in verdict.to_show() if target.state == OPEN]:
        games_each = max(target.games_to_settle(games // len(counts)) for target in doubtful)
        yield next_step("NEXT", command_line("study", name, "--games", str(games_each)), "settle what is not sure yet")
    else:
        yield next_step("NEXT", command_line("watch", name), "judge each save while you edit")
    yield next_step("", command_line("open", name), "the report, with games to watch")


def change_lines(edition: Edition, changes: TargetChanges) -> Iterator[str]:
    """Yield a line for each target that is fixed, worse or left."""
    for word, state, targets in (
        ("fixed", MET, changes.fixed),
        ("worse", MISSED, changes.worse),
        ("left", OPEN, changes.left),
    ):
        for target in targets[:MOST_ROWS]:
            yield f"  {symbol(state)} {word:<6} {describe(edition, target)}"
        if len(targets) > MOST_ROWS:
            yield f"    {word:<6} and {len(targets) - MOST_ROWS} more"
    if not (changes.fixed or changes.worse or changes.left):
        yield f"  {symbol(MET)} nothing is missed, before or now"


def verbose_lines(analysis: Analysis) -> Iterator[str]:
    """Yield all tickets, all routes, and all sentences."""
    tickets = analysis.tables["ticket_value"]
    together = ranked(tickets[tickets["players"] == tickets["players"].min()], "excess")
    yield ""
    yield "  ALL TICKETS" + " " * 23 + "trains  points  dealt  wins per 100 games beyond tickets as long"
    for row in together.to_dict("records"):
        state = symbol(row["state"]) if row["state"] else " "
        half = (row["excess_high"] - row["excess_low"]) / 2
        excess = f"{decimal(row['excess'] * 100, plus='+'):>6} ±{decimal(half * 100)}"
        trains = "–" if math.isnan(row["trains"]) else f"{row['trains']:.0f}"
        yield (
            f"  {state} {row['from'] + '–' + row['to']:<30}{trains:>6}  {row['points']:>6}  {row['n']:>6,}"
            f"  {'–' if math.isnan(half) else excess}"
        )
    routes = analysis.tables["routes"]
    if len(routes):
        yield ""
        yield "  ALL ROUTES" + " " * 24 + "length  players  claimed  fought over  blocks rivals"
    for row in ranked(routes, "contention").to_dict("records"):
        shares = (f"{row[name] * 100:.1f} %" for name in ("claimed", "contention", "denial"))
        yield "    {:<30}{:>6.0f}  {:>7}  {:>7}  {:>11}  {:>13}".format(
            f"{row['from']}–{row['to']} ({row['color']})", row["length"], row["players"], *shares
        )
    yield ""
    yield from (f"  - {finding.sentence}" for finding in analysis.findings)


def print_lines(lines: Iterable[str]) -> None:
    """Print with colors where the terminal has them, and in plain letters where it lacks the symbols."""
    color = False if os.environ.get("NO_COLOR") else None
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    for line in lines:
        text = line
        if encoding.lower().replace("-", "") != "utf8":
            for letter, plain in PLAIN.items():
                text = text.replace(letter, plain)
            text = text.encode(encoding, "backslashreplace").decode(encoding)
        click.echo(text, color=color)


def _headline(verdict: Verdict, width: int) -> str:
    word, color = verdict.word, {FAIR: "green", NOT_FAIR: "red"}.get(verdict.word, "yellow")
    shown = verdict.to_show()
    to_fix, unsure = (sum(target.state == state for target in shown) for state in (MISSED, OPEN))
    parts = [f"{to_fix} to fix"] * bool(to_fix) + [f"{unsure} not sure yet"] * bool(unsure)
    tally = "  ".join(
        f"{symbol(state)} {verdict.counts[state]:,}" for state in (MET, OPEN, MISSED) if verdict.counts[state]
    )
    said = f"  {click.style(word.upper(), fg=color, bold=True)}   {', '.join(parts) or 'nothing to fix'}"
    gap = max(3, width - len(click.unstyle(said)) - len(click.unstyle(tally)))
    return f"{said}{' ' * gap}{tally}"


def _tickets(verdict: Verdict, remedies: Remedies, width: int, rows: int) -> Iterator[str]:
    """Yield a table of the tickets to fix, or not sure yet."""
    tickets = [target for target in verdict.targets if target.measure == TICKET and target.state]
    shown = [target for target in verdict.to_show() if target.measure == TICKET][:rows]
    if not tickets:
        return
    half = max([(target.high - target.low) / 2 for target in tickets if not math.isnan(target.low)], default=math.inf)
    others = [abs(target.value) for target in tickets if target not in shown]
    yield ""
    if shown:
        room = min(30, max(len(_ends(verdict, target)) for target in shown)) + 2
        each = f"wins per 100 games, each ±{'?' if math.isinf(half) else decimal(half * 100)}"
        yield f"  {'TICKETS':<{room + 2}}trains  points   {each:<{BAR + 16}} try"
        for target in shown:
            yield _row(verdict, remedies, target, room)
    rest = f"{len(others)} {'more ' if shown else 'tickets '}within ±{decimal(max(others, default=0) * 100)}"
    command = command_line("study", as_typed(verdict.edition), "-v")
    yield f"    {rest}{' ' * max(3, width - 4 - len(rest) - len(command))}{click.style(command, dim=True)}"


def _row(verdict: Verdict, remedies: Remedies, target: Target, room: int) -> str:
    ticket = verdict.edition.tickets[target.row or 0]
    trains = fewest_trains(verdict.edition, ticket)
    length = "–" if trains == UNREACHABLE else f"{trains:.0f}"
    points = "–" if verdict.edition.is_race else str(ticket.points)
    remedy = remedies.of(target.row)
    tried = "–"
    if remedy is not None:
        tried = str(remedy.points) if remedy.points is not None else f"not points ({remedy.tried[0]}–{remedy.tried[1]})"
    bar = click.style(f"{_bar(abs(target.value)):<{BAR}}", fg=COLORS[str(target.state)])
    value = decimal(target.value * 100, plus="+")
    return (
        f"  {symbol(str(target.state))} {_ends(verdict, target):<{room}}{length:>6}  {points:>6}   "
        f"{value:>5}  {bar}       {tried:>6}"
    )


def _other(verdict: Verdict, target: Target) -> str:
    """A route, seat or style that is missed or not sure yet."""
    low, high = target.limit
    limit = f"at most {decimal((high or 0) * 100)}" if low is None else f"at least {decimal(low * 100)}"
    if low is not None and high is not None:
        limit = f"{decimal(low * 100)} to {decimal(high * 100)}"
    return f"  {symbol(str(target.state))} {describe(verdict.edition, target)}, {limit}"


def _ends(verdict: Verdict, target: Target) -> str:
    ticket = verdict.edition.tickets[target.row or 0]
    name = f"{ticket.a}–{ticket.b}"
    return name if len(name) <= 30 else f"{name[:29]}…"


def _bar(value: float) -> str:
    eighths = round(min(value / SCALE, 1.0) * BAR * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def symbol(state: str) -> str:
    return click.style(SYMBOLS[state], fg=COLORS[state], bold=True)


def next_step(heading: str, command: str, why: str) -> str:
    return f"  {heading:<5} {command:<28}  {click.style(why, dim=True)}"


def _width() -> int:
    return min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
