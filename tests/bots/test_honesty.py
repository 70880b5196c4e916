"""Nobody peeks: what is hidden from a seat is dealt anew, and every bot still answers the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.bots.bot_games import EDITIONS, SEARCHED_EDITIONS, edition_of
from tests.engine import kernels
from ttr_sim.bots import FAST_STYLES, load_bots
from ttr_sim.bots.api import load_style, without_values
from ttr_sim.engine.actions import ASK_KEEP, ASK_MIX, ASK_PASSENGER, ASK_SECOND, ASK_TUNNEL, ASK_TURN, DEFAULT
from ttr_sim.engine.bot_abi import RAISED
from ttr_sim.engine.records import WORKSPACE
from ttr_sim.engine.stepping import Game, default_of_mover

DECISIONS = {
    "usa": {ASK_KEEP, ASK_TURN, ASK_SECOND},
    "europe": {ASK_KEEP, ASK_TURN, ASK_SECOND, ASK_TUNNEL},
    "germany": {ASK_MIX, ASK_KEEP, ASK_TURN, ASK_SECOND, ASK_PASSENGER},
    "amsterdam": {ASK_KEEP, ASK_TURN, ASK_SECOND},
    "first_journey": {ASK_TURN, ASK_SECOND},
}
PLAYERS = 3
SEARCH = "search:budget=8"
MOST_DECISIONS = 260  # of one game


@pytest.mark.parametrize(
    ("edition", "style"),
    [
        *((edition, style) for edition in EDITIONS for style in FAST_STYLES),
        *(pytest.param(*edition.values, SEARCH, marks=edition.marks) for edition in SEARCHED_EDITIONS),
    ],
)
def test_hidden_cards_and_tickets_change_no_choice(edition: str, style: str) -> None:
    """Two games of the style against itself. Each decision is asked again with the hidden dealt anew."""
    values = load_bots([style], edition_of(edition)).table["parameters"][0]
    asked: Counter[int] = Counter()
    for deal in range(2):
        game, random, most = Game(edition_of(edition), PLAYERS, deal=deal), Random(deal), asked.total() + MOST_DECISIONS
        for seat in range(PLAYERS):
            game.state["seats"][seat]["parameters"][: len(values)] = values
            game.state["seats"][seat]["stream"] = seat + 1
        while not game.is_over and asked.total() < most:
            asked[int(game.view["decision"])] += 1
            before = game.states.copy()
            answer = _ask(game, style)
            remembered, after = game.state["seats"].tobytes(), game.states.copy()
            game.states[:] = before
            kernels.sample_hidden(game.boards, game.states, game.seat, random.getrandbits(60))
            assert _ask(game, style) == answer
            assert game.state["seats"].tobytes() == remembered, "the bot remembers what it cannot know"
            game.states[:] = after
            game.apply(answer if answer != DEFAULT else default_of_mover(game.boards, game.states))
    assert set(asked) == DECISIONS[edition]


def _ask(game: Game, style: str) -> Any:
    played = load_style(without_values(style))
    table = game.view
    if played.searches:  # it gets the world that the engine would hand it
        workspaces = np.zeros(1, WORKSPACE)
        kernels.make_world(game.boards, game.states, workspaces)
        table = workspaces[0]["world"]["mover_view"]
    answer = played.choose(game.boards[0], table, game.state["seats"][game.seat])
    assert answer > RAISED
    return answer
