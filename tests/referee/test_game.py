"""A whole game made by hand, right and spoiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.referee.tiny import tiny_game, tiny_rules
from ttr_sim.referee.findings import Finding
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.rows import GameLog

Audit = Callable[[GameLog], list[str]]


@pytest.fixture
def audited(tmp_path: Path) -> Audit:
    rules = tiny_rules(tmp_path / "tiny")

    def audit(log: GameLog) -> list[str]:
        return [finding.sentence() for finding in audit_game(rules, log)]

    return audit


def test_a_right_game_passes(audited: Audit) -> None:
    assert audited(tiny_game()) == []


def test_a_finding_is_one_sentence_with_game_turn_seat_and_rule(audited: Audit) -> None:
    game = tiny_game()
    game.turns[3] = game.turns[3]._replace(cards=2)
    assert audited(game) == ["game 0, turn 3, seat 1: claiming routes: 2 cards were paid, the price was 3"]


def test_a_wrong_cell_does_not_stop_the_replay(audited: Audit) -> None:
    game = tiny_game()
    game.turns[0] = game.turns[0]._replace(score=3)
    spoiled = replace(game, game=game.game._replace(margin=1))
    assert audited(spoiled) == [
        "game 0, turn 0, seat 0: scoring: the log has 3 as score, by the rules it is 2",
        "game 0, final reckoning: standings: the log has 1 as margin, by the rules it is 0",
    ]


def test_what_cannot_happen_stops_the_replay(audited: Audit) -> None:
    game = tiny_game()
    game.turns[0] = game.turns[0]._replace(color="b")
    game.turns[5] = game.turns[5]._replace(score=99)
    assert audited(game) == ["game 0, turn 0, seat 0: claiming routes: the hand did not hold the 2 blue laid down"]


def test_setup_findings_name_no_turn(audited: Audit) -> None:
    game = tiny_game()
    game.seats[1] = game.seats[1]._replace(hand="bbb")
    assert audited(game) == ["game 0, setup, seat 1: setup: 3 cards were dealt, 2 should be"]


def test_json_of_a_finding() -> None:
    finding = Finding(3, None, 1, "scoring", "wrong")
    assert finding.as_json() == {"game": 3, "turn": None, "seat": 1, "rule": "scoring", "message": "wrong"}
