"""Passengers by what they may still decide."""

from __future__ import annotations

from tests.bots.planner.skill_bench import bench
from ttr_sim.bots.planner.worth import choose_passenger, color_worth
from ttr_sim.engine.actions import passenger


def test_the_first_of_a_color_is_worth_more_than_one_of_a_decided_one() -> None:
    at = bench("germany")
    at.view["passengers"][:] = 0
    berlin = at.city("Berlin")
    red, blue = at.color("red"), at.color("blue")
    at.view["passengers"][berlin][[red, blue]] = 1
    at.view["held_passengers"][at.view["seat"], red] = 8
    at.view["passenger_city"] = berlin
    assert color_worth(at.board, at.view, blue) > color_worth(at.board, at.view, red)
    assert choose_passenger(at.board, at.view) == passenger(blue)
