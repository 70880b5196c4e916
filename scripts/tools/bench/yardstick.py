"""Speed on USA as a ratio to the same game written in C (yardstick.c), both measured in turn on one core."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from scripts.tools.bench.engine import batch
from scripts.tools.bench.measure import Row, interleaved, median_ratio
from scripts.tools.bench.runs import begun, player
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.run.lineups import parts_of
from ttr_sim.run.plan import Request

SOURCE = Path(__file__).with_name("yardstick.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
PLAYERS = (2, 4)
PART, QUICK_PART = 2_000, 400  # games; a run has parts of 2,000
ROUNDS, QUICK_ROUNDS = 7, 3
RANDOM, PATH = 0, 1  # bots of the yardstick
COLORS, TWINLESS = 8, -1
RULES = (36, 100, 30, 45, 2, 3, 10)  # cities, routes, tickets, trains, trains at the end, doubles, longest path
RESULTS = 27  # numbers of a game

# What is compared: games a second of the second case against those of the first.
RATIOS = {
    "random, kernel alone, against C": ("c", "random"),
    "planner, run with --log results, against path in C": ("c path", "planner run, results"),
    "random, run with --log results, against its kernel": ("random", "random run, results"),
    "random, run with the full log, against its kernel": ("random", "random run, full"),
    "planner, run with the full log, against results": ("planner run, results", "planner run, full"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A call that plays games."""

    call: Callable[[], object]
    games: int


def measure(quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as scratch:
        library = built(Path(scratch))
        return [row for players in PLAYERS for row in _rows(players, library, Path(scratch), quick)]


def built(scratch: Path) -> ctypes.CDLL | None:
    """Compile the yardstick; None where there is no compiler."""
    compiler = shutil.which("gcc")
    if compiler is None:
        sys.stderr.write("gcc is not installed, so the yardstick in C is left out\n")
        return None
    file = scratch / "yardstick.so"
    subprocess.run([compiler, *FLAGS, "-o", str(file), str(SOURCE)], check=True)
    return ctypes.CDLL(str(file))


def _rows(players: int, library: ctypes.CDLL | None, scratch: Path, quick: bool) -> Iterator[Row]:
    """Yield the ratios, then the games a second; a part of a run counts with all that is written."""
    cases = _cases(players, library, scratch, quick)
    seconds = interleaved({name: case.call for name, case in cases.items()}, QUICK_ROUNDS if quick else ROUNDS)
    of_game = {name: [total / cases[name].games for total in totals] for name, totals in seconds.items()}
    for name, (reference, case) in RATIOS.items():
        if reference in of_game:
            yield _row(name, players, "ratio", median_ratio(of_game[reference], of_game[case]))
    log = median(of_game["random, logged"]) - median(of_game["random"])
    yield _row("random, kernel: what its full log takes a game", players, "us", log * 1e6)
    for name, totals in of_game.items():
        yield _row(name, players, "games/s", 1 / median(totals))


def _row(name: str, players: int, unit: str, value: float) -> Row:
    return {"measure": name, "players": players, "unit": unit, "value": value}


def _cases(players: int, library: ctypes.CDLL | None, scratch: Path, quick: bool) -> dict[str, Case]:
    games = QUICK_PART if quick else PART
    cases = {
        f"{bot} run, {log}": _part(players, bot, log, games, scratch)
        for bot in ("random", "planner")
        for log in ("results", "full")
    }
    for name, logged in (("random", False), ("random, logged", True)):
        cases[name] = Case(batch("usa", players, games, logged, "random"), games)
    if library is not None:
        for name, bot in (("c", RANDOM), ("c path", PATH)):
            cases[name] = Case(Yardstick(library, players, bot, games), games)
    return cases


def _part(players: int, bot: str, log: str, games: int, scratch: Path) -> Case:
    """Play and write a part of so many games."""
    request = Request(load_edition("usa"), (players,), (bot,), games, seed=1)
    run = begun(replace(request, log=log), scratch / f"{players}-{bot}-{log}")
    part = next(parts_of(run.plan))
    return Case(player(run, part), part.games)


class Yardstick:
    """A call that plays games in C; `results` holds a row of numbers for each: turns, winners, scores, and others."""

    def __init__(self, library: ctypes.CDLL, players: int, bot: int, games: int) -> None:
        self._library, self._players = library, players
        self._board = _board(load_edition("usa"))
        library.board_size.restype = library.state_size.restype = library.run_batch.restype = ctypes.c_int64
        assert library.board_size() == self._board.nbytes
        self._state = np.zeros(library.state_size(), np.uint8)
        self._bots, self._rows = np.full(players, bot, np.int32), np.zeros(games + 1, np.int64)
        self.results = np.zeros((games, RESULTS), np.int16)
        few, seed, count, pointer = ctypes.c_int32, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p
        kinds: list[Any] = [pointer, pointer, few, pointer, seed, seed, count, pointer, count, pointer, pointer]
        library.run_batch.argtypes = kinds

    def __call__(self) -> None:
        board, state, bots, rows, results = (
            array.ctypes.data for array in (self._board, self._state, self._bots, self._rows, self.results)
        )
        games = len(self.results)
        played = self._library.run_batch(board, state, self._players, bots, 1, 0, games, None, 0, rows, results)
        assert played == games


def _board(edition: Edition) -> np.ndarray:
    """The board as the yardstick's struct: numbers of four bytes."""
    routes, tickets = edition.routes, edition.tickets
    gray, scores = COLORS, edition.route_scores or ()
    twins = [_twin(edition, row) for row in range(len(routes))]
    roads = [
        [(route.a + route.b - city, row) for row, route in enumerate(routes) if city in (route.a, route.b)]
        for city in range(len(edition.cities))
    ]
    columns: list[list[int]] = [
        list(RULES),
        [route.a for route in routes],
        [route.b for route in routes],
        [route.length for route in routes],
        [gray if route.color is None else route.color for route in routes],
        [scores[route.length - 1] for route in routes],
        twins,
        list(np.cumsum([0, *map(len, roads)])),
        [city for road in roads for city, _ in road],
        [row for road in roads for _, row in road],
        [ticket.a_cities[0] for ticket in tickets],
        [ticket.b_cities[0] for ticket in tickets],
        [ticket.points for ticket in tickets],
        [*(color.cards for color in edition.colors), edition.wilds],
    ]
    return np.concatenate(columns).astype(np.int32)


def _twin(edition: Edition, row: int) -> int:
    group = edition.routes[row].group
    others = [other for other, route in enumerate(edition.routes) if route.group == group and other != row]
    return others[0] if others else TWINLESS
