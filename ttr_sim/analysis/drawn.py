"""What is it worth to be offered a ticket during the game?

An offer takes tickets at random from the part of a deck that nobody has seen. So games in which a ticket comes up
differ only by luck from games in which it still lay there: a ticket that comes up counts one, and wherever one of m
unseen tickets came up, each of the m counts 1 / m, its chance. Offers with a ticket seen before are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, islice
from operator import add

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Estimate, Floats, derive, difference
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums
from ttr_sim.run.opened import Run

MOST_GAMES = 200_000  # of a player count that are looked at: what a ticket does is known to half a win in 100 by then
LATE_DRAW = 4  # from this draw of a seat on, draws are one stratum
ROUNDS_TOGETHER = 4  # in a stratum
MOST_OFFERS = 4_000  # looked at for what lay beside a ticket: enough, and any of them are as good as the others
OFFERS_TOGETHER = 256
STRATUM = ["bot", "seat", "draw", "phase", "deck_number"]
# The first row of a ticket in a game: its order, turn and seat as one number are found in half the time of three.
SEEN = """
    CREATE OR REPLACE TEMP TABLE seen AS
    SELECT game, seat, ticket, turn, "order", deck_number,
        size + 1 - row_number() OVER (PARTITION BY game, deck_number ORDER BY "order") AS unseen
    FROM (
        SELECT game, ticket, first >> 32 AS "order", (first >> 8) % (1 << 24) - 1 AS turn, first % 256 AS seat
        FROM (
            SELECT game, ticket, min(("order"::BIGINT << 32) | ((turn + 1)::BIGINT << 8) | seat) AS first
            FROM tickets GROUP BY game, ticket
        )
    ) JOIN deck_sizes USING (ticket)
"""
OFFERS = f"""
    CREATE OR REPLACE TEMP TABLE offers AS
    SELECT *, least(row_number() OVER (PARTITION BY game, seat ORDER BY turn), {LATE_DRAW}) AS draw
    FROM (
        SELECT game, seat, tickets.turn, bool_and(tickets."order" = seen."order") AS fresh
        FROM tickets JOIN (SELECT game, ticket, "order" FROM seen) seen USING (game, ticket)
        WHERE tickets.turn >= 0 GROUP BY ALL
    )
"""
LATE = f"""
    CREATE OR REPLACE TEMP TABLE late AS
    SELECT game, grp, bot, seat, draw, turn // (players * {ROUNDS_TOGETHER}) AS phase, deck_number, ticket, turn,
        "order", 1.0 / unseen AS chance, win_share, score
    FROM seen JOIN (SELECT game, seat, turn, draw FROM offers WHERE fresh) USING (game, seat, turn)
        JOIN (SELECT game, seat, bot, win_share, score FROM seats) USING (game, seat)
        JOIN (SELECT game, grp, players FROM played) USING (game)
"""
VALUED = f"""
    CREATE OR REPLACE TEMP TABLE valued_late AS
    SELECT late.*, win_share - mean_win AS win, score - mean_points AS points
    FROM late JOIN late_strata USING ({", ".join(STRATUM)})
"""
BEFORE = (SEEN, OFFERS, LATE)
BY_STRATUM = f"""
    SELECT grp, {", ".join(STRATUM)}, count(*) AS n, sum(win_share) AS win, sum(score) AS points FROM late GROUP BY ALL
"""
BY_TICKET = "SELECT grp, ticket, count(*) AS n, sum(win) AS win, sum(points) AS points FROM valued_late GROUP BY ALL"
BY_DECK = """
    SELECT grp, deck_number, sum(chance) AS n, sum(chance * win) AS win, sum(chance * points) AS points
    FROM valued_late GROUP BY ALL
"""
BY_SEEN = """
    SELECT late.grp, seen.ticket, sum(chance) AS n, sum(chance * win) AS win, sum(chance * points) AS points
    FROM valued_late late JOIN seen ON late.game = seen.game AND late.deck_number = seen.deck_number
        AND seen."order" < late."order"
    GROUP BY ALL
"""
TOGETHER = f"""
    SELECT string_agg(ticket, ',' ORDER BY ticket) AS tickets, 1 AS n FROM late
    GROUP BY game, seat, turn HAVING count(*) > 1 ORDER BY hash(game), game, turn LIMIT {MOST_OFFERS}
