"""`classic` is a yardstick: it plays today as it did when it was first published."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from tests.bots.bot_games import column, play
from ttr_sim.bots.style import load_style

# Of games the planner of that day played; they change only with the engine's rules or chance, never with a bot.
GAMES = {
    "usa": "3bcb12bf18a534a9",
    "europe": "b06cfc072e886999",
    "germany": "f1aff9b7d71a6ba6",
    "amsterdam": "7c8a68775118b492",
    "first_journey": "cf7e84ac9052318f",
    "usa_mega": "2efb7285141376cf",
}
PLAYED = (("turns", "seat"), ("turns", "action"), ("turns", "route"), ("seats", "score"))


@pytest.mark.parametrize("edition", GAMES)
def test_classic_plays_as_it_always_did(edition: str) -> None:
    assert digest("classic", edition) == GAMES[edition]


def test_another_bot_plays_otherwise() -> None:
    assert digest("planner", "usa") != GAMES["usa"]


def test_classic_lacks_what_later_planners_learned() -> None:
    classic, planner = (load_style(name).parameters for name in ("classic", "planner"))
    assert [each.name for each in classic] == [each.name for each in planner[: len(classic)]]
    assert len(classic) < len(planner)


def digest(bot: str, edition: str) -> str:
    log = play([bot] * 3, edition, blocks=10)
    rows = b"".join(np.ascontiguousarray(column(log, *name)).tobytes() for name in PLAYED)
    return hashlib.sha256(rows).hexdigest()[:16]
