"""Play each rung of the ladder of skill among bots of the rung below, and write the table in docs/bots.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator

from scripts.tools.bench.bots import among, player_counts
from scripts.tools.checkout import ROOT
from scripts.tools.written_page import page_with
from ttr_sim.edition import load_edition, official_names
from ttr_sim.run.fields import STEPS

PAGE = ROOT / "docs" / "bots.md"
BEGIN = "<!-- made by: scripts/ladder -->\n"
BLOCKS = 400


def table(names: Iterable[str], blocks: int) -> Iterator[str]:
    """Yield a line for each number of players on each edition: the win share of each rung and its interval."""
    yield "| edition, players (fair share) | " + " | ".join(f"{upper} among {lower}" for upper, lower in STEPS) + " |"
    yield "| --- |" + " --- |" * len(STEPS)
    for name in names:
        for players in player_counts(name):
            cells = [_cell(name, players, upper, lower, blocks) for upper, lower in STEPS]
            yield f"| {load_edition(name).title}, {players} ({100 / players:.1f}) | " + " | ".join(cells) + " |"


def _cell(name: str, players: int, bot: str, others: str, blocks: int) -> str:
    row = among(name, players, bot, others, blocks)
    share, low, high = (100.0 * float(row[key]) for key in ("win_share", "low", "high"))
    return f"{share:.1f} ({low:.1f} to {high:.1f})"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/ladder", description=__doc__)
    parser.add_argument("--blocks", type=int, default=BLOCKS, help=f"deals, each with the bot in every seat: {BLOCKS}")
    wish = parser.parse_args(words)
    page = PAGE.read_text(encoding="utf-8")
    page_with(page, "", BEGIN)
    made = "\n".join(table(official_names(), wish.blocks)) + f"\n\nMade by `scripts/ladder --blocks {wish.blocks}`.\n"
    PAGE.write_text(page_with(page, made, BEGIN), encoding="utf-8")
    print(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