"""


@dataclass(frozen=True)
class Drawn:
    """Outcomes less the mean of the stratum (bot, seat, number of the draw, round, deck), by ticket: of the seats to
    which it came up, and of those to which it could have; and offers, as tickets that came up together."""

    came: Sums
    could: Sums
    offers: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Drawn:
        """Measure them in the first games of runs of a player count; in as many of each where there are several."""
        source = Source([run.first_parts(MOST_GAMES // len(runs)) for run in runs])
        facts = ticket_facts(source.edition)[["ticket", "deck_number"]]
        sizes = facts.groupby("deck_number")["ticket"].transform("size")
        source.add_table("deck_sizes", facts.assign(size=sizes))
        batches = [(Sums.of(rows, STRATUM), found) for rows, found in source.answers([BY_STRATUM, TOGETHER], BEFORE)]
        strata = reduce(add, (sums for sums, _ in batches))
        means = {f"mean_{name}": strata.mean(name).value for name in ("win", "points")}
        source.add_table("late_strata", strata.keys.assign(**means))
        questions = {BY_TICKET: ["ticket"], BY_DECK: ["deck_number"], BY_SEEN: ["ticket"]}
        came, decks, seen = source.several_sums(questions, [*BEFORE, VALUED])
        tickets = facts[["ticket"]]
        of_deck, gone = decks.spread_over(facts[["deck_number"]]), seen.spread_over(tickets)
        could = Sums(tickets, {name: array - gone[name] for name, array in of_deck.arrays.items()})
        rows = chain.from_iterable(found["tickets"] for _, found in batches)
        offers = tuple(tuple(map(int, row.split(","))) for row in islice(rows, MOST_OFFERS))
        return cls(came.spread_over(tickets), could, offers)

    def __add__(self, other: Drawn) -> Drawn:
        return Drawn(self.came + other.came, self.could + other.could, self.offers + other.offers)


def together(drawn: Sequence[Drawn]) -> Drawn:
    return reduce(add, drawn)


def with_drawn(dealt: Measured, drawn: Drawn, is_race: bool) -> Measured:
    """Return the numbers of dealt tickets with those of drawn ones: what a ticket that comes up does to wins and
    points, and how far it lies above the best beside it."""
    win, points = (difference(drawn.came.mean(name), drawn.could.mean(name)) for name in ("win", "points"))
    found = {"drawn_win": win, "over_best": _over_best(win, drawn.offers)}
    found |= {} if is_race else {"drawn_points": points}
    return replace(dealt, keys=dealt.keys.assign(drawn_n=drawn.came.total("n")), estimates={**dealt.estimates, **found})


def _over_best(win: Estimate, offers: Sequence[Sequence[int]]) -> Estimate:
    """Return the effect less that of the best other ticket in its offers, mean over them.

    The best of several looks better than it is; so the effects that the best is chosen from are first drawn together
    until they spread as much as the true ones do (Louis 1984). The ticket's own effect stays as it is.
    """
    known = np.isfinite(win.error)
    if not offers or not known.any():
        return derive(lambda values: np.full_like(values, np.nan), win)
    spread, noise = float(win.value[known].var()), float((win.error[known] ** 2).mean())
    true_part = np.sqrt(max(1 - noise / spread, 0.0)) if spread else 0.0
    return derive(lambda values: values - true_part * _best_beside(values, offers), win)


def _of_a_size(offers: Sequence[Sequence[int]]) -> Iterator[NDArray[np.int64]]:
    """Yield offers of as many tickets each, as many of them as stay in the processor's cache."""
    for size in sorted({len(offer) for offer in offers}):
        tickets = np.array([offer for offer in offers if len(offer) == size])
        yield from np.array_split(tickets, -(-len(tickets) // OFFERS_TOGETHER))


def _best_beside(values: Floats, offers: Sequence[Sequence[int]]) -> Floats:
    """Return the value of the best ticket beside each, mean over its offers; tickets lie along the last axis."""
    by_ticket = np.ascontiguousarray(np.nan_to_num(np.atleast_2d(values)).T)
    total, times = np.zeros_like(by_ticket), np.zeros((len(by_ticket), 1))
    for tickets in _of_a_size(offers):
        for place in range(tickets.shape[1]):
            best = reduce(np.maximum, (by_ticket[other] for other in np.delete(tickets, place, axis=1).T))
            came_up = tickets[:, place] == np.arange(len(by_ticket))[:, None]
            total += came_up.astype(float) @ best
            times += came_up.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((total / times).T.reshape(values.shape))
