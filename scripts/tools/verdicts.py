"""Play the verdicts on the official boards again with a bot that searches in every seat, and write how far they agree
with the planner's into docs/people.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from scripts.tools.checkout import ROOT
from scripts.tools.command import ttr_sim
from scripts.tools.written_page import page_with
from ttr_sim.analysis import analyze
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.edition import load_edition, official_names

PAGE = ROOT / "docs" / "people.md"
BEGIN = "<!-- made by: scripts/verdicts -->\n"
PLANNER, SEARCH = "planner", "search:budget=50"
PLAYERS, SEED = 2, 1
PLANNER_GAMES, SEARCH_GAMES = 20_000, 3_000
HEADINGS = (
    "edition",
    "games of the planner, of search",
    "first player's wins in 100, planner",
    "search",
    "tickets that help or hurt (planner)",
    "same sign with search",
    "surely of the other sign",
    "surely another size",
    "correlation of all tickets",
)


def line(name: str, games: int) -> str:
    """Play both on the same deals and return the edition's line."""
    with tempfile.TemporaryDirectory() as folder:
        planner = _analysis(name, PLANNER, PLANNER_GAMES, Path(folder) / "planner")
        search = _analysis(name, SEARCH, games, Path(folder) / "search")
    both = [f"{analysis.runs[0].games:,}" for analysis in (planner, search)]
    cells = [load_edition(name).title, ", ".join(both), _first(planner), _first(search)]
    cells += agreement(planner.tables["ticket_value"], search.tables["ticket_value"])
    return f"| {' | '.join(cells)} |"


def agreement(planner: pd.DataFrame, search: pd.DataFrame) -> list[str]:
    """Return, of the tickets whose effect on wins is surely not 0 among planners, how many keep their sign, and how
    many are surely otherwise among searchers: beyond 0, or with intervals apart."""
    both = planner.merge(search, on="ticket", suffixes=("", "_search"))
    sure = both[(both["win_effect_low"] > 0) | (both["win_effect_high"] < 0)]
    same = (sure["win_effect"] > 0) == (sure["win_effect_search"] > 0)
    surely = (sure["win_effect_low_search"] > 0) | (sure["win_effect_high_search"] < 0)
    apart = (sure["win_effect_low_search"] > sure["win_effect_high"]) | (
        sure["win_effect_high_search"] < sure["win_effect_low"]
    )
    correlation = both["win_effect"].corr(both["win_effect_search"])
    of = f"of {len(sure)}"
    return [
        f"{len(sure)} of {len(both)}",
        f"{same.sum()} {of}",
        f"{(surely & ~same).sum()} {of}",
        f"{apart.sum()} {of}",
        f"{correlation:.2f}",
    ]


def _analysis(name: str, bot: str, games: int, folder: Path) -> Analysis:
    words = ["--players", str(PLAYERS), "--bots", bot, "--games", str(games), "--seed", str(SEED)]
    ttr_sim("run", name, *words, "--log", "results", "--out", str(folder), "-q")
    return analyze([folder])


def _first(analysis: Analysis) -> str:
    seats = analysis.tables["seats"]
    row = seats[seats["seat"] == 0].iloc[0]
    share, low, high = (100 * row[column] for column in ("win_share", "win_share_low", "win_share_high"))
    return f"{share:.1f} ({low:.1f} to {high:.1f})"


def table(names: list[str], games: int) -> Iterator[str]:
    yield f"| {' | '.join(HEADINGS)} |"
    yield "| --- |" + " --- |" * (len(HEADINGS) - 1)
    for name in names:
        yield line(name, games)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/verdicts", description=__doc__)
    parser.add_argument("editions", nargs="*", default=official_names(), metavar="EDITION")
    parser.add_argument("--games", type=int, default=SEARCH_GAMES, help=f"of search, by default {SEARCH_GAMES}")
    wish = parser.parse_args(words)
    command = f"scripts/verdicts {' '.join(wish.editions)} --games {wish.games}"
    lines: list[str] = []
    for row in table(wish.editions, wish.games):
        lines.append(row)
        print(row, flush=True)
        made = "\n".join(lines) + f"\n\nMade by `{command}`: two players, seed {SEED}.\n"
        PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), made, BEGIN), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
