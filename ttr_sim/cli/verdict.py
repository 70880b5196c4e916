"""The verdict on the terminal: one word, a line for each topic, tickets to fix, and the next commands."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator

import click

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.targets import MET, MISSED, OPEN, TICKET
from ttr_sim.analysis.text import decimal, ranked
from ttr_sim.analysis.verdict import FAIR, NOT_FAIR, TargetChanges, Verdict, describe
from ttr_sim.balance.remedies import Remedies
from ttr_sim.cli.output import COLORS, EIGHTHS, next_step, print_lines, symbol
from ttr_sim.edition import as_typed
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import UNREACHABLE, fewest_trains
from ttr_sim.errors import command_line
from ttr_sim.report.page import Report

MOST_LINES = 25  # with the address of the page below
MOST_ROWS = 8
MOST_OTHERS = 3  # routes, seats and styles
MOST_LETTERS = 30  # of a ticket's ends
SCALE = 0.10  # of a full bar
BAR = 14  # characters of it
WIDEST, NARROWEST = 100, 60


def print_verdict(report: Report, verbose: bool) -> None:
    print_lines(verdict_lines(report.analysis, report.remedies))
    if verbose:
        print_lines(verbose_lines(report.analysis))
    click.echo(f"\n  {report.page.resolve().as_uri()}")


def verdict_lines(analysis: Analysis, remedies: Remedies) -> Iterator[str]:
    """Yield at most 23 lines, as the address of the page takes two more."""
    verdict, edition = analysis.verdict, analysis.edition
    width = min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
    games = sum(run.games for run in analysis.main_runs)
    counts = sorted({run.players for run in analysis.main_runs})
    players = f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    yield (
        f"{edition.title} · {len(edition.tickets)} tickets · {len(edition.routes)} routes · "
        f"{games:,} games with {players} players"
    )
    yield ""
    shown = verdict.to_show()
    doubtful = [target for target in shown if target.state == OPEN]
    to_fix = sum(target.state == MISSED for target in shown)
    parts = [f"{to_fix} to fix"] * bool(to_fix) + [f"{len(doubtful)} too close to call"] * bool(doubtful)
    tally = "  ".join(f"{symbol(state)} {n:,}" for state in (MET, OPEN, MISSED) if (n := verdict.counts[state]))
    tally = f"limits: {tally}"
    color = {FAIR: "green", NOT_FAIR: "red"}.get(verdict.word, "yellow")
    headline = f"  {click.style(verdict.word.upper(), fg=color, bold=True)}   {', '.join(parts) or 'nothing to fix'}"
    gap = max(3, width - len(click.unstyle(headline)) - len(click.unstyle(tally)))
    yield f"{headline}{' ' * gap}{tally}"
    yield ""
    for card in verdict.cards:
        yield f"  {symbol(card.state)} {card.title:<12} {card.sentence}"
    others = [target for target in shown if target.measure != TICKET][:MOST_OTHERS]
    # The rest are 4 lines of heading, 3 around the tickets, 3 of what is next, and 2 of the address.
    room = MOST_LINES - 12 - len(verdict.cards) - len(others)
    yield from ticket_lines(verdict, remedies, width, min(room, MOST_ROWS))
    for target in others:
        low, high = target.limit
        limit = f"at most {decimal((high or 0) * 100)}" if low is None else f"at least {decimal(low * 100)}"
        if low is not None and high is not None:
            limit = f"{decimal(low * 100)} to {decimal(high * 100)}"
        yield f"  {symbol(str(target.state))} {describe(edition, target)} (limit: {limit})"
    yield ""
    name = as_typed(edition)
    if verdict.counts[MISSED]:
        yield next_step("NEXT", command_line("balance", name), "find and prove the fewest edits")
    elif doubtful:
        games_each = max(target.games_to_settle(games // len(counts)) for target in doubtful)
        yield next_step(
            "NEXT", command_line("study", name, "--games", str(games_each)), "settle what is too close to call"
        )
    else:
        yield next_step("NEXT", command_line("watch", name), "judge each save while you edit")
    yield next_step("", command_line("open", name), "the report, with games to watch")


def ticket_lines(verdict: Verdict, remedies: Remedies, width: int, rows: int) -> Iterator[str]:
    """Yield a table of the tickets to fix, or not sure yet."""
    edition = verdict.edition
    tickets = [target for target in verdict.targets if target.measure == TICKET and target.state]
    if not tickets:
        return
    yield ""
    shown = [target for target in verdict.to_show() if target.measure == TICKET][:rows]
    names = []
    for target in shown:
        ticket = edition.tickets[target.row or 0]
        ends = f"{ticket.a}–{ticket.b}"
        names.append(ends if len(ends) <= MOST_LETTERS else f"{ends[: MOST_LETTERS - 1]}…")
    if shown:
        room = max(map(len, names)) + 2
        widths = [(target.high - target.low) / 2 for target in tickets if not math.isnan(target.low)]
        each = f"wins per 100 games, each ±{decimal(max(widths) * 100) if widths else '?'}"
        yield f"  {'TICKETS':<{room + 2}}trains  points   {each:<{BAR + 16}} try"
    for name, target in zip(names, shown, strict=True):
        ticket = edition.tickets[target.row or 0]
        trains = fewest_trains(edition, ticket)
        length = "–" if trains == UNREACHABLE else f"{trains:.0f}"
        points = "–" if edition.is_race else str(ticket.points)
        tried = "–"
        if remedy := remedies.of(target.row):
            low, high = remedy.tried
            tried = f"not points ({low}–{high})" if remedy.points is None else str(remedy.points)
        full, eighths = divmod(round(min(abs(target.value) / SCALE, 1.0) * BAR * 8), 8)
        bar = click.style(f"{'█' * full + EIGHTHS[eighths].strip():<{BAR}}", fg=COLORS[str(target.state)])
        value = decimal(target.value * 100, plus="+")
        columns = f"{name:<{room}}{length:>6}  {points:>6}   {value:>5}  {bar}       {tried:>6}"
        yield f"  {symbol(str(target.state))} {columns}"
    # The widest of the rest bounds them all, so that one line can stand for thirty tickets.
    others = [abs(target.value) for target in tickets if target not in shown]
    rest = f"{len(others)} {'more ' if shown else 'tickets '}within ±{decimal(max(others, default=0) * 100)}"
    if verdict.never_dealt:
        rest += f", {verdict.never_dealt} not measured"
    command = command_line("study", as_typed(edition), "-v")
    yield f"    {rest}{' ' * max(3, width - 4 - len(rest) - len(command))}{click.style(command, dim=True)}"


def change_lines(edition: Edition, changes: TargetChanges) -> Iterator[str]:
    """Yield a line for each target that is fixed, worse or left."""
    for word, state, targets in (
        ("fixed", MET, changes.fixed),
        ("worse", MISSED, changes.worse),
        ("left", MISSED, changes.left),
    ):
        for target in targets[:MOST_ROWS]:
            yield f"  {symbol(state)} {word:<6} {describe(edition, target)}"
        if len(targets) > MOST_ROWS:
            yield f"    {word:<6} and {len(targets) - MOST_ROWS} more"
    if not (changes.fixed or changes.worse or changes.left):
        yield f"  {symbol(MET)} nothing to fix, before or now"
    if changes.unsure:
        yield f"  {symbol(OPEN)} {len(changes.unsure)} too close to call"


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
