"""Games worth watching: a typical one, the extremes, and examples of oddities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.targets import MISSED
from ttr_sim.analysis.text import ranked
from ttr_sim.run.read import Run, open_run

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

MOST = 12
SEARCHED = 2_000  # games of a run among which the extremes are sought
GAMES = f"""
SELECT game, turns, margin, bit_count(winners) AS winners FROM games WHERE game < {SEARCHED} ORDER BY game"""
# How far the winner was once behind the best public score until then.
COMEBACKS = f"""
SELECT game, max(behind) AS behind FROM (
    SELECT game, seat, max(score) OVER (PARTITION BY game ORDER BY turn) - score AS behind
    FROM turns WHERE game < {SEARCHED}
) JOIN seats USING (game, seat) WHERE rank = 1 GROUP BY ALL ORDER BY game"""
BLOCKED = f"""
SELECT game, count(*) AS blocked FROM claim WHERE game < {SEARCHED} AND claimed AND rivals > 0
GROUP BY ALL ORDER BY game"""
KEPT = f"""
SELECT ticket, game, completed FROM tickets WHERE turn = -1 AND kept AND game < {SEARCHED} ORDER BY game"""
MOST_TICKETS = 3  # missed ones, each with a game of its own
TYPICAL, CLOSEST, COMEBACK, LONGEST, MOST_BLOCKED = "typical", "closest", "comeback", "longest", "blocked"
BLOCKED_WORDS = "the most blocked: {blocked} routes were taken that a rival wanted"


@dataclass(frozen=True, slots=True)
class GameToWatch:
    """A game with a reason to watch it: `kind` is one of the above, `ticket N`, or an oddity."""

    kind: str
    words: str
    players: int
    run: Path
    game: int


def games_to_watch(analysis: Analysis) -> list[GameToWatch]:
    """Choose up to twelve games, none twice, of runs with turns."""
    runs = [open_run(run.path, analysis.edition) for run in analysis.main_runs]
    without_turns = {run.plan.players for run in runs if "turns" not in run.plan.tables}
    first_of_count = {run.plan.players: run for run in reversed(runs) if run.plan.players not in without_turns}
    searched = [first_of_count[players] for players in sorted(first_of_count)]
    if not searched:
        return []
    # Candidates for each kind of game, the best first.
    candidates, typical = [], []
    main = searched[len(searched) // 2]
    for run in searched:
        with Database([run.first_parts(SEARCHED)]) as database:
            games = database.frame(GAMES)
            numbers = games[["turns", "margin"]].astype(float)
            spread = (numbers.quantile(0.75) - numbers.quantile(0.25)).clip(lower=1.0)
            games = games.assign(far=((numbers - numbers.median()).abs() / spread).sum(axis=1))
            nearest = _ranked(run, games, TYPICAL, "far", "a typical game", ascending=True)
            if run is not main:
                typical.append(nearest)
                continue
            close = games[(games["winners"] == 1) & (games["margin"] > 0)]
            behind, blocked = database.frame(COMEBACKS), database.frame(BLOCKED)
            candidates = [
                nearest,
                _ranked(run, close, CLOSEST, "margin", "the closest: won by {margin}", ascending=True),
                _ranked(run, behind, COMEBACK, "behind", "the largest comeback: the winner was {behind} behind"),
                _ranked(run, games, LONGEST, "turns", "the longest: {turns} turns"),
                _ranked(run, blocked, MOST_BLOCKED, "blocked", BLOCKED_WORDS),
            ]
            kept = database.frame(KEPT)
            missed = [target for target in analysis.verdict.of_state(MISSED) if target.ticket is not None]
            for target in missed[:MOST_TICKETS]:
                # A generous ticket is best seen completed, a stingy one failed.
                own = kept[kept["ticket"] == target.row].sort_values(
                    ["completed", "game"], ascending=[target.value < 0, True]
                )
                ticket, of_ticket = analysis.edition.tickets[target.row or 0], []
                for record in own[:MOST].to_dict("records"):
                    words = f"{ticket.a}–{ticket.b} is {'completed' if record['completed'] else 'failed'}"
                    kind = f"ticket {target.row}"
                    of_ticket.append(GameToWatch(kind, words, run.plan.players, run.path, record["game"]))
                candidates.append(of_ticket)
    chosen: dict[tuple[Path, int], GameToWatch] = {}
    oddities = analysis.tables["oddities"]
    seen = oddities[(oddities["games"] > 0) & (oddities["examples"] != "")]
    notable = [finding.row for finding in analysis.findings if finding.table == "oddities" and finding.notable]
    of_findings = seen[seen.index.isin(notable)]
    rarest = ranked(seen[~seen["kind"].isin(of_findings["kind"])], "share", ascending=True).drop_duplicates("kind")
    for row in [*of_findings.to_dict("records"), *rarest.to_dict("records")]:
        kind, players, folder = str(row["kind"]), int(row["players"]), Path(str(row["run"]))
        candidates.append([GameToWatch(kind, "", players, folder, int(game)) for game in row["examples"].split(",")])
    for games_of_kind in (*candidates, *typical):
        watched = next((game for game in games_of_kind if (game.run, game.game) not in chosen), None)
        if watched:
            chosen[watched.run, watched.game] = watched
    return list(chosen.values())[:MOST]


def _ranked(
    run: Run, games: pd.DataFrame, kind: str, column: str, words: str, ascending: bool = False
) -> list[GameToWatch]:
    first = ranked(games, column, ascending=ascending)[:MOST]
    rows = [{str(name): int(value) for name, value in row.items()} for row in first.to_dict("records")]
    return [GameToWatch(kind, words.format(**row), run.plan.players, run.path, row["game"]) for row in rows]
