"""The steps of the ladder of skill as `scripts/ladder` played them, one line each, in ladder.csv."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import Estimate, ratio
from ttr_sim.analysis.sums import Measured
from ttr_sim.bots.specs import without_values
from ttr_sim.run.fields import STEPS

FILE = Path(__file__).with_name("ladder.csv")
SEARCH = "search"
SEARCH_STEPS = (
    ("search:budget=50", "planner"),
    ("search:budget=200", "planner"),
    ("search:budget=200", "search:budget=50"),
    ("search:budget=800", "search:budget=200"),
)
ALL_STEPS = (*STEPS, *SEARCH_STEPS)
DECIMALS = 6
LEAST_DEALS = 10  # what has fewer so far is kept, but not shown


@dataclass(frozen=True, slots=True)
class Climb:
    """One bot among others, in every seat of each deal; `wins` are its wins by deal, a shared one in equal parts.

    `first` are the scores of the first deal's games by seat: who plays otherwise now would end that deal otherwise.
    """

    edition: str
    fingerprint: str
    players: int
    bot: str
    others: str
    seed: int
    seconds: float
    first: str
    wins: tuple[float, ...]

    @property
    def is_shown(self) -> bool:
        return len(self.wins) >= LEAST_DEALS

    @property
    def games(self) -> int:
        return len(self.wins) * self.players

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    def estimate(self) -> Estimate:
        """Return its win share, a deal being a block."""
        wins = np.array(self.wins)[:, None]
        return ratio(wins, np.full_like(wins, self.players))

    def share(self) -> tuple[float, float, float]:
        """Return its win share and the interval."""
        found = self.estimate()
        low, high = found.share_interval(len(self.wins))
        return float(found.value[0]), float(low[0]), float(high[0])

    def followed_by(self, later: Climb) -> Climb:
        """Return both as one."""
        return replace(self, seconds=self.seconds + later.seconds, wins=self.wins + later.wins)

    def measured(self) -> Measured:
        """Return it as a row of the table `shape_skill`."""
        step = ALL_STEPS.index((self.bot, self.others)) + 1
        keys = pd.DataFrame({"step": [step], "bot": [self.bot], "opponent": [self.others]})
        keys = keys.assign(players=self.players, n=self.games, fair=1 / self.players)
        return Measured(keys, {"win_share": self.estimate()}, len(self.wins))


def read_climbs(path: Path = FILE) -> list[Climb]:
    return list(map(_climb, _lines(path)))


def write_climbs(climbs: Iterable[Climb], path: Path = FILE) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(field.name for field in fields(Climb))
        for climb in climbs:
            *known, wins = astuple(replace(climb, seconds=round(climb.seconds, 2)))
            lines.writerow([*known, " ".join(f"{won:.{DECIMALS}g}" for won in wins)])


def thoughtful_climbs(fingerprint: str, counts: Collection[int], path: Path = FILE) -> list[Climb]:
    """Return the steps of players that look ahead, on this board with these numbers of players."""
    here = [line for line in _lines(path) if line["fingerprint"] == fingerprint and int(line["players"]) in counts]
    return [climb for climb in map(_climb, here) if is_search(climb.bot) and climb.is_shown]


def is_search(bot: str) -> bool:
    return without_values(bot) == SEARCH


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _climb(row: dict[str, str]) -> Climb:
    wins = tuple(float(won) for won in row["wins"].split())
    names = row["edition"], row["fingerprint"], int(row["players"]), row["bot"], row["others"]
    return Climb(*names, int(row["seed"]), float(row["seconds"]), row["first"], wins)
