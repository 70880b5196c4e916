"""Room for the largest values, every index within its array, no edition named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engine.limit_editions import endless_edition, rich_edition
from tests.engine.players import table_of
from tests.engine.rig import give, new_game, of_rows, rig_tickets, score, scored
from ttr_sim.bots import STYLE_NAMES, load_bots
from ttr_sim.edition import limits, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import DEFAULT, discard_tickets
from ttr_sim.engine.batch import BatchLog, BotTable, Games, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.jit import CACHE_FOLDER, compiled
from ttr_sim.engine.tickets import can_discard
from ttr_sim.log import END_NAMES, index_of

ROOT = Path(__file__).parents[2]
LAST_TURN = limits.MAX_TURNS_PER_PLAYER * limits.MAX_PLAYERS


@compiled
def swaps_tickets(board, view, seat):
    """Leave the cards where they are, so that the row is tried again and again."""
    return discard_tickets() if can_discard(board, view) else DEFAULT


def play(edition: Edition, games: int, bots: BotTable) -> BatchLog:
    """Games of as many players as may sit down, with the bots in turn."""
    players = limits.MAX_PLAYERS
    seats = (np.arange(games)[:, None] * 2 + np.arange(players)) % len(bots.addresses)
    deals = np.arange(games)
    log = play_batch(compile_board(edition), players, 1, Games(deals, 0 * deals, seats, seats), bots)
    assert (log.games, log.failure) == (games, None)
    return log


def column(log: BatchLog, table: str, name: str) -> np.ndarray:
    return log.tables[table].numbers[index_of(table, name)]


def text(log: BatchLog, table: str, name: str, row: int) -> str:
    ends, data = log.tables[table].texts[name]
    return bytes(data[ends[row] : ends[row + 1]]).decode()


def test_longest_game_of_an_edition_counts_every_ticket_reset_and_reshuffle(tmp_path: Path) -> None:
    log = play(endless_edition(tmp_path), 1, table_of(swaps_tickets))
    [turns], [end] = column(log, "games", "turns"), column(log, "games", "end")
    assert (turns, END_NAMES[end]) == (LAST_TURN, "capped")
    drawn = limits.MAX_PLAYERS * limits.MAX_OFFER + LAST_TURN * limits.MAX_OFFER
    assert column(log, "tickets", "order").tolist() == list(range(drawn))
    assert column(log, "games", "resets") == limits.MAX_RESETS * (1 + LAST_TURN)
    assert column(log, "games", "stuck") == 1 + LAST_TURN
    assert column(log, "games", "reshuffles") > np.iinfo(np.int16).max
    assert len(text(log, "turns", "fill2", LAST_TURN - 1)) == limits.MAX_RESETS * limits.MAX_ROW


def test_largest_score_of_an_edition_is_counted_in_full(tmp_path: Path) -> None:
    game = rig_tickets(new_game(rich_edition(tmp_path)), {}, [[]], hoarder=0)
    give(game, 0, *of_rows(game, "route", range(limits.MAX_TRAINS)))
    winner, loser = score(game)
    assert scored(winner, "ticket") == limits.MAX_TICKETS * limits.MAX_POINTS
    bonuses = (1 + limits.MAX_STATIONS) * limits.MAX_POINTS  # globetrotter and stations; nobody holds passengers
    assert winner["score"] == (limits.MAX_TRAINS + limits.MAX_TICKETS) * limits.MAX_POINTS + bonuses
    assert loser["score"] == limits.MAX_STATIONS * limits.MAX_POINTS


def test_no_score_or_counter_can_exceed_its_column() -> None:
    """Tickets are dealt once each: what one seat wins by them another cannot lose."""
    once, turns = limits.MAX_POINTS, LAST_TURN
    others = once * (1 + 1 + limits.MAX_STATIONS + limits.MAX_COLORS + 1)  # path, globetrotter, ..., merchandise
    highest = once * (limits.MAX_TRAINS + limits.MAX_TICKETS) + others
    assert max(highest, 3 * turns + 1) <= np.iinfo(np.int16).max
    drawn = 2 * limits.MAX_TICKETS * (turns + 1)
    turned_up = 3 * limits.MAX_ROW * (limits.MAX_RESETS + 1) * (turns + 1)
    assert max(drawn, turned_up) <= np.iinfo(np.int32).max


@pytest.mark.parametrize("make", [endless_edition, rich_edition])
def test_every_style_plays_an_edition_at_the_limits(make: Any, tmp_path: Path) -> None:
    edition = make(tmp_path)
    play(edition, 2, load_bots(STYLE_NAMES, edition).table)


@pytest.mark.slow
@pytest.mark.skipif(CACHE_FOLDER.name.endswith("-bounds"), reason="is what this test runs")
def test_all_of_this_stays_within_its_arrays() -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    words = [sys.executable, "-m", "pytest", str(Path(__file__).relative_to(ROOT))]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


PLAY_ALL = """
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.mixed_editions import mixed_edition
from ttr_sim.bots import FAST_STYLES, load_bots
from ttr_sim.edition import load_edition, official_names
from ttr_sim.engine.batch import Games, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.jit import CACHE_FOLDER
from ttr_sim.engine.claims import is_tunnel

assert CACHE_FOLDER.name.endswith("-bounds")
for beyond in (192, -1):
    with pytest.raises(IndexError):
        is_tunnel(compile_board(load_edition("europe"))[0], beyond)
mixed = [mixed_edition(seed, Path(sys.argv[1]) / str(seed)) for seed in range(40)]
for name in (*official_names(), *mixed):
    edition = load_edition(name)
    for players in range(edition.players[0], edition.players[1] + 1):
        n = 40
        board = compile_board(edition)
        bots = load_bots(FAST_STYLES, edition).table
        seats = (np.arange(n)[:, None] + np.arange(players)) % len(FAST_STYLES)
        games = Games(np.arange(n), np.zeros(n, np.int64), seats, seats)
        log = play_batch(board, players, 1, games, bots)
        assert log.games == n and log.failure is None, (name, players, log.failure)
        searching = load_bots(("search:budget=8", "planner"), edition).table
        games = Games(np.arange(2), np.zeros(2, np.int64), seats[:2] % 2, seats[:2] % 2)
        assert play_batch(board, players, 1, games, searching).games == 2
print("all played")
"""


@pytest.mark.slow
def test_kernel_and_bots_stay_within_their_arrays_on_all_editions(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    words = [sys.executable, "-c", PLAY_ALL, str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "all played"), done.stderr


ENGINE = Path(__file__).parents[2] / "ttr_sim" / "engine"


@pytest.mark.parametrize("name", official_names())
def test_engine_names_no_edition(name: str) -> None:
    """But for the example that shows how to step a game, in a docstring."""
    pattern = re.compile(rf"\b{name.replace('_', '[_ ]')}\b", re.IGNORECASE)
    for file in sorted(ENGINE.glob("*.py")):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.strip().startswith(">>>")]
        assert not [line for line in lines if pattern.search(line)], file.name
