"""Play each rung of the ladder of skill among bots of the rung below, and write the table in docs/bots.md.

With --search, the rungs above: those that search. They are slow, so each line is written as soon as it is played.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator

from scripts.tools.bench.bots import among, player_counts
from scripts.tools.bench.measure import Row
from scripts.tools.checkout import ROOT
from scripts.tools.written_page import page_with
from ttr_sim.edition import load_edition, official_names
from ttr_sim.run.fields import STEPS

PAGE = ROOT / "docs" / "bots.md"
BEGIN = "<!-- made by: scripts/ladder -->\n"
BEGIN_SEARCH = "<!-- made by: scripts/ladder --search -->\n"
BLOCKS, SEARCH_BLOCKS = 400, 40
SEARCH_STEPS = (
    ("usa", 2, "search:budget=50", "planner"),
    ("first_journey", 2, "search:budget=50", "planner"),
    ("amsterdam", 2, "search:budget=50", "planner"),
    ("europe", 2, "search:budget=50", "planner"),
    ("usa", 2, "search:budget=200", "planner"),
    ("germany", 2, "search:budget=50", "planner"),
    ("usa", 4, "search:budget=50", "planner"),
    ("usa", 2, "search:budget=200", "search:budget=50"),
    ("usa", 4, "search:budget=200", "planner"),
    ("usa", 2, "search:budget=800", "search:budget=200"),
)


def table(names: Iterable[str], blocks: int) -> Iterator[str]:
    """Yield a line for each number of players on each edition: the win share of each rung and its interval."""
    yield "| edition, players (fair share) | " + " | ".join(f"{upper} among {lower}" for upper, lower in STEPS) + " |"
    yield "| --- |" + " --- |" * len(STEPS)
    for name in names:
        for players in player_counts(name):
            cells = [_cell(name, players, upper, lower, blocks) for upper, lower in STEPS]
            yield f"| {load_edition(name).title}, {players} ({100 / players:.1f}) | " + " | ".join(cells) + " |"


def search_lines(steps: Iterable[tuple[str, int, str, str]], blocks: int) -> Iterator[str]:
    """Yield the lines of the searching rungs: who among whom, how many games, the win share and how fast."""
    yield "| edition, players (fair share) | bot | among | games | wins in 100 | games a second |"
    yield "| --- |" + " --- |" * 5
    for name, players, bot, others in steps:
        row = among(name, players, bot, others, blocks)
        cells = [bot, others, str(blocks * players), _share(row), f"{row['games_per_second']:.2f}"]
        yield f"| {load_edition(name).title}, {players} ({100 / players:.1f}) | " + " | ".join(cells) + " |"


def _cell(name: str, players: int, bot: str, others: str, blocks: int) -> str:
    return _share(among(name, players, bot, others, blocks))


def _share(row: Row) -> str:
    share, low, high = (100.0 * float(row[key]) for key in ("win_share", "low", "high"))
    return f"{share:.1f} ({low:.1f} to {high:.1f})"


def write_search(blocks: int) -> None:
    """Play the searching rungs and write each line as it is played."""
    lines: list[str] = []
    for line in search_lines(SEARCH_STEPS, blocks):
        lines.append(line)
        print(line, flush=True)
        made = "\n".join(lines) + f"\n\nMade by `scripts/ladder --search --blocks {blocks}`.\n"
        PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), made, BEGIN_SEARCH), encoding="utf-8")


def write_ladder(blocks: int) -> None:
    page = PAGE.read_text(encoding="utf-8")
    page_with(page, "", BEGIN)
    made = "\n".join(table(official_names(), blocks)) + f"\n\nMade by `scripts/ladder --blocks {blocks}`.\n"
    PAGE.write_text(page_with(page, made, BEGIN), encoding="utf-8")
    print(made)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/ladder", description=__doc__)
    deals = f"deals, each with the bot in every seat: {BLOCKS}, or {SEARCH_BLOCKS} with --search"
    parser.add_argument("--blocks", type=int, help=deals)
    parser.add_argument("--search", action="store_true", help="play the rungs that search")
    wish = parser.parse_args(words)
    if wish.search:
        write_search(wish.blocks or SEARCH_BLOCKS)
    else:
        write_ladder(wish.blocks or BLOCKS)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
