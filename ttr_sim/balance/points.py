"""Ticket points that fit: logged games re-scored with other points, and the remedies that a study names.

Re-scoring is exact for the games as they were played: scores, tie-breaks and shared wins follow the edition's rules.
Players do react to new points, mostly in the same direction, so it is a prediction; playing again gives the truth.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.robustness import DEPENDS
from ttr_sim.analysis.text import ends, listed, ranked
from ttr_sim.analysis.thresholds import MOST_NAMED, SLIGHT
from ttr_sim.analysis.tickets import GENEROUS, STINGY, ticket_facts
from ttr_sim.edition import as_typed
from ttr_sim.edition.model import Edition
from ttr_sim.errors import command_line
from ttr_sim.run.read import Run, open_run

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

AIM = 0.5  # of the margin: near enough, so that chance does not carry it out again
TRIAL = 4  # points, at least, where re-scoring cannot predict the effect of more points
PASSES = 2  # over the tickets: the points of one move the mean of all
REMEDIES = {"ticket_generous": GENEROUS, "ticket_stingy": STINGY}  # verdict by rule of the finding
MOST_GAMES = 6_000  # of each player count re-scored for a study: memory must not grow with games

TIE_BREAKS = {  # by seat; more is better, as in engine.scoring
    "tickets": "coalesce(tickets_completed, 0) + coalesce(bonus_ticket, false)::INT",
    "stations": "coalesce(stations_left, 0)",
    "passengers": "length(coalesce(passengers, ''))",
    "longest_path": "coalesce(longest_path > 0 AND longest_path = max(longest_path) OVER (PARTITION BY game), false)",
}
SEATS = "SELECT game, seat, score{tie_breaks} FROM seats ORDER BY game, seat"
TICKETS = """
    SELECT game, seat, ticket, turn = -1 AS dealt, kept, CASE WHEN completed THEN 1 ELSE {failed} END AS sign
    FROM tickets ORDER BY game, "order"
