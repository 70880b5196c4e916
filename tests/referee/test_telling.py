"""A game retold, and the shortest way that each ticket still needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.referee.built import changed, tiny_game, tiny_rules
from tests.referee.conftest import PLAYERS, GamesOf
from ttr_sim.referee.audit import violations_of
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import Ends
from ttr_sim.referee.telling import OpenRoutes, Steps, Way, shortest_way, tell, tell_end

TALE = """\
Game 0 on Tiny: first player (hand) and second player (hand).

First player (hand) is dealt 2 red; tickets: Ash–Bay (5).
Second player (hand) is dealt 2 blue; tickets: Ash–Cove (4).

   0  first player (hand) claims Ash–Bay (2 red spaces) for 2 red; now 2 points and 1 train left.
      Completed: Ash–Bay (5).
   1  second player (hand) draws a blue card from the deck, then draws a red card from the deck.
   2  first player (hand) draws a wild from the deck, then draws a blue card from the deck.
   3  second player (hand) claims Ash–Cove (3 blue spaces) for 3 blue; now 4 points and 0 trains left.
      Completed: Ash–Cove (4).
      0 trains left: everyone gets one more turn.
   4  first player (hand) claims Bay–Cove (1 gray space) for 1 blue; now 3 points and 0 trains left.
   5  second player (hand) draws a red card from the deck, then draws a red card from the deck.

The trains ran out after 6 turns.
1. first player (hand): 18 = routes 3 + completed tickets 5 - failed tickets 0 + longest path 10.
   Completed: Ash–Bay (5).
   Longest path: 3 trains.
1. second player (hand): 18 = routes 4 + completed tickets 4 - failed tickets 0 + longest path 10.
   Completed: Ash–Cove (4).
   Longest path: 3 trains.
First player (hand) and second player (hand) share the win.
"""


def test_tiny_game(tmp_path: Path) -> None:
    tale = "\n".join(tell(tiny_rules(tmp_path / "tiny"), tiny_game())) + "\n"
    assert tale == TALE


def test_tickets_traded_are_not_told_at_the_end(tmp_path: Path) -> None:
    game = tiny_game()
    turns = [*game.turns[:2], changed(game.turns[2], action="discard"), *game.turns[3:]]
    gone, held = (
        changed(game.tickets[0], order=order, ticket=ticket, turn=turn, completed=False, completed_turn=None)
        for order, ticket, turn in ((2, 1, -1), (3, 2, 2))
    )
    log = replace(game, turns=turns, tickets=[*game.tickets, gone, held])
    tale = list(tell_end(tiny_rules(tmp_path / "tiny"), log, ["Ann", "Bob"]))
    assert "   Completed: Ash–Bay (5)." in tale
    assert "   Not completed: Bay–Cove (3)." in tale


STEPS: Steps = {
    0: [(1, 3, 10), (2, 1, 11)],
    1: [(0, 3, 10), (2, 0, 12), (3, 2, 13)],
    2: [(0, 1, 11), (1, 0, 12)],
    3: [(1, 2, 13)],
}


@pytest.mark.parametrize(
    ("ends", "way"),
    [
        (((0,), (3,)), Way(3, (11, 13))),  # own routes cost nothing and are not listed
        (((1,), (2,)), Way(0, ())),
        (((0, 2), (3, 9)), Way(2, (13,))),  # any city of an end will do
        (((0,), (7,)), None),
    ],
)
def test_shortest_way_of_a_ticket(ends: Ends, way: Way | None) -> None:
    assert shortest_way(STEPS, ends) == way


@pytest.mark.parametrize("edition", PLAYERS)
def test_ways_followed_through_a_game_are_those_found_anew(edition: str, games_of: GamesOf) -> None:
    rules, logs = games_of(edition)
    tickets = range(len(rules.edition.tickets))
    followed: list[OpenRoutes] = []
    seen: set[int] = set()

    def compare(position: Position) -> None:
        claimed = {route for route, owner in enumerate(position.owner) if owner is not None}
        anew = [OpenRoutes(position, seat) for seat in range(position.players)]
        if not claimed:
            followed[:] = anew
        for routes, expected in zip(followed, anew, strict=True):
            routes.after_claims(position, tuple(claimed - seen))
            assert [routes.way(position, row) for row in tickets] == [expected.way(position, row) for row in tickets]
        seen.update(claimed)

    assert not violations_of(rules, logs[0], compare)
