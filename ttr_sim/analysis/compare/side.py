"""What one of two compared runs measured: numbers of the whole game, of each ticket, of each route."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ttr_sim.analysis.facts import route_facts
from ttr_sim.analysis.jackknife import Estimate, Floats, difference
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source, by_bot_and_seat, by_group, by_measure, by_route, played
from ttr_sim.analysis.sums import Sums, every, tally
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import ORDINALS

PACE: tuple[tuple[str, str, Unit], ...] = (
    ("Rounds of a game", "rounds", "rounds"),
    ("Changes of the lead", "lead_changes", "number"),
)


@dataclass(frozen=True)
class Headline:
    unit: Unit
    estimate: Estimate


@dataclass(frozen=True)
class Side:
    """Headlines by name; numbers of all tickets and of all routes by prefix of their columns; deals by ticket."""

    headlines: Mapping[str, Headline]
    mean_score: float
    tickets: Mapping[str, Estimate]
    routes: Mapping[str, Estimate]
    dealt: Floats


def by_ticket(rows: Rows) -> Sums:
    tickets, keys = rows.tickets, every(ticket=range(len(rows.edition.tickets)))
    dealt, kept = tickets.where(tickets["turn"] == -1), tickets.where(tickets["kept"] == 1)
    holder = rows.row_of_seat(dealt.game, dealt["seat"])
    outcomes = {"wins": rows.seats["win_share"][holder], "score": rows.seats["score"][holder]}
    return tally(keys, dealt.grp, dealt["ticket"], dealt=None, dealt_kept=dealt["kept"] == 1, **outcomes) | tally(
        keys, kept.grp, kept["ticket"], kept=None, done=kept["completed"] == 1
    )


def measure(source: Source, styles: Mapping[str, str]) -> Side:
    """Measure all numbers of a run; `styles` gives the bot behind the name of each headline about a style."""
    of_claims = [by_route] if source.has_turns else []
    source.answer([played, by_group, by_bot_and_seat, by_measure, by_ticket, *of_claims])
    tickets = source.ask(by_ticket).spread_over(every(ticket=range(len(source.edition.tickets))))
    claims = source.ask(by_route).spread_over(route_facts(source.edition)[["route"]]) if of_claims else None
    headlines = dict(_headlines(source, styles, tickets, claims))
    score = source.ask(by_bot_and_seat).over([])[0].mean("score")
    return Side(
        headlines,
        float(score.value[0]),
        _of_tickets(tickets, score),
        _of_routes(source, claims),
        tickets.total("dealt"),
    )


def _headlines(
    source: Source, styles: Mapping[str, str], tickets: Sums, claims: Sums | None
) -> Iterator[tuple[str, Headline]]:
    seats = source.ask(by_bot_and_seat)
    by_seat, by_bot, whole = (seats.over(keys)[0] for keys in (["seat"], ["bot"], []))
    for seat in range(source.players):
        yield f"Wins of the {ORDINALS[seat]} player", Headline("share", by_seat.mean("wins").pick(np.array([seat])))
    for name, bot in styles.items():
        found = np.flatnonzero(by_bot.keys["bot"] == bot)
        if len(found):
            yield name, Headline("share", by_bot.mean("wins").pick(found))
    kind = " (tickets)" if source.edition.is_race else ""
    yield f"Score{kind}", Headline("points", whole.mean("score"))
    yield f"Winner's score{kind}", Headline("points", whole.mean("winning", of="wins"))
    yield from _pace(source)
    yield "Tickets completed", Headline("share", tickets.over([])[0].mean("done", of="kept"))
    if claims and source.planning:
        yield "Contested claims", Headline("number", source.per_game(claims.over([])[0]["contested"]))


def _pace(source: Source) -> Iterator[tuple[str, Headline]]:
    pace = source.ask(by_measure)
    for name, measure_name, unit in PACE:
        found = np.flatnonzero(pace.keys["measure"] == measure_name)
        yield name, Headline(unit, pace.mean("total").pick(found))


def _of_tickets(tickets: Sums, mean_score: Estimate) -> dict[str, Estimate]:
    """Return the numbers of tickets; scores relative to the mean of all seats, so that a change for everybody is
    none of each ticket."""
    everybody = mean_score.pick(np.zeros(len(tickets.keys), np.int64))
    return {
        "": tickets.mean("wins", of="dealt"),
        "score_": difference(tickets.mean("score", of="dealt"), everybody),
        "kept_": tickets.mean("dealt_kept", of="dealt"),
        "completed_": tickets.mean("done", of="kept"),
    }


def _of_routes(source: Source, claims: Sums | None) -> dict[str, Estimate]:
    if claims is None:
        return {}
    shares = {"": source.per_game(claims["claims"])}
    if source.planning:
        shares["contention_"] = source.per_game(claims["contested"])
    return shares
