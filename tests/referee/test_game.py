"""A whole game made by hand, right and spoiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.referee.built import built, changed, game_log, tiny_game, tiny_rules, turn
from ttr_sim.referee.game import ACTIONS, audit_game
from ttr_sim.referee.log import GameLog
from ttr_sim.referee.rulebook import RuleError, Violation

Audit = Callable[[GameLog], list[str]]


@pytest.fixture
def audited(tmp_path: Path) -> Audit:
    rules = tiny_rules(tmp_path / "tiny")

    def audit(log: GameLog) -> list[str]:
        return [violation.sentence() for violation in audit_game(rules, log)]

    return audit


def test_a_violation_is_one_sentence_with_game_turn_seat_and_rule(audited: Audit) -> None:
    game = tiny_game()
    assert audited(game) == []
    game.turns[3] = changed(game.turns[3], cards=2)
    assert audited(game) == ["game 0, turn 3, seat 1: claiming routes: 2 cards were paid, the price was 3"]


def test_a_wrong_cell_does_not_stop_the_replay(audited: Audit) -> None:
    game = tiny_game()
    game.turns[0] = changed(game.turns[0], score=3)
    spoiled = replace(game, game=changed(game.game, margin=1))
    assert audited(spoiled) == [
        "game 0, turn 0, seat 0: scoring: score is 3 in the log but should be 2",
        "game 0, final scoring: standings: margin is 1 in the log but should be 0",
    ]


def test_what_cannot_happen_stops_the_replay(audited: Audit) -> None:
    """A violation at setup names no turn."""
    game = tiny_game()
    game.turns[0] = changed(game.turns[0], color="b")
    game.turns[5] = changed(game.turns[5], score=99)
    assert audited(game) == ["game 0, turn 0, seat 0: claiming routes: the cards paid were not in hand: 2 blue"]
    game.seats[1] = changed(game.seats[1], hand="bbb")
    assert audited(game) == ["game 0, setup, seat 1: setup: 3 cards were dealt, 2 should be"]


def test_json_of_a_violation() -> None:
    violation = Violation(3, None, 1, "scoring", "wrong")
    assert violation.as_json() == {"game": 3, "turn": None, "seat": 1, "rule": "scoring", "message": "wrong"}


def test_no_pass_while_a_station_could_be_built() -> None:
    position = built("europe", game_log(2), hand="r")
    for deck in position.decks:
        deck.clear()
    with pytest.raises(RuleError, match="the seat passed, though it could claim a route"):
        ACTIONS["pass"](position, turn("pass"))
    position.seats[0].trains = 0
    with pytest.raises(RuleError, match="the seat passed, though it could build a station"):
        ACTIONS["pass"](position, turn("pass"))
    position.seats[0].stations = [0, 1, 2]
    ACTIONS["pass"](position, turn("pass"))
