"""Measure on held-out deals whether the model of the chance to win is right; write the table in docs/statistics.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import ttr_sim
from scripts.tools.checkout import ROOT
from scripts.tools.written_page import page_with
from ttr_sim.analysis.chances.courses import CourseReader
from ttr_sim.analysis.chances.sample import GAMES_TOGETHER, LEARNED_GAMES, apply_model, learn
from ttr_sim.analysis.chances.tension import BINS, chances
from ttr_sim.edition import load_edition, official_names

PAGE = ROOT / "docs" / "statistics.md"
BEGIN = "<!-- made by: scripts/calibrate -->\n"
PLAYERS = (2, 4)
HELD_OUT = 16_000
ENOUGH = 2_000  # games in a bin
SEED = 17


def table(held_out: int) -> Iterator[str]:
    """Yield a line for each board: how many more in 100 won than the model said, by bins of the chance."""
    bins = [f"{100 * low // BINS}–{100 * (low + 1) // BINS} %" for low in range(BINS)]
    yield f"| edition, players | {' | '.join(bins)} |"
    yield f"| --- |{' ---: |' * BINS}"
    for name in official_names():
        for players in PLAYERS:
            found = measured(name, players, held_out)
            cells = [_cell(found[found["low"] == low / BINS]) for low in range(BINS)]
            yield f"| {load_edition(name).title}, {players} | {' | '.join(cells)} |"


def measured(name: str, players: int, held_out: int) -> pd.DataFrame:
    """Return the share that won by bins of the chance, in games that the model did not learn from."""
    with tempfile.TemporaryDirectory() as folder:
        games = LEARNED_GAMES + held_out
        run = ttr_sim.play(name, players, "planner", games, seed=SEED, out=Path(folder) / "run")
        reader = CourseReader(run)
        model = learn(reader, 0)
        firsts = range(LEARNED_GAMES, games, GAMES_TOGETHER)
        found = [apply_model(model, reader.read(first, GAMES_TOGETHER)) for first in firsts]
    tables = pd.concat([chances({players: rounds}) for rounds in found])
    wide = tables.assign(**{name: tables[name] * tables["n"] for name in ("chance", "won")})
    sums = wide.groupby("low", as_index=False)[["n", "chance", "won"]].sum()
    return sums.assign(chance=sums["chance"] / sums["n"], won=sums["won"] / sums["n"])


def _cell(rows: pd.DataFrame) -> str:
    if rows.empty or rows["n"].iloc[0] < ENOUGH:
        return "–"
    return f"{100 * (rows['won'] - rows['chance']).iloc[0]:+.1f}"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/calibrate", description=__doc__)
    parser.add_argument("--games", type=int, default=HELD_OUT, help=f"held-out games of each board: {HELD_OUT}")
    wish = parser.parse_args(words)
    page_with(PAGE.read_text(encoding="utf-8"), "", BEGIN)
    heading = (
        f"How far the chances are right: learned from {LEARNED_GAMES:,} games, applied to {wish.games:,} others; how "
        f"many more seats in 100 won than the model said, where a bin holds at least {ENOUGH:,} games.\n\n"
    )
    made = heading + "\n".join(table(wish.games)) + "\n"
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), made, BEGIN), encoding="utf-8")
    print(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
