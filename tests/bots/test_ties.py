"""No game hangs on the order of lines, and of what is alike nothing is preferred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.bots.bot_games import EDITIONS, column, edition_of, play, play_on
from tests.shuffled import shuffled_copy
from ttr_sim.bots import FAST_STYLES, load_bots
from ttr_sim.edition.canonical import route_keys, ticket_keys
from ttr_sim.edition.model import Edition
from ttr_sim.engine.board import compile_board
from ttr_sim.log import TABLES

LEFT_TO_THE_RUN = {"deal", "block", "win_share"}
BLOCKS = 10
SEARCH = "search:budget=2"  # thinks of two candidates, which is enough to be led astray by an order
FAR_OFF = 4.5  # standard errors


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_order_of_lines_changes_no_game(edition: str, tmp_path: Path) -> None:
    """Each style against itself, and all of them in turn at one table, with fewest and most players."""
    plain, shuffled = edition_of(edition), shuffled_copy(edition, tmp_path)
    n, fewest = len(FAST_STYLES), plain.players[0]
    lineups = [([SEARCH, *["planner"] * (fewest - 1)], 1)]
    for players in plain.players:
        lineups += [([style] * players, BLOCKS) for style in FAST_STYLES]
        lineups += [([FAST_STYLES[(i + place) % n] for place in range(players)], BLOCKS) for i in range(0, n, 2)]
    for lineup, blocks in lineups:
        first, second = (_rows(each, lineup, blocks) for each in (plain, shuffled))
        for name, values in first.items():
            assert np.array_equal(values, second[name]), f"{name} of {lineup}"


def _rows(edition: Edition, lineup: Sequence[str], blocks: int) -> dict[str, Any]:
    """All number columns of the log, with ids as names."""
    log = play_on(compile_board(edition), load_bots(lineup, edition), blocks)
    names = {
        "turns.route": [str(key) for key in route_keys(edition)],
        "turns.city": [city.name for city in edition.cities],
        "tickets.ticket": [str(key) for key in ticket_keys(edition)],
    }
    rows: dict[str, Any] = {}
    for table, columns in TABLES.items():
        for entry in columns:
            if entry.type != "text" and entry.name not in LEFT_TO_THE_RUN:
                name, values = f"{table}.{entry.name}", column(log, table, entry.name)
                rows[name] = [names[name][row] if row >= 0 else "" for row in values] if name in names else values
    return rows


@pytest.mark.parametrize("style", FAST_STYLES)
def test_of_two_routes_that_are_alike_each_is_taken_first_equally_often(style: str) -> None:
    edition, log = edition_of("usa"), play([style] * 4, "usa", blocks=60)
    # Group and number in it of each route that has an indistinguishable twin.
    twins = [row for row, key in enumerate(route_keys(edition)) if key[2] == "gray"]
    groups = Counter(edition.routes[row].group for row in twins)
    pairs = {row: edition.routes[row] for row in twins if groups[edition.routes[row].group] == 2}
    claimed: set[tuple[int, int]] = set()
    first_claims: Counter[int] = Counter()
    for game, row in zip(column(log, "turns", "game"), column(log, "turns", "route"), strict=True):
        if row in pairs and (game, pairs[row].group) not in claimed:
            first_claims[pairs[row].copy] += 1
            claimed.add((game, pairs[row].group))
    n = first_claims.total()
    assert n > 100  # longroute seldom wants so short a route
    assert abs(first_claims[0] - n / 2) < FAR_OFF * np.sqrt(n) / 2
