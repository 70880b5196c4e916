"""Rare things that a rulebook hardly foresees: how often, and in which games to look at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice

import numpy as np
import pandas as pd

from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.queries import query
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, every, stack, tally
from ttr_sim.analysis.tables import ODDITIES
from ttr_sim.edition.model import Edition
from ttr_sim.log import ACTION_NAMES, END_NAMES

EXAMPLES = 5
OF_GAMES = ("stalled", "capped", "stuck_row", "no_claim")
OF_TURNS = ("passed", "short_draw")
# A wild taken from the row is the only card by rule; any other lone card was the last to be had.
SHORT_DRAWS = """
    SELECT DISTINCT game FROM {turns}
    WHERE action = 'draw' AND card2 IS NULL AND NOT (card1 = '*' AND card1_from = 'row')
"""


@dataclass(frozen=True)
class Strange:
    """The games with each oddity: how many, and the numbers of the first ones by kind and number of the run."""

    sums: Sums
    first: Mapping[tuple[str, int], list[int]]

    def __add__(self, other: Strange) -> Strange:
        of_both = {**self.first, **other.first}
        first = {key: merge(self.first.get(key, ()), other.first.get(key, ())) for key in of_both}
        return Strange(self.sums + other.sums, {key: list(islice(games, EXAMPLES)) for key, games in first.items()})


@dataclass(frozen=True)
class StrangeGames:
    """Finds them; those that only turns show where turns were logged."""

    with_turns: bool

    def __call__(self, rows: Rows) -> Strange:
        kinds = self.kinds(rows.edition)
        found = [_found(kind, rows) for kind in kinds]
        kind = np.repeat(np.arange(len(kinds)), [len(games) for games in found])
        sums = tally(every(kind=kinds), rows.games.grp[np.concatenate(found)], kind, games=None)
        numbers = [np.sort(rows.numbers[games])[:EXAMPLES].tolist() for games in found]
        return Strange(sums, {(kind, rows.batch.number): first for kind, first in zip(kinds, numbers, strict=True)})

    def kinds(self, edition: Edition) -> list[str]:
        """Return what can be asked of this edition and log."""
        of_turns = OF_TURNS if self.with_turns else ()
        return [*OF_GAMES, *of_turns, *(["short_offer"] if _whole_offer(edition) > 1 else [])]


def _found(kind: str, rows: Rows) -> Ints:
    """Return the games with an oddity."""
    games = rows.games
    if kind in END_NAMES:
        return np.flatnonzero(games["end"] == END_NAMES.index(kind))
    if kind == "stuck_row":
        return np.flatnonzero(games["stuck"] > 0)
    if kind == "no_claim":
        return np.unique(rows.outcomes.game[rows.outcomes["routes"] == 0])
    if kind == "passed":
        return np.flatnonzero(rows.actions[:, ACTION_NAMES.index("pass")])
    if kind == "short_draw":
        return np.flatnonzero(np.isin(rows.numbers, query(rows.run, SHORT_DRAWS)["game"]))
    return _short_offers(rows)


def _short_offers(rows: Rows) -> Ints:
    """Return the games in which fewer tickets than usual were offered at once."""
    offered = rows.tickets.where(rows.tickets["turn"] >= 0)
    width = int(offered["turn"].max(initial=0)) + 1
    offers, size = np.unique(offered.game * width + offered["turn"], return_counts=True)
    return np.unique(offers[size < _whole_offer(rows.edition)] // width)


def oddities(sources: Sequence[Source]) -> pd.DataFrame:
    """Return the share of games with each oddity, and the first games that show it."""
    return stack(ODDITIES, [measure_oddities(source) for source in sources])


def measure_oddities(source: Source) -> Measured:
    question = StrangeGames(source.has_turns)
    keys, found = pd.DataFrame({"kind": question.kinds(source.edition)}), source.ask(question)
    sums = found.sums.spread_over(keys)
    examples = pd.DataFrame([_examples(source, found, kind) for kind in keys["kind"]])
    counts = sums.total("games").astype(np.int64)
    keys = pd.concat([keys, examples], axis=1).assign(players=source.players, n=source.games, games=counts)
    return Measured(keys, {"share": source.per_game(sums["games"])}, source.blocks)


def _whole_offer(edition: Edition) -> int:
    """Return the tickets of one draw during the game; 0 where tickets come one by one as others are completed."""
    if edition.instant_tickets:
        return 0
    return edition.ticket_rules.draw_total if edition.ticket_rules.mix else sum(deck.draw for deck in edition.decks)


def _examples(source: Source, found: Strange, kind: str) -> dict[str, str]:
    """Return the first games of the first run that has any."""
    for number, run in enumerate(source.runs):
        if games := found.first.get((kind, number)):
            return {"run": str(run.path), "examples": ", ".join(map(str, games))}
    return {"run": "", "examples": ""}
