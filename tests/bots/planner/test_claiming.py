"""What an opponent evidently needs."""

from __future__ import annotations

from tests.bots.planner.skill_bench import bench
from tests.engine.rig import give
from ttr_sim.bots.planner.claiming import claim_block
from ttr_sim.engine.actions import DEFAULT, first_of

READY = 5.0


def test_the_gap_in_an_opponents_network_is_taken() -> None:
    at = bench()
    at.hold(red=3, blue=3)
    assert claim_block(at.board, at.view, at.memory, READY) == DEFAULT
    other = 1 - int(at.view["seat"])
    give(at.game, other, at.route("Kansas City", "Oklahoma City"), at.route("Dallas", "Houston"))
    gap = at.route("Dallas", "Oklahoma City")
    answer = claim_block(at.board, at.view, at.memory, READY)
    group = at.game.edition.routes[gap].group
    assert at.game.edition.routes[first_of(answer)].group == group


def test_nothing_is_blocked_without_readiness() -> None:
    at = bench()
    at.hold(red=3, blue=3)
    other = 1 - int(at.view["seat"])
    give(at.game, other, at.route("Kansas City", "Oklahoma City"), at.route("Dallas", "Houston"))
    assert claim_block(at.board, at.view, at.memory, 0.0) == DEFAULT
