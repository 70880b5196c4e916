"""Games to watch, as pages beside a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.analysis.watch import CLOSEST, COMEBACK, MOST_BLOCKED, SEARCHED, TYPICAL, GameToWatch
from ttr_sim.edition.model import Edition
from ttr_sim.report.columns import in_words
from ttr_sim.report.numbers import players_words

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.findings import Finding

FOLDER = "games"
Filmer = Callable[[Sequence[tuple[GameToWatch, Path]], Edition], None]  # follows games and writes the page of each
OF_RULES = {  # the game that shows what a finding is about
    "turn_order": TYPICAL,
    "contested_connection": MOST_BLOCKED,
    "denied_route": MOST_BLOCKED,
    "hidden_winner": COMEBACK,
    "early_decision": TYPICAL,
    "shared_wins": CLOSEST,
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A game to watch, with the words and the address of its page."""

    watched: GameToWatch
    words: str
    address: str


def write_films(games: Sequence[GameToWatch], edition: Edition, folder: Path, film: Filmer) -> list[Shown]:
    """Write the page of each game."""
    shown = [_shown(watched) for watched in games]
    if shown:
        (folder / FOLDER).mkdir()
        film([(game.watched, folder / game.address) for game in shown], edition)
    return shown


def _shown(watched: GameToWatch) -> Shown:
    words = watched.words or in_words("kind", watched.kind)
    name = f"{watched.kind.replace('_', '-')}-{watched.players}p-{watched.game}.html"
    return Shown(watched, f"{players_words(watched.players)}, {words}", f"{FOLDER}/{name}")


def searched(analysis: Analysis) -> str:
    """Return among which games the extremes were sought."""
    most = max((run.games for run in analysis.main_runs), default=0)
    return f"the first {SEARCHED:,}" if most > SEARCHED else "all"


def film_of_finding(finding: Finding, shown: Sequence[Shown], oddity: str) -> str:
    """Return the address of the game that shows what a finding says, with as many players as it speaks of; `oddity` is
    the kind it is about."""
    kind = oddity or OF_RULES.get(finding.rule, "")
    fitting = (game for game in shown if game.watched.kind == kind and game.watched.players in finding.players)
    return next((game.address for game in fitting), "")
