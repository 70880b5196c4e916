"""Re-score logged games with other ticket points.

Exact for the games as they were played: scores, tie-breaks and shared wins follow the edition's rules. Players do
react to new points, mostly in the same direction, so this is a prediction; playing the board again gives the truth.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.tickets import ticket_facts
from ttr_sim.edition.model import Edition
from ttr_sim.run.read import Run

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
        self.strata = self._strata(edition, players)

    def _strata(self, edition: Edition, players: int) -> np.ndarray:
        """Number strata by seat and dealt decks."""
        seat = np.arange(self.scores.size) % players
        if not edition.ticket_rules.mix:
            return seat
        deck = np.array([ticket.deck for ticket in edition.tickets])[self.dealt_ticket]
        counts = np.zeros((seat.size, len(edition.decks)), np.int64)
        np.add.at(counts, (self.dealt_place, deck), 1)
        return np.unique(np.column_stack([seat, counts]), axis=0, return_inverse=True)[1].ravel()

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
        names = facts["class"].to_numpy(object) + facts["deck"].to_numpy(object)
        self._classes = np.unique(names.astype(str), return_inverse=True)[1]

    def excess(self, points: Sequence[int] | np.ndarray) -> Floats:
        """Wins that each ticket gives beyond its class, as shares, when the tickets count these points."""
        more = np.asarray(points) - self.printed
        effects = np.sum([games.effects(more) for games in self.games], axis=0)
        of_class = np.bincount(self._classes, effects)
        dealt_of_class = np.bincount(self._classes, self.dealt)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(effects / self.dealt - (of_class / dealt_of_class)[self._classes])
