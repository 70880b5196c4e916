"""What is it worth to be offered a ticket during the game?

An offer takes tickets at random from the part of a deck that nobody has seen. So games in which a ticket comes up
differ only by luck from games in which it still lay there: a ticket that comes up counts one, and wherever one of m
unseen tickets came up, each of the m counts 1 / m, its chance. Offers with a ticket seen before are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.jackknife import Estimate, Floats, derive, difference, divide
from ttr_sim.analysis.rows import Rows, Table
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, every, tally
from ttr_sim.run.opened import Run

MOST_GAMES = 200_000  # of a player count that are looked at: what a ticket does is known to half a win in 100 by then
LATE_DRAW = 4  # from this draw of a seat on, draws are one stratum
ROUNDS_TOGETHER = 4  # in a stratum
MOST_OFFERS = 4_000  # looked at for what lay beside a ticket: enough, and any of them are as good as the others
OFFERS_TOGETHER = 256
LONGEST = 1 << 32  # more than turns, or tickets drawn, in a game
MIX, HALF = np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


class Draws:
    """The tickets of a batch in the order of drawing: `first` are those that came up for the first time in their game,
    `late` those of them that came up during the game in an offer without any seen before."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.deck_of = np.array([ticket.deck for ticket in rows.edition.tickets])
        tickets = _in_order(rows.draws)
        self._is_first = _are_first(tickets.game * len(self.deck_of) + tickets["ticket"])
        self._tickets, self.first = tickets, tickets.where(self._is_first)
        self.deck = self.deck_of[self.first["ticket"]]

    @cached_property
    def late(self) -> Table:
        """Return the late ones; `place` is that among the first ones, `offer` and `draw` number the offer."""
        tickets, during = self._tickets, np.flatnonzero(self._tickets["turn"] >= 0)
        holder = tickets.game * self.rows.players + tickets["seat"]
        offers, offer = np.unique(holder[during] * LONGEST + tickets["turn"][during], return_inverse=True)
        is_stale = np.bincount(offer, ~self._is_first[during], len(offers)) > 0
        draw = _number_within(offers // LONGEST)
        is_late = self._is_first[during] & ~is_stale[offer]
        at, offer = during[is_late], offer[is_late]
        found = tickets.where(at)
        row = self.rows.row_of_seat(found.game, found["seat"])
        place = (np.cumsum(self._is_first) - 1)[at]
        return Table({**found.columns, "row": row, "place": place, "offer": offer, "draw": draw[offer]}, found.groups)

    @cached_property
    def chance(self) -> Floats:
        """Return the chance that each late one had."""
        sizes = np.bincount(self.deck_of)
        gone = np.zeros(len(self.deck), np.int64)
        for deck in range(len(sizes)):
            at = np.flatnonzero(self.deck == deck)
            gone[at] = _number_within(self.first.game[at])
        return np.asarray(1.0 / (sizes[self.deck] - gone)[self.late["place"]])

    @cached_property
    def stratum(self) -> Ints:
        """Number the strata of the late ones: bot, seat, number of the draw, round, deck."""
        late, rows = self.late, self.rows
        draw, phase = np.minimum(late["draw"], LATE_DRAW - 1), late["turn"] // (rows.players * ROUNDS_TOGETHER)
        numbers = (rows.seats["bot"][late["row"]], late["seat"], draw, phase, self.deck[late["place"]])
        return np.ravel_multi_index(numbers, strata(rows))

    def later(self, values: Floats) -> Floats:
        """Add up values of late ones for each first one: of those that came up after it in its game from its deck."""
        of_first, found = np.zeros(len(self.deck)), np.zeros(len(self.deck))
        of_first[self.late["place"]] = values
        for deck in range(len(self.rows.edition.decks)):
            at = np.flatnonzero(self.deck == deck)
            game, own = self.first.game[at], of_first[at]
            until = np.cumsum(own)
            end = np.searchsorted(game, game, side="right") - 1
            found[at] = until[end] - until
        return found


def strata(rows: Rows) -> tuple[int, ...]:
    """Return how many bots, seats, numbers of a draw, times and decks there can be."""
    times = rows.edition.max_turns // ROUNDS_TOGETHER + 1
    return len(rows.bots), rows.players, LATE_DRAW, times, len(rows.edition.decks)


def _by_stratum(draws: Draws) -> Floats:
    """Return the late draws of each stratum, their wins and points."""
    seats, cells = draws.rows.seats, int(np.prod(strata(draws.rows)))
    outcomes = (seats[name][draws.late["row"]] for name in ("win_share", "score"))
    return np.array([np.bincount(draws.stratum, values, cells) for values in (None, *outcomes)], float)


@dataclass(frozen=True)
class Offers:
    """Tickets that came up together, with the order in which offers are chosen."""

    order: tuple[tuple[int, ...], ...]
    tickets: tuple[tuple[int, ...], ...]

    def __add__(self, other: Offers) -> Offers:
        both = sorted(zip(self.order + other.order, self.tickets + other.tickets, strict=True))[:MOST_OFFERS]
        return Offers(tuple(order for order, _ in both), tuple(tickets for _, tickets in both))


@dataclass(frozen=True)
class FirstLook:
    """The late draws of each stratum, their wins and points; and some offers."""

    strata: Floats
    offers: Offers

    def __add__(self, other: FirstLook) -> FirstLook:
        return FirstLook(self.strata + other.strata, self.offers + other.offers)


def first_look(rows: Rows) -> FirstLook:
    draws = Draws(rows)
    return FirstLook(_by_stratum(draws), _some_offers(draws))


def _some_offers(draws: Draws) -> Offers:
    """Return offers of several tickets, of games that have nothing in common."""
    rows, late = draws.rows, draws.late
    late = late.where(np.lexsort((late["ticket"], late["offer"])))
    start = np.flatnonzero(np.diff(late["offer"], prepend=-1))
    size = np.diff(start, append=len(late["offer"]))
    number = rows.numbers[late.game[start]]
    keys = (_shuffled(number), number, late["turn"][start])
    chosen = np.lexsort(keys[::-1])
    chosen = chosen[size[chosen] > 1][:MOST_OFFERS]
    order = [(*map(int, key), rows.batch.number) for key in zip(*(key[chosen] for key in keys), strict=True)]
    tickets = [tuple(late["ticket"][at : at + n].tolist()) for at, n in zip(start[chosen], size[chosen], strict=True)]
    return Offers(tuple(order), tuple(tickets))


@dataclass(frozen=True, eq=False)
class ByDraw:
    """Adds up what is left of the outcomes after the means of the strata, by ticket: of the seats to which it came up,
    and (`could_`) of those to which it could have come, in parts by its chance."""

    means: Floats

    def __call__(self, rows: Rows) -> Sums:
        draws = Draws(rows)
        late, deck_of, decks = draws.late, draws.deck_of, every(deck=range(len(rows.edition.decks)))
        outcomes = {"win": rows.seats["win_share"], "points": rows.seats["score"]}
        left = {
            name: values[late["row"]] - mean[draws.stratum]
            for (name, values), mean in zip(outcomes.items(), self.means, strict=True)
        }
        keys = every(ticket=range(len(deck_of)))
        weights = {"n": draws.chance, **{name: draws.chance * values for name, values in left.items()}}
        of_deck = tally(decks, late.grp, draws.deck[late["place"]], **weights)
        after = {name: draws.later(values) for name, values in weights.items()}
        gone = tally(keys, draws.first.grp, draws.first["ticket"], **after)
        could = {f"could_{name}": of_deck[name][:, deck_of] - gone[name] for name in weights}
        return tally(keys, late.grp, late["ticket"], n=None, **left) | Sums(keys, could)


def _in_order(tickets: Table) -> Table:
    """Return the tickets game by game in the order of drawing, as they should stand."""
    key = tickets.game * LONGEST + tickets["order"]
    return tickets if (np.diff(key) > 0).all() else tickets.where(np.argsort(key))


def _are_first(keys: Ints) -> NDArray[np.bool_]:
    """Return where each key stands for the first time."""
    first = np.full(int(keys.max(initial=0)) + 1, len(keys))
    np.minimum.at(first, keys, np.arange(len(keys)))
    return np.asarray(first[keys] == np.arange(len(keys)))


def _number_within(keys: Ints) -> Ints:
    """Number those that have the same key, which stand together in order."""
    return np.arange(len(keys)) - np.searchsorted(keys, keys)


def _shuffled(numbers: Ints) -> NDArray[np.uint64]:
    """Return numbers in whose order nothing of those given is left."""
    mixed = numbers.astype(np.uint64)
    for _ in range(2):
        mixed = (mixed ^ (mixed >> HALF)) * MIX
    return mixed ^ (mixed >> HALF)


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
        first = source.ask(first_look)
        n, *outcomes = first.strata
        means = np.array([divide(total, n) for total in outcomes])
        tickets = every(ticket=range(len(source.edition.tickets)))
        sums = source.ask(ByDraw(means)).spread_over(tickets)
        came, could = (
            Sums(tickets, {name: sums[f"{prefix}{name}"] for name in ("n", "win", "points")})
            for prefix in ("", "could_")
        )
        return cls(came, could, first.offers.tickets)

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
