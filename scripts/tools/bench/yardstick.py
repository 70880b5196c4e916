"""Speed on USA as a ratio to the same game written in C (yardstick.c), both measured in turn on one core."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
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
PART = 2_000  # games, as in a run
PLANNED, QUICK_PLANNED = 400, 80
ROUNDS, QUICK_ROUNDS = 7, 3
RANDOM, PATH = 0, 1  # bots of the yardstick
COLORS, TWINLESS = 8, -1
RULES = (36, 100, 30, 45, 2, 3, 10)  # cities, routes, tickets, trains, trains at the end, doubles, longest path
RESULTS = 27  # numbers of a game


def measure(quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as scratch:
        library = built(Path(scratch))
        return [_row(players, library, Path(scratch), quick) for players in PLAYERS]


def built(scratch: Path) -> ctypes.CDLL | None:
    """Compile the yardstick; None where there is no compiler."""
    compiler = shutil.which("gcc")
    if compiler is None:
        sys.stderr.write("gcc is not installed, so the yardstick in C is left out\n")
        return None
    file = scratch / "yardstick.so"
    subprocess.run([compiler, *FLAGS, "-o", str(file), str(SOURCE)], check=True)
    return ctypes.CDLL(str(file))


def _row(players: int, library: ctypes.CDLL | None, scratch: Path, quick: bool) -> Row:
    """Games a second of each case, and how they compare; a part of a run counts with all that is written."""
    planned = QUICK_PLANNED if quick else PLANNED
    games = {"random": PART, "logged": PART, "results": PART, "full": PART, "planner": planned, "planner_full": planned}
    calls: dict[str, Callable[[], object]] = {
        "random": batch("usa", players, PART, False, "random"),
        "logged": batch("usa", players, PART, True, "random"),
        "results": _part(players, "random", "results", PART, scratch),
        "full": _part(players, "random", "full", PART, scratch),
        "planner": _part(players, "planner", "results", planned, scratch),
        "planner_full": _part(players, "planner", "full", planned, scratch),
    }
    if library is not None:
        calls |= {"c": Yardstick(library, players, RANDOM, PART), "c_path": Yardstick(library, players, PATH, PART)}
        games |= {"c": PART, "c_path": PART}
    seconds = interleaved(calls, QUICK_ROUNDS if quick else ROUNDS)
    speeds = {f"{name}_games_per_second": games[name] / median(of_case) for name, of_case in seconds.items()}
    ratios = {
        "results_to_kernel": median_ratio(seconds["random"], seconds["results"]),
        "log_microseconds": (median(seconds["logged"]) - median(seconds["random"])) / PART * 1e6,
        "planner_log_ratio": median_ratio(seconds["planner_full"], seconds["planner"]),
    }
    if library is not None:
        ratios["random_to_c"] = median_ratio(seconds["c"], seconds["random"])
        ratios["planner_to_c_path"] = median_ratio(seconds["c_path"], seconds["planner"]) * planned / PART
    return {"players": players, **ratios, **speeds}


def _part(players: int, bot: str, log: str, games: int, scratch: Path) -> Callable[[], object]:
    """A call that plays and writes the first part of a run."""
    request = Request(load_edition("usa"), (players,), (bot,), games, seed=1)
    run = begun(replace(request, log=log), scratch / f"{players}-{bot}-{log}")
    return player(run, next(parts_of(run.plan)))


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
