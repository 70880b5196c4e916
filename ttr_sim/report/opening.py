"""The first screen: the board with its worst places, and five plain sentences about how it plays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.seats import clearly_off
from ttr_sim.analysis.words import decimal, ends, listed
from ttr_sim.bots.tuned import CHANGED, FITTING, state_of_tuning
from ttr_sim.edition import as_typed
from ttr_sim.errors import command_line
from ttr_sim.report.glance import CLAIMS, FIRST_PLAYER, HIDDEN, MARGIN, ROUNDS, RangedNumber, Strip, find
from ttr_sim.report.headlines import (
    HEADLINES,
    LOCKED_OUT,
    MISVALUED,
    games_by_count,
    judged_tickets,
    listed_tickets,
)
from ttr_sim.report.numbers import ordinal, players_words
from ttr_sim.report.provenance import FIELDS
from ttr_sim.run.fields import STRONG, STRONG_BOT

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.edition.model import Edition
    from ttr_sim.report.ranges import Ranges

NUMBER = re.compile(r"((?<![\w.])\d[\d.,]*(?: of \d+| %)?(?! players))")
ALIKE = 1.5  # times as many games, or as few, find about as many tickets
RECONSTRUCTED = "RECONSTRUCTED"  # how a provenance marks what matters to results


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, where it leads to, and the number beside the official range where there is one."""

    sentence: str
    anchor: str
    strip: Strip | None = None

    @property
    def marked(self) -> Markup:
        """Return the sentence with its number, the one on the strip, set off."""
        return Markup(NUMBER.sub(r"<b>\1</b>", str(escape(self.sentence)), count=1))


def sentences(analysis: Analysis, players: int, ranges: Ranges) -> list[Said]:
    """Return what the runs show: turn order, tickets, routes, length, how close games are."""
    makers = (_turn_order, _tickets, _routes, _length, _closeness)
    return [said for make in makers for said in make(analysis, players, ranges)]


def banner(analysis: Analysis) -> list[str]:
    """Return what a reader must know before the numbers: what is not the printed game, and who did not play it well."""
    edition = analysis.edition
    said = [edition.provenance] if RECONSTRUCTED in edition.provenance else []
    state = state_of_tuning(edition, STRONG_BOT)
    if state != FITTING and STRONG in set(analysis.tables["overview"]["field"]):
        since = "before its last change" if state == CHANGED else "yet"
        tuned = "was tuned for this board" if state == CHANGED else "was not tuned for this board"
        tuning = command_line("tune", as_typed(edition))
        said.append(f"The {STRONG_BOT} {tuned} {since}; `{tuning}` does that, and may change what is said here.")
    return said


def board_facts(edition: Edition) -> str:
    """Return a line about what the board is made of."""
    low, high = edition.players
    parts = [(len(edition.cities), "cities"), (len(edition.routes), "routes"), (len(edition.tickets), "tickets")]
    return f"{listed([f'{number} {things}' for number, things in parts])}, for {low} to {high} players"


def played(analysis: Analysis) -> str:
    """Return a line about what was played."""
    overview = analysis.tables["overview"]
    fields = {field: int(rows["games"].sum()) for field, rows in overview.groupby("field", sort=False)}
    words = [f"{games:,} games {FIELDS.get(str(field), str(field))}" for field, games in fields.items()]
    counts = sorted({run.players for run in analysis.runs})
    return f"{listed(words)}, with {listed(str(count) for count in counts)} players." if words else ""


def played_officially(analysis: Analysis) -> str:
    """Return how the official boards were played whose numbers stand beside this one's."""
    alike = all(run.field == STRONG for run in analysis.main_runs)
    return "played the same way" if alike else "played by strong players in every seat, not by these bots"


