"""Play bots on USA Mega and compare their figures with strong people's, in docs/people.md.

A bot that searches plays fewer games. The runs are kept, so that a call with more games goes on from them.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb

from scripts.tools.command import FINDINGS, FINE, ROOT, ttr_sim
from scripts.tools.reference import page_with
from ttr_sim.bots.api import without_values

PAGE = ROOT / "docs" / "people.md"
RUNS = ROOT / "runs" / "people"
EDITION, PLAYERS, SEED = "usa_mega", 4, 1
GAMES, SEARCH_GAMES = 3_000, 200
BOTS = ("planner", "blocker")  # the styles that plan for tickets and are strong with four players
PEOPLES_GAMES = 27
RANGE_IN_SPREADS = 4.0  # the mean range of 27 normal numbers, in standard deviations
CERTAINTY = 1.96  # standard errors to each side of a 95 % interval


@dataclass(frozen=True)
class Figure:
    """A mean over games, and the spread (standard deviation) between games."""

    mean: float
    spread: float
    games: int

    def __str__(self) -> str:
        error = CERTAINTY * self.spread / self.games**0.5
        return f"{self.mean:.1f} ({self.mean - error:.1f} to {self.mean + error:.1f})"


@dataclass(frozen=True)
class Measure:
    """A figure of one game, over its seats in SQL, and what was published of it among people: the mean, and the
    least and the most in a game; of a bonus, the mean and its points."""

    name: str
    sql: str
    mean: float
    least: float = 0
    most: float = 0
    bonus: float = 0

    def of_people(self) -> Figure:
        """Mean of people, with a spread from its range, or from how often the bonus was won."""
        of_bonus = (self.mean * (self.bonus - self.mean)) ** 0.5 if self.bonus else 0
        of_range = (self.most - self.least) / RANGE_IN_SPREADS
        return Figure(self.mean, of_bonus or of_range, PEOPLES_GAMES)


def of_winner(column: str) -> str:
    return f"sum(win_share * ({column}))"


# boardgamers.org, WBC 2025 online tournament: USA Mega on Board Game Arena, four players, semifinals and final.
MEASURES = (
    Measure("winner's score", of_winner("score"), 157.1, 120, 233),
    Measure("winner's route points", of_winner("route_points"), 69.8, 47, 89),
    Measure("winner's ticket points", of_winner("ticket_points + ticket_penalty"), 73.4, 36, 142),
    Measure("winner's longest path bonus", of_winner("longest_points"), 5.6, bonus=10),
    Measure("winner's globetrotter bonus", of_winner("globetrotter_points"), 8.3, bonus=15),
    Measure("winner's completed tickets", of_winner("tickets_completed"), 6.4, 3, 12),
    Measure("winner's turns taking tickets", of_winner("coalesce(taken, 0)"), 1.9, 0, 7),
    Measure("most completed tickets at the table", "max(tickets_completed)", 7.4, 4, 12),
    Measure("longest path at the table", "max(longest_path)", 38.0, 29, 45),
    Measure("turns per player", "avg(turns)", 35.4, 31, 42),
)


def figures(run: Path) -> list[Figure]:
    of_game = ", ".join(f'{measure.sql} AS "{place}"' for place, measure in enumerate(MEASURES))
    of_run = ", ".join(f'avg("{place}"), stddev_samp("{place}")' for place in range(len(MEASURES)))
    query = f"""
        WITH drawn AS (
            SELECT game, seat, count(*) AS taken FROM '{run}/turns/*.parquet' WHERE action = 'tickets' GROUP BY ALL
        ), each_game AS (
            SELECT {of_game} FROM '{run}/seats/*.parquet' LEFT JOIN drawn USING (game, seat) GROUP BY game
        ) SELECT count(*), {of_run} FROM each_game"""
    with duckdb.connect() as database:
        ((games, *values),) = database.execute(query).fetchall()
    pairs = zip(values[::2], values[1::2], strict=True)
    return [Figure(mean, spread, games) for mean, spread in pairs]


def table(found: dict[str, list[Figure]]) -> str:
    """Markdown table of the figures of people and bots."""
    lines = [
        ["mean (95 % interval)", "people", "people's single games", *found],
        ["---"] * (3 + len(found)),
        ["games", str(PEOPLES_GAMES), "", *(f"{each[0].games:,}" for each in found.values())],
    ]
    for place, measure in enumerate(MEASURES):
        single = f"{measure.least:g} to {measure.most:g}" if measure.most else f"0 or {measure.bonus:g}"
        lines.append([measure.name, str(measure.of_people()), single, *(str(each[place]) for each in found.values())])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/people", description=__doc__)
    parser.add_argument("bots", nargs="*", default=BOTS, metavar="BOT", help=f"by default {' '.join(BOTS)}")
    parser.add_argument("--games", type=int, default=GAMES, help=f"by default {GAMES}")
    parser.add_argument("--search-games", type=int, default=SEARCH_GAMES, help=f"by default {SEARCH_GAMES}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--runs", type=Path, default=RUNS, help="where the runs are kept, by default runs/people")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page has another table")
    options = parser.parse_args(words)
    found = {}
    for bot in options.bots:
        run = options.runs / f"{bot.replace(':', '-')}-{options.seed}"
        games = options.search_games if without_values(bot) == "search" else options.games
        # Each game is a deal of its own. A run that was kept continues.
        if (run / "run.json").is_file():
            ttr_sim("run", "--resume", run, "--games", games, "-q")
        else:
            how = ("--players", PLAYERS, "--bots", bot, "--games", games, "--seed", options.seed)
            ttr_sim("run", EDITION, *how, "--out", run, "-q")
        found[bot] = figures(run)
    text = f"{table(found)}\nMade by `scripts/people {' '.join(found)}`: seed {options.seed}.\n"
    print(text, end="")
    page = PAGE.read_text(encoding="utf-8")
    new = page_with(page, text, "people")
    if options.check:
        return FINDINGS if new != page else FINE
    PAGE.write_text(new, encoding="utf-8")
    return FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