"""


class ScoredGames:
    """The finished games of one run. A place is a seat of a game: `index of the game * players + seat`."""

    def __init__(self, run: Run) -> None:
        players, edition = run.plan.players, run.edition
        tie_breaks = [f", {TIE_BREAKS[name]} AS tie_break_{name}" for name in edition.tie_breaks]
        # A failed ticket costs its points, so that a point more on it is a point less for its owner.
        failed = -1 if edition.ticket_rules.failed_subtract else 0
        with Database([run]) as games:
            seats = games.frame(SEATS.format(tie_breaks="".join(tie_breaks)))
            tickets = games.frame(TICKETS.format(failed=failed))
        self.scores = seats["score"].to_numpy(np.int64).reshape(-1, players)
        self.tie_breaks = [
            seats[f"tie_break_{name}"].to_numpy(np.int64).reshape(-1, players) for name in edition.tie_breaks
        ]
        numbers = seats["game"].to_numpy()[::players]  # with gaps where a part is missing
        tickets["place"] = np.searchsorted(numbers, tickets["game"]) * players + tickets["seat"]
        kept, dealt = tickets[tickets["kept"]], tickets[tickets["dealt"]]
        self.kept_place, self.kept_ticket, self.kept_sign = (
            kept[name].to_numpy(np.int64) for name in ("place", "ticket", "sign")
        )
        self.dealt_place, self.dealt_ticket = (dealt[name].to_numpy(np.int64) for name in ("place", "ticket"))
        # A stratum is a seat, and where mixes are announced the number of tickets dealt to it from each deck.
        self.strata = np.arange(self.scores.size) % players
        if edition.ticket_rules.mix:
            deck = np.array([ticket.deck for ticket in edition.tickets])[self.dealt_ticket]
            counts = np.zeros((self.scores.size, len(edition.decks)), np.int64)
            np.add.at(counts, (self.dealt_place, deck), 1)
            groups = np.column_stack([self.strata, counts])
            self.strata = np.unique(groups, axis=0, return_inverse=True)[1].ravel()

    def wins(self, more: np.ndarray) -> Floats:
        """Share of the win by place when each ticket counts so many points more."""
        change = self.kept_sign * more[self.kept_ticket]
        added = np.bincount(self.kept_place, change, self.scores.size).astype(np.int64)
        # Only tickets move scores here, so bonuses and routes stay as they were.
        scores = self.scores + added.reshape(self.scores.shape)
        first = scores == scores.max(axis=1, keepdims=True)
        for key in self.tie_breaks:
            best = np.where(first, key, -1).max(axis=1, keepdims=True)
            first &= key == best
        return np.asarray(first / first.sum(axis=1, keepdims=True), np.float64).ravel()

    def effects(self, more: np.ndarray) -> Floats:
        """Sum the residual wins of all seats that were dealt each ticket."""
        wins = self.wins(more)
        baseline = np.bincount(self.strata, wins) / np.maximum(np.bincount(self.strata), 1)
        residual = (wins - baseline[self.strata])[self.dealt_place]
        return np.bincount(self.dealt_ticket, residual, len(more)).astype(np.float64)


class Rescoring:
    """The games of one board at all its player counts, scored with other points."""

    def __init__(self, runs: Sequence[Run]) -> None:
        edition = runs[0].edition
        self.games = [ScoredGames(run) for run in runs]
        self.printed = np.array([ticket.points for ticket in edition.tickets])
        self.dealt = sum(np.bincount(games.dealt_ticket, minlength=len(self.printed)) for games in self.games)
        facts = ticket_facts(edition)
        self.trains = facts["trains"].to_numpy(float)
        # Classes of the printed points: one that jumps with a single point would look like an effect of that point.
        self._classes = facts.groupby(["class", "deck"]).ngroup().to_numpy(np.int64)

    def excess(self, points: Sequence[int] | np.ndarray) -> Floats:
        """Wins that each ticket gives beyond its class, as shares, when the tickets count these points."""
        more = np.asarray(points) - self.printed
        effects = np.sum([games.effects(more) for games in self.games], axis=0)
        of_class = np.bincount(self._classes, effects)
        dealt_of_class = np.bincount(self._classes, self.dealt)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(effects / self.dealt - (of_class / dealt_of_class)[self._classes])


@dataclass(frozen=True)
class ProposedPoints:
    """Points of all tickets, the excess predicted for them, and tickets that need more than re-scoring."""

    points: list[int]
    expected: Floats
    hopeless: frozenset[int]
    trials: frozenset[int]


class PointsFinder:
    """Find points predicted to bring tickets within the margin, from those that they have now."""

    def __init__(
        self,
        original: Edition,
        rescoring: Rescoring,
        measured: Floats,
        now: list[int],
        margin: float,
        slopes: Floats | float = 1.0,
    ) -> None:
        self.original, self.rescoring, self.now, self.margin = original, rescoring, now, margin
        self.measured = measured  # excess of each ticket, from as many games as there are
        self.rescored = rescoring.excess(now)  # the same from the games that are re-scored
        self.slopes = np.broadcast_to(slopes, self.rescored.shape)

    def propose(self, rows: Collection[int], tried: Collection[int] = ()) -> ProposedPoints:
        """Propose points of these tickets, trial points of stingy ones only once."""
        chosen, most = list(self.now), max(ticket.points for ticket in self.original.tickets)
        for _ in range(PASSES):
            hopeless, trials = set[int](), set[int]()
            for row in sorted(rows, key=lambda row: (-abs(self.measured[row]), row)):
                best, excess = self.best(chosen, row)
                if abs(excess) > self.margin:
                    best = now = self.now[row]
                    # With more points a ticket may be kept that hardly ever was, which no log shows.
                    if self.measured[row] <= 0 and row not in tried:
                        best = max(now, min(max(now + TRIAL, int(np.nan_to_num(self.rescoring.trains[row]))), most))
                    (hopeless if best == now else trials).add(row)
                chosen[row] = best
        return ProposedPoints(chosen, self.rescoring.excess(chosen), frozenset(hopeless), frozenset(trials))

    def best(self, chosen: list[int], row: int) -> tuple[int, float]:
        """Find the best points of a ticket and the excess predicted with them, within the span of the edition.

        That is the first value that is well within the margin, or within it and equal to the trains of the shortest
        path; else the one predicted nearest to 0.
        """
        # Points that no ticket of the edition has would look odd on a card.
        span = [ticket.points for ticket in self.original.tickets]
        best, least = chosen[row], self._predict(chosen, row, chosen[row])
        step = -1 if least > 0 else 1
        end = max(min(span), 1) - 1 if step < 0 else max(span) + 1
        for value in range(chosen[row], end, step):
            excess = self._predict(chosen, row, value)
            if abs(excess) < abs(least):
                best, least = value, excess
            near = self.margin if value == self.rescoring.trains[row] else AIM * self.margin
            if abs(excess) <= near or excess * step > 0:
                break
        return best, least

    def _predict(self, chosen: list[int], row: int, value: int) -> float:
        excess = self.rescoring.excess([*chosen[:row], value, *chosen[row + 1 :]])[row]
        return float(self.measured[row] + self.slopes[row] * (excess - self.rescored[row]))


def with_remedies(analysis: Analysis) -> Analysis:
    """Add a remedy to each finding that names mispriced tickets."""
    value = analysis.tables["ticket_value"]
    # A race has no points to move.
    if analysis.edition.is_race or not any(finding.rule in REMEDIES for finding in analysis.findings):
        return analysis
    together = value[value["players"] == value["players"].min()].sort_values("ticket")
    runs = [open_run(run.path, analysis.edition) for run in analysis.main_runs]
    rescoring = Rescoring([run.first_parts(MOST_GAMES) for run in runs])
    printed = [int(points) for points in rescoring.printed]
    finder = PointsFinder(analysis.edition, rescoring, together["excess"].to_numpy(float), printed, SLIGHT)
    findings = list(analysis.findings)
    for place, finding in enumerate(analysis.findings):
        if finding.rule in REMEDIES and finding.row is not None:
            rows = together[together["verdict"] == REMEDIES[finding.rule]]
            depends = rows["holds"] == DEPENDS
            rows = rows[depends == depends[finding.row]]
            named = ranked(rows.assign(size=rows["excess"].abs()), "size")[:MOST_NAMED]
            findings[place] = replace(finding, sentence=f"{finding.sentence} {_remedy(finder, named)}")
    return replace(analysis, findings=tuple(findings))


def _remedy(finder: PointsFinder, tickets: pd.DataFrame) -> str:
    """Name the points that bring each ticket close to its class, and tickets that no points do."""
    fixed, beyond = [], []
    for _, row in tickets.iterrows():
        ticket = int(row["ticket"])
        points, excess = finder.best(finder.now, ticket)
        if abs(excess) > SLIGHT:
            beyond.append(ends(row))
        else:
            fixed.append(f"{ends(row)} about {points} instead of {finder.now[ticket]}")
    predicted = "Predicted by scoring these games again:"
    sentences = [f"{predicted} {listed(fixed)}."] if fixed else []
    if beyond:
        sentences.append(f"{'By the same prediction,' if fixed else predicted} no points would mend {listed(beyond)}.")
    again = command_line("balance", as_typed(finder.original))
    return f"{' '.join(sentences)} To prove it on fresh games: {again}"
