"""Nobody peeks: what is hidden from a seat is dealt anew, and every bot still answers the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.bots.bot_games import EDITIONS, SEARCHED_EDITIONS, edition_of
from tests.engine import kernels
from ttr_sim.bots import FAST_STYLES, load_bots
from ttr_sim.bots.api import load_style, without_values
from ttr_sim.engine.actions import ASK_KEEP, ASK_MIX, ASK_PASSENGER, ASK_SECOND, ASK_TUNNEL, ASK_TURN, DEFAULT
from ttr_sim.engine.bot_abi import RAISED
from ttr_sim.engine.records import new_workspace
from ttr_sim.engine.stepping import Game, default_of_mover

DECISIONS = {
    "usa": {ASK_KEEP, ASK_TURN, ASK_SECOND},
    "europe": {ASK_KEEP, ASK_TURN, ASK_SECOND, ASK_TUNNEL},
    "germany": {ASK_MIX, ASK_KEEP, ASK_TURN, ASK_SECOND, ASK_PASSENGER},
    "amsterdam": {ASK_KEEP, ASK_TURN, ASK_SECOND},
    "first_journey": {ASK_TURN, ASK_SECOND},
}
PLAYERS = 3
MOST_DECISIONS = 260  # of one game


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("style", FAST_STYLES)
def test_hidden_cards_and_tickets_change_no_choice(style: str, edition: str) -> None:
    _compare_all_kinds_of_decisions(style, edition)


@pytest.mark.parametrize("edition", SEARCHED_EDITIONS)
def test_hidden_cards_and_tickets_change_no_choice_of_a_search(edition: str) -> None:
    _compare_all_kinds_of_decisions("search:budget=8", edition)


def _compare_all_kinds_of_decisions(style: str, edition: str) -> None:
    asked: Counter[int] = Counter()
    for deal in range(2):
        asked += _play_and_compare(style, edition, deal)
    assert set(asked) == DECISIONS[edition]


def _play_and_compare(style: str, edition: str, deal: int) -> Counter[int]:
    """One game of the style against itself; each decision is asked again with the hidden dealt anew."""
    game, asked, random = Game(edition_of(edition), PLAYERS, deal=deal), Counter[int](), Random(deal)
    _sit_down(game, style, edition)
    while not game.is_over and asked.total() < MOST_DECISIONS:
        asked[int(game.view["decision"])] += 1
        before = game.states.copy()
        answer = _ask(game, style)
        remembered = game.state["seats"].tobytes()
        after = game.states.copy()
        game.states[:] = before
        kernels.sample_hidden(game.boards, game.states, game.seat, random.getrandbits(60))
        assert _ask(game, style) == answer
        assert game.state["seats"].tobytes() == remembered, "the bot remembers what it cannot know"
        game.states[:] = after
        game.apply(answer if answer != DEFAULT else default_of_mover(game.boards, game.states))
    return asked


def _sit_down(game: Game, style: str, edition: str) -> None:
    values = load_bots([style], edition_of(edition)).table["parameters"][0]
    for seat in range(PLAYERS):
        game.state["seats"][seat]["parameters"][: len(values)] = values
        game.state["seats"][seat]["stream"] = seat + 1


def _ask(game: Game, style: str) -> Any:
    played = load_style(without_values(style))
    table = _world_of(game) if played.searches else game.view
    answer = played.choose(game.boards[0], table, game.state["seats"][game.seat])
    assert answer > RAISED
    return answer


def _world_of(game: Game) -> Any:
    """Return the table of the world that the engine would hand to a searching bot."""
    workspaces = new_workspace()
    kernels.make_world(game.boards, game.states, workspaces)
    return workspaces[0]["world"]["mover_view"]
