"""Play the verdicts on the official boards again with a bot that searches in every seat, and write how far they agree
with the planner's into docs/people.md.

What was found is kept in ttr_sim/analysis/stronger/verdicts.csv, from which reports read it. The runs are kept, too, so
that a call with more games goes on from them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from scripts.tools.checkout import ROOT
from scripts.tools.command import play_on
from scripts.tools.written_page import page_with
from ttr_sim.analysis import analyze
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.stronger.opinions import (
    FIRST_PLAYER,
    OTHER,
    PLANNER,
    TICKET,
    opinions_on,
    read_opinions,
    side_by_side,
    write_opinions,
)
from ttr_sim.edition import load_edition, official_names

PAGE = ROOT / "docs" / "people.md"
BEGIN = "<!-- made by: scripts/verdicts -->\n"
SEARCH = "search:budget=50"
PLAYERS, SEED = 2, 1
PLANNER_GAMES, SEARCH_GAMES = 20_000, 3_000
RUNS = ROOT / "runs" / "verdicts"
HEADINGS = (
    "edition",
    "games of the planner, of search",
    "first player's wins in 100, planner",
    "search",
    "tickets that help or hurt (planner)",
    "same sign with search",
    "surely of the other sign",
    "correlation of all tickets",
    "surely otherwise, corrected",
)


def opinions(name: str, games: int, runs: Path) -> pd.DataFrame:
    """Play both on the same deals and return their numbers side by side."""
    planner = _analysis(name, "planner", PLANNER_GAMES, runs / f"{name}-planner")
    search = _analysis(name, SEARCH, games, runs / f"{name}-search")
    return side_by_side(planner.tables, search.tables).assign(
        edition=name,
        fingerprint=planner.edition.fingerprint,
        players=PLAYERS,
        bot=SEARCH,
        planner_games=planner.runs[0].games,
        games=search.runs[0].games,
    )


def _analysis(name: str, bot: str, games: int, folder: Path) -> Analysis:
    return analyze([play_on(folder, name, bot, PLAYERS, games, SEED, "--log", "results")], in_brief=True)


def table(known: pd.DataFrame) -> Iterator[str]:
    yield f"| {' | '.join(HEADINGS)} |"
    yield "| --- |" + " --- |" * (len(HEADINGS) - 1)
    for name in official_names():
        here = known[known["edition"] == name]
        if len(here):
            yield _line(name, here)
    yield f"\nMade by `scripts/verdicts`: {known['players'].iloc[0]} players, seed {SEED}."


def _line(name: str, here: pd.DataFrame) -> str:
    first = here[here["measure"] == FIRST_PLAYER].iloc[0]
    counts = f"{first['planner_games']:,}, {first['games']:,}"
    shares = [_percent(first, PLANNER), _percent(first, OTHER)]
    judged = opinions_on(first["fingerprint"])
    cells = [load_edition(name).title, counts, *shares, *agreement(here[here["measure"] == TICKET])]
    return f"| {' | '.join(cells)} | {judged['is_other'].sum()} of {len(judged)} |"


def agreement(tickets: pd.DataFrame) -> list[str]:
    """Return, of the tickets whose effect on wins is surely not 0 among planners, how many keep their sign, and how
    many are surely beyond 0 on the other side among searchers; and the correlation."""
    sure = tickets[(tickets["planner_low"] > 0) | (tickets["planner_high"] < 0)]
    same = (sure[PLANNER] > 0) == (sure[OTHER] > 0)
    surely = (sure["other_low"] > 0) | (sure["other_high"] < 0)
    of = f"of {len(sure)}"
    correlation = tickets[PLANNER].corr(tickets[OTHER])
    return [
        f"{len(sure)} of {len(tickets)}",
        f"{same.sum()} {of}",
        f"{(surely & ~same).sum()} {of}",
        f"{correlation:.2f}",
    ]


def _percent(row: pd.Series, side: str) -> str:
    share, low, high = (100 * row[column] for column in (side, f"{side}_low", f"{side}_high"))
    return f"{share:.1f} ({low:.1f} to {high:.1f})"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/verdicts", description=__doc__)
    parser.add_argument("editions", nargs="*", default=official_names(), metavar="EDITION")
    parser.add_argument("--games", type=int, default=SEARCH_GAMES, help=f"of search, by default {SEARCH_GAMES}")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where the runs are kept, by default runs/verdicts")
    wish = parser.parse_args(words)
    for name in wish.editions:
        found, known = opinions(name, wish.games, wish.runs), read_opinions()
        write_opinions(pd.concat([known[known["edition"] != name], found], ignore_index=True))
        _write_page()
    return 0


def _write_page() -> None:
    made = "\n".join(table(read_opinions())) + "\n"
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), made, BEGIN), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
