"""The games of all runs of one player count, a batch at a time.

A game lies in one part, so whatever is derived per game (who sits where, claims in order) is done within a batch, and
only sums by group of blocks leave it: memory does not grow with the number of games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.jackknife import Estimate, Floats, ratio
from ttr_sim.analysis.rows import Batch, Rows, Table
from ttr_sim.analysis.sums import Sums, every, tally
from ttr_sim.edition.model import Edition
from ttr_sim.run.opened import Run

BATCH_GAMES = 20_000  # more cost memory, fewer cost time: sums are as large for few games as for many


class Summable(Protocol):
    def __add__(self, other: Self, /) -> Self: ...


Answer = TypeVar("Answer", bound=Summable)
Question = Callable[[Rows], Answer]  # of what a batch holds


@dataclass(frozen=True)
class Played:
    """How many blocks were played, and whether any bot published what it wants."""

    blocks: int
    planning: bool

    @classmethod
    def of(cls, rows: Rows) -> Played:
        return cls(len(np.unique(rows.games["block"])), bool((rows.seats["plans"] == 1).any()))

    def __add__(self, other: Played) -> Played:
        return Played(self.blocks + other.blocks, self.planning or other.planning)


def played(rows: Rows) -> Played:
    return Played.of(rows)


def by_group(rows: Rows) -> Sums:
    games = rows.games
    return tally(every(all=[0]), games.grp, np.zeros_like(games.grp), games=None, turns=games["turns"])


class Source:
    """Answers questions over all games: functions of the rows of a batch, whose results can be added up."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(runs)
        self.players: int = runs[0].plan.players
        self.edition: Edition = runs[0].edition
        self.has_turns = all("turns" in run.plan.tables for run in runs)
        self.games = sum(run.finished_games for run in runs)
        self._kept_blocks: Ints | None = None
        self._known: dict[Question[Any], Any] = {}

    @property
    def blocks(self) -> int:
        return self.ask(played).blocks

    @property
    def planning(self) -> bool:
        """Return whether any bot published what it wants."""
        return self.ask(played).planning

    def keep_blocks(self, blocks: Ints) -> None:
        """Leave all other blocks out from now on."""
        self._kept_blocks, self._known = blocks, {}

    def per_game(self, counts: Floats) -> Estimate:
        """Divide sums by group and key by the games."""
        games = self.ask(by_group)["games"]
        return ratio(counts, np.repeat(games, counts.shape[1], axis=1))

    def ask(self, question: Question[Answer]) -> Answer:
        """Return the answer over all games; each question is asked once."""
        if question not in self._known:
            self.answer([question])
        answer: Answer = self._known[question]
        return answer

    def take(self, question: Question[Answer]) -> Answer:
        """Return the answer and forget it, as it is large."""
        answer = self.ask(question)
        del self._known[question]
        return answer

    def answer(self, questions: Sequence[Question[Any]]) -> None:
        """Answer several questions, for which each batch is read once."""
        new = [question for question in dict.fromkeys(questions) if question not in self._known]
        if new:
            batches = map(Rows, self._batches())
            found = reduce(_both, ([question(rows) for question in new] for rows in batches))
            self._known |= dict(zip(new, map(_of_met, found), strict=True))

    def _batches(self) -> Iterator[Batch]:
        bots = tuple(sorted({bot for run in self.runs for bot in run.plan.bots}))
        for number, run in enumerate(self.runs):
            for parts in _in_batches(run):
                yield Batch(replace(run, parts=parts), number, bots, self._kept_blocks)


def _both(some: list[Any], more: list[Any]) -> list[Any]:
    return [one + other for one, other in zip(some, more, strict=True)]


def _of_met(answer: Any) -> Any:
    return answer.met() if isinstance(answer, Sums) else answer


def sources_of(runs: Sequence[Run]) -> tuple[Source, ...]:
    """Group the runs that have games by player count."""
    by_players: defaultdict[int, list[Run]] = defaultdict(list)
    for run in runs:
        if run.finished_games:
            by_players[run.plan.players].append(run)
    return tuple(Source(by_players[players]) for players in sorted(by_players))


def _in_batches(run: Run) -> Iterator[tuple[int, ...]]:
    batch: list[int] = []
    games = 0
    for part, size in zip(run.parts, run.games_by_part, strict=True):
        if batch and games + size > BATCH_GAMES:
            yield tuple(batch)
            batch, games = [], 0
        batch.append(part)
        games += size
    if batch:
        yield tuple(batch)


def contested(rows: Rows) -> Table:
    """Return the claims of routes that others wanted: `rivals` is a mask of their seats, `own` says whether the claimer
    wanted it, too, and `place` is where the claim stands among all."""
    claims = rows.claims
    wanted, own = claims["wanted_by"], np.uint8(1) << claims["seat"].astype(np.uint8)
    place = np.flatnonzero(claims["claimed"] & ((wanted & ~own) != 0))
    wanted, own = wanted[place].astype(np.int64), own[place].astype(np.int64)
    found = {name: claims[name][place] for name in ("game", "seat", "route")}
    return Table({**found, "rivals": wanted & ~own, "own": (wanted & own) != 0, "place": place}, claims.groups)


def by_route(rows: Rows) -> Sums:
    """Add up claims, their rounds and the wins of who claimed, tries, and games in which the route was contested."""
    tries, keys = rows.claims, every(route=range(len(rows.edition.routes)))
    claims, taken = tries.where(tries["claimed"]), contested(rows)
    winners = rows.games["winners"]
    share = 1 / np.maximum(np.bitwise_count(winners), 1)
    has_won = (winners[claims.game] >> claims["seat"].astype(np.uint8)) & 1
    wins = has_won * share[claims.game]
    rounds = claims["turn"] // rows.players + 1
    return (
        tally(keys, claims.grp, claims["route"], claims=None, round=rounds, wins=wins)
        | tally(keys, tries.grp, tries["route"], tries=None)
        | tally(keys, taken.grp, taken["route"], contested=None)
    )


def by_bot_and_seat(rows: Rows) -> Sums:
    seats = rows.seats
    score, win_share = seats["score"], seats["win_share"]
    key = seats["bot"] * rows.players + seats["seat"]
    keys = every(bot=rows.bots, seat=range(rows.players))
    return tally(keys, seats.grp, key, n=None, wins=win_share, score=score, winning=score * win_share)


def measures(rows: Rows) -> dict[str, Floats]:
    """Return measures of each game, NaN where one does not apply."""
    games = rows.games
    turns, led = games["turns"].astype(float), games["lead_turn"].astype(float)
    winners = np.bitwise_count(games["winners"])
    found = {
        "turns": turns,
        "rounds": turns / rows.players,
        "decided": np.floor((led + 1) / turns * 100 + 0.5) / 100,
        "hidden": np.where(winners == 1, np.isnan(led), np.nan),
        "shared": winners > 1,
    }
    found |= {name: games[name] for name in ("margin", "lead_changes", "resets", "reshuffles")}
    return {name: found[name].astype(float) for name in sorted(found)}


def by_measure(rows: Rows) -> Sums:
    found = measures(rows)
    values, place = np.array(list(found.values())), np.arange(len(found))[:, None]
    known = ~np.isnan(values)
    group, key = (np.broadcast_to(numbers, values.shape)[known] for numbers in (rows.games.grp, place))
    return tally(every(measure=found), group, key, n=None, total=values[known])
