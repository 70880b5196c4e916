"""What one of two compared runs measured: numbers of the whole game, of each ticket, of each route."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ttr_sim.analysis.contention import BY_CONTESTED, BY_ROUTE, CLAIMS, CONTESTED
from ttr_sim.analysis.facts import route_facts
from ttr_sim.analysis.jackknife import Estimate, Floats, difference
from ttr_sim.analysis.shape import BY_GROUP
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Sums
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.words import ORDINALS

BY_BOT_AND_SEAT = """
    SELECT grp, bot, seat, count(*) AS n, sum(win_share) AS wins, sum(score) AS score, sum(score * win_share) AS winning
    FROM seats JOIN played USING (game) GROUP BY ALL
"""
BY_TICKET = """
    SELECT grp, ticket, count_if(turn = -1) AS dealt, sum(win_share) FILTER (turn = -1) AS wins,
        sum(score) FILTER (turn = -1) AS score, count_if(turn = -1 AND kept) AS dealt_kept,
        count_if(kept) AS kept, count_if(kept AND completed) AS done
    FROM tickets JOIN (SELECT game, seat, win_share, score FROM seats) USING (game, seat)
        JOIN (SELECT game, grp FROM played) USING (game)
    GROUP BY ALL
"""
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


def measure(source: Source, styles: Mapping[str, str]) -> Side:
    """Measure all numbers of a run; `styles` gives the bot behind the name of each headline about a style."""
    keys = pd.DataFrame({"ticket": range(len(source.edition.tickets))})
    tickets = source.sums(BY_TICKET, ["ticket"]).spread_over(keys)
    claimed, contested = _claims(source) if source.has_turns else (None, None)
    headlines = dict(_headlines(source, styles, tickets, contested))
    score = source.sums(BY_BOT_AND_SEAT, ["bot", "seat"]).over([])[0].mean("score")
    return Side(
        headlines,
        float(score.value[0]),
        _of_tickets(tickets, score),
        _of_routes(source, claimed, contested),
        tickets.total("dealt"),
    )


def _headlines(
    source: Source, styles: Mapping[str, str], tickets: Sums, contested: Sums | None
) -> Iterator[tuple[str, Headline]]:
    seats = source.sums(BY_BOT_AND_SEAT, ["bot", "seat"])
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
    if contested and source.planning:
        yield "Contested claims", Headline("number", source.per_game(contested.over([])[0]["games"]))


def _pace(source: Source) -> Iterator[tuple[str, Headline]]:
    pace = source.sums(BY_GROUP, ["measure"])
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


def _of_routes(source: Source, claimed: Sums | None, contested: Sums | None) -> dict[str, Estimate]:
    if claimed is None or contested is None:
        return {}
    shares = {"": source.per_game(claimed["claims"])}
    if source.planning:
        shares["contention_"] = source.per_game(contested["games"])
    return shares


def _claims(source: Source) -> tuple[Sums, Sums]:
    """Count claims of each route, and those made while another seat wanted it."""
    facts = route_facts(source.edition)
    source.add_table("lanes", facts[["route", "group", "ways"]].rename(columns={"group": "parallel"}))
    questions = {sql.format(players=source.players): ["route"] for sql in (BY_ROUTE, BY_CONTESTED)}
    claimed, contested = source.several_sums(questions, [CLAIMS, CONTESTED])
    return claimed.spread_over(facts[["route"]]), contested.spread_over(facts[["route"]])