def _turn_order(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[Said]:
    seats = analysis.tables["seats"]
    rows = seats[seats["players"] == players].sort_values("seat")
    if rows.empty:
        return
    first, best = rows.iloc[0], ranked(rows.assign(clear=clearly_off(rows)), "win_share").iloc[0]
    is_first = best["seat"] == first["seat"] or not best["clear"]
    best_words = "" if is_first else f"; the {ordinal(int(best['seat']))} does best"
    sentence = (
        f"The first player wins {decimal(first['win_share'] * 100)} % of the games with {players_words(players)}, "
        f"where {decimal(100 / players)} % is fair{best_words}."
    )
    yield Said(sentence, "seats", _beside(analysis, players, ranges))


def _tickets(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[Said]:
    tickets = judged_tickets(analysis)
    if tickets.empty:
        return
    counts = [int((tickets["verdict"] == verdict).sum()) for verdict in ("generous", "stingy")]
    number = sum(counts)
    than = "than others of their class"
    kinds = f"{counts[0]} too generous, {counts[1]} too stingy"
    sentence = f"{number} of {len(tickets)} tickets give clearly more or fewer wins {than}: {kinds}."
    if not number:
        sentence = f"None of the {len(tickets)} tickets clearly gives more or fewer wins {than}."
    if others := len(listed_tickets(analysis)) - len(tickets):
        sentence += f" The other {others} are too seldom dealt at the start to be judged."
    counted_at, share = int(tickets["players"].iloc[0]), number / len(tickets)
    strip = _of_headline(ranges, counted_at, MISVALUED, (share,) * 3) if _as_many_games(analysis, ranges) else None
    yield Said(sentence, "tickets", strip)


def _as_many_games(analysis: Analysis, ranges: Ranges) -> bool:
    """Return whether about as much was played as on the official boards: the more games, the more tickets are clear."""
    return ranges.games / ALIKE <= games_by_count(analysis) <= ranges.games * ALIKE


def _routes(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[Said]:
    routes = analysis.tables["routes"]
    known = routes[routes["players"] == players].dropna(subset=["denial_low"])
    if known.empty:
        return
    row = ranked(known, "denial").iloc[0]
    number = (float(row["denial"]), float(row["denial_low"]), float(row["denial_high"]))
    sentence = (
        f"{ends(row)} is the route that locks others out most: in {decimal(number[0] * 100)} % of the games with "
        f"{players_words(players)} somebody who wanted it finds no other."
    )
    yield Said(sentence, "routes", _of_headline(ranges, players, LOCKED_OUT, number))


def _length(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[Said]:
    rounds = find(analysis, ROUNDS, players, ranges)
    if rounds is None or not rounds.is_known:
        return
    claims = find(analysis, CLAIMS, players, ranges)
    each = f", in which each player claims {decimal(claims.number[0])} routes" if claims else ""
    sentence = f"A game takes {decimal(rounds.number[0])} rounds{each}."
    yield Said(sentence, "shape", rounds.strip())


def _closeness(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[Said]:
    margin = find(analysis, MARGIN, players, ranges)
    if margin is None or not margin.is_known:
        return
    unit = "tickets" if analysis.edition.is_race else "points"
    hidden = find(analysis, HIDDEN, players, ranges)
    open_points = ""
    if hidden and hidden.is_known and not analysis.edition.is_race:  # a race shows its tickets as they are met
        open_points = f", and in {decimal(hidden.number[0] * 100)} % of the games was not in front in open {unit}"
    sentence = f"The winner leads by {decimal(margin.number[0])} {unit} at the end{open_points}."
    in_points = margin if analysis.edition.is_race else replace(margin, unit="points")
    yield Said(sentence, "shape", in_points.strip())


def _beside(analysis: Analysis, players: int, ranges: Ranges) -> Strip | None:
    found = find(analysis, FIRST_PLAYER, players, ranges)
    return found.strip() if found else None


def _of_headline(ranges: Ranges, players: int, key: str, number: tuple[float, float, float]) -> Strip | None:
    return RangedNumber(number, ranges.of(HEADLINES, players, key, "value"), "share").strip()
