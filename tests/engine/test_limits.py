"""Numbers that fit their columns, every index within its array, no edition named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.mixed_editions import mixed_edition
from ttr_sim.bots import FAST_STYLES, load_bots
from ttr_sim.edition import limits, load_edition, official_names
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.claims import is_tunnel
from ttr_sim.engine.jit import CACHE_FOLDER
from ttr_sim.engine.play import Games, play_batch

ROOT = Path(__file__).parents[2]
HAS_BOUNDS_CHECKS = CACHE_FOLDER.name.endswith("-bounds")
LAST_TURN = limits.MAX_TURNS_PER_PLAYER * limits.MAX_PLAYERS


def test_no_score_or_counter_can_exceed_its_column() -> None:
    """Tickets are dealt once each: what one seat wins by them another cannot lose."""
    once, turns = limits.MAX_POINTS, LAST_TURN
    others = once * (1 + 1 + limits.MAX_STATIONS + limits.MAX_COLORS + 1)  # path, globetrotter, ..., merchandise
    highest = once * (limits.MAX_TRAINS + limits.MAX_TICKETS) + others
    assert max(highest, 3 * turns + 1) <= np.iinfo(np.int16).max
    drawn = 2 * limits.MAX_TICKETS * (turns + 1)
    turned_up = 3 * limits.MAX_ROW * (limits.MAX_RESETS + 1) * (turns + 1)
    assert max(drawn, turned_up) <= np.iinfo(np.int32).max


@pytest.mark.slow
@pytest.mark.skipif(HAS_BOUNDS_CHECKS, reason="is what this test runs")
def test_every_index_stays_within_its_array() -> None:
    """All of this file again, in a process that checks the bounds of arrays."""
    words = [sys.executable, "-m", "pytest", "-n0", str(Path(__file__).relative_to(ROOT))]
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not HAS_BOUNDS_CHECKS, reason="indices are not tested otherwise")
@pytest.mark.parametrize("beyond", [limits.MAX_ROUTES, -1])
def test_index_beyond_an_array_is_found(beyond: int) -> None:
    with pytest.raises(IndexError):
        is_tunnel(compile_board(load_edition("europe"))[0], beyond)


@pytest.mark.skipif(not HAS_BOUNDS_CHECKS, reason="played with bounds checks only, by the test above")
@pytest.mark.parametrize("source", [*official_names(), *range(40)])
def test_styles_play_all_editions(source: str | int, tmp_path: Path) -> None:
    edition = load_edition(source if isinstance(source, str) else mixed_edition(source, tmp_path / "mixed"))
    for players in range(edition.players[0], edition.players[1] + 1):
        for n, names in ((40, FAST_STYLES), (2, ("search:budget=8", "planner"))):
            deals = np.arange(n)
            seats = (deals[:, None] + np.arange(players)) % len(names)
            games = Games(deals, 0 * deals, seats, seats)
            log = play_batch(compile_board(edition), players, 1, games, load_bots(names, edition).table)
            assert (log.games, log.failure) == (n, None)


@pytest.mark.parametrize("name", official_names())
def test_engine_names_no_edition(name: str) -> None:
    """But for the example that shows how to step a game, in a docstring."""
    pattern = re.compile(rf"\b{name.replace('_', '[_ ]')}\b", re.IGNORECASE)
    for file in sorted((ROOT / "ttr_sim" / "engine").glob("*.py")):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.strip().startswith(">>>")]
        assert not [line for line in lines if pattern.search(line)], file.name
