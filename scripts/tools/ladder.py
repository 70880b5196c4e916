"""Play each rung of the ladder of skill among bots of the rung below, and write the tables in docs/bots.md.

With --search, the rungs above: those that search. What was played is kept in ttr_sim/analysis/stronger/ladder.csv,
from which reports read it: a call plays what is missing to the number of deals it names. Each line's first deal is
played again, and a line whose first deal ends otherwise now is played anew: its bots have changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.tools.bench.bots import play_among, player_counts
from scripts.tools.checkout import ROOT
from scripts.tools.written_page import page_with
from ttr_sim.analysis.stronger.rungs import (
    ALL_STEPS,
    FILE,
    SEARCH_STEPS,
    Climb,
    is_search,
    read_climbs,
    write_climbs,
)
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.run.fields import STEPS

PAGE = ROOT / "docs" / "bots.md"
BEGIN = "<!-- made by: scripts/ladder -->\n"
BEGIN_SEARCH = "<!-- made by: scripts/ladder --search -->\n"
BLOCKS, SEARCH_BLOCKS = 200, 60
AT_ONCE = 10  # deals of a bot that searches, which then are kept
SEED = 2  # what the search's values were chosen on are deals of seed 1
TABLES_OF_SEARCH = [(name, 2) for name in official_names()] + [("usa", 4)]


@dataclass(frozen=True, slots=True)
class Step:
    """One bot among others at a table."""

    edition: str
    players: int
    bot: str
    others: str

    def is_of(self, climb: Climb) -> bool:
        known = (climb.edition, climb.fingerprint, climb.players, climb.bot, climb.others, climb.seed)
        return known == (self.edition, self.fingerprint, self.players, self.bot, self.others, SEED)

    @property
    def fingerprint(self) -> str:
        return _edition(self.edition).fingerprint

    def play(self, deals: range) -> Climb:
        played = play_among(self.edition, self.players, self.bot, self.others, deals, SEED)
        first = " ".join("/".join(str(score) for score in scores) for scores in played.scores[: self.players])
        table = (self.edition, self.fingerprint, self.players, self.bot, self.others, SEED)
        return Climb(*table, played.seconds, first, tuple(played.wins.tolist()))


def steps(search: bool, editions: Sequence[str], bots: Sequence[str]) -> Iterator[Step]:
    """Yield the steps of these boards, with these bots if any are named."""
    tables = TABLES_OF_SEARCH if search else [(name, n) for name in official_names() for n in player_counts(name)]
    for bot, others in SEARCH_STEPS if search else STEPS:
        for name, players in tables:
            if name in editions and (not bots or bot in bots):
                yield Step(name, players, bot, others)


def climb(step: Step, known: Climb | None, deals: int) -> Iterator[Climb]:
    """Yield what is known of a step, then more and more of it, until it has so many deals."""
    first = step.play(range(1))
    found = known if known and known.first == first.first else first
    yield found
    at_once = AT_ONCE if is_search(step.bot) else deals
    while len(found.wins) < deals:
        begun = len(found.wins)
        found = found.followed_by(step.play(range(begun, min(begun + at_once, deals))))
        yield found


def play(wanted: Iterable[Step], deals: int, path: Path, tell: Callable[[Climb], None]) -> None:
    """Play what is missing and keep it, some deals at a time."""
    climbs = read_climbs(path) if path.is_file() else []
    for step in wanted:
        known = next((climb for climb in climbs if step.is_of(climb)), None)
        for found in climb(step, known, deals):
            climbs = [found if step.is_of(other) else other for other in climbs]
            if not any(step.is_of(other) for other in climbs):
                climbs.append(found)
            write_climbs(sorted(climbs, key=_place), path)
        tell(found)


def _place(climb: Climb) -> tuple[int, int, int]:
    return ALL_STEPS.index((climb.bot, climb.others)), official_names().index(climb.edition), climb.players


def table(climbs: Sequence[Climb]) -> Iterator[str]:
    """Yield a line for each number of players on each edition: the win share of each rung and its interval."""
    yield "| edition, players (fair share) | " + " | ".join(f"{upper} among {lower}" for upper, lower in STEPS) + " |"
    yield "| --- |" + " --- |" * len(STEPS)
    for name in official_names():
        for players in player_counts(name):
            here = {(c.bot, c.others): c for c in climbs if (c.edition, c.players) == (name, players)}
            cells = [_share(here[step]) if step in here else "" for step in STEPS]
            yield f"| {_at(name, players)} | {' | '.join(cells)} |"
    yield f"\n{_deals(climb for climb in climbs if not is_search(climb.bot))}, by `scripts/ladder`."


def search_table(climbs: Sequence[Climb]) -> Iterator[str]:
    """Yield the lines of the searching rungs: who among whom, how many games, the win share and how fast."""
    yield "| edition, players (fair share) | bot | among | games | wins in 100 | games a second |"
    yield "| --- |" + " --- |" * 5
    for found in filter(lambda climb: is_search(climb.bot) and climb.is_shown, climbs):
        cells = [found.bot, found.others, str(found.games), _share(found), f"{found.games_per_second:.2f}"]
        yield f"| {_at(found.edition, found.players)} | {' | '.join(cells)} |"
    yield "\nMade by `scripts/ladder --search`."


def _deals(climbs: Iterable[Climb]) -> str:
    counts = sorted({len(climb.wins) for climb in climbs})
    return f"Made of {' to '.join(f'{count:,}' for count in dict.fromkeys((counts[0], counts[-1])))} deals each"


@cache
def _edition(name: str) -> Edition:
    return load_edition(name)


def _at(name: str, players: int) -> str:
    return f"{_edition(name).title}, {players} ({100 / players:.1f})"


def _share(climb: Climb) -> str:
    share, low, high = (100.0 * part for part in climb.share())
    return f"{share:.1f} ({low:.1f} to {high:.1f})"


def write_tables(path: Path = FILE) -> None:
    """Write both tables of the page from what is kept."""
    climbs, page = read_climbs(path), PAGE.read_text(encoding="utf-8")
    for begin, lines in ((BEGIN, table(climbs)), (BEGIN_SEARCH, search_table(climbs))):
        page = page_with(page, "\n".join(lines) + "\n", begin)
    PAGE.write_text(page, encoding="utf-8")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/ladder", description=__doc__)
    parser.add_argument("editions", nargs="*", metavar="EDITION", default=official_names())
    deals = f"deals, each with the bot in every seat: {BLOCKS}, or {SEARCH_BLOCKS} with --search"
    parser.add_argument("--blocks", type=int, help=deals)
    parser.add_argument("--bot", action="append", default=[], help="only steps of this bot")
    parser.add_argument("--search", action="store_true", help="play the rungs that search")
    wish = parser.parse_args(words)
    deals_wanted = wish.blocks or (SEARCH_BLOCKS if wish.search else BLOCKS)
    play(steps(wish.search, wish.editions, wish.bot), deals_wanted, FILE, _tell)
    write_tables()
    return 0


def _tell(climb: Climb) -> None:
    print(f"{_at(climb.edition, climb.players)}: {climb.bot} among {climb.others} {_share(climb)}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
