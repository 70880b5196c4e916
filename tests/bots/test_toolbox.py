"""What a user's bot may import: it checks the rows it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.bot_games import fail, load, write


@pytest.mark.parametrize(
    "call",
    [
        "add_route(seat.wants, -1)",
        "has_route(seat.wants, 1_000_000)",
        "cheapest_claim(board, view, -1)",
        "colored_cards(board, view, board.n_routes)",
        "may_claim(board, view, view.players, 0)",
        "is_met(board, view.network[view.seat], -1)",
    ],
)
def test_toolbox_looks_at_the_rows_it_is_handed(call: str, tmp_path: Path) -> None:
    text = f"from ttr_sim.bots.toolbox import *\n\ndef Bad(board, view, seat):\n    {call}\n    return -1\n"
    bots = load([f"{write(tmp_path, text)}:Bad"] * 2)
    assert bots.compiled
    assert " and raised " in fail(bots)
