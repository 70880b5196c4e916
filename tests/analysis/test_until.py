"""How far runs are played on, and what they wait for."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.analysis.synthetic import World, write_run
from ttr_sim.analysis.headlines import precision
from ttr_sim.analysis.until import MOST_GAMES, QUICK_LOOKS, Within, looks, play_until, quick_looks
from ttr_sim.errors import UserError
from ttr_sim.run.opened import Run, open_run

ALIKE = World(bots={"planner": 0.0})


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    home = tmp_path_factory.mktemp("growing")
    return [open_run(write_run(home / str(blocks), ALIKE, blocks)) for blocks in (400, 1_600, 6_400)]


def test_looks_are_fixed_numbers_up_to_the_most_allowed() -> None:
    assert list(looks(9_000)) == [2_000, 3_000, 4_000, 6_000, 8_000, 9_000]
    assert list(looks(500)) == [500]
    every = list(looks(MOST_GAMES))
    assert (len(every), every[-1]) == (19, MOST_GAMES)
    assert all(1 < after / before <= 1.5 for before, after in pairwise(every))


def test_quick_looks_end_at_the_most_allowed() -> None:
    assert list(quick_looks(20_000)) == [*QUICK_LOOKS, 20_000]
    assert list(quick_looks(2_000)) == [1_000, 2_000]


def test_playing_ends_when_enough_is_known_or_the_looks_are_over() -> None:
    assert play_until(lambda games: games, looks(1_000_000), lambda played: played > 5_000) == 6_000
    assert play_until(lambda games: games, looks(5_000), lambda played: False) == 5_000


def test_four_times_the_games_are_known_twice_as_well(growing: list[Run]) -> None:
    known = [precision([run]).half_width for run in growing]
    assert all(1.8 < before / after < 3.5 for before, after in pairwise(known))  # a sequence narrows a little faster


def test_several_player_counts_share_their_tickets(growing: list[Run], tmp_path: Path) -> None:
    more = open_run(write_run(tmp_path / "three", ALIKE, 1_600, players=3))
    assert precision([growing[1], more]).half_width < precision([growing[1]]).half_width
    assert precision([growing[1], more]).headline.startswith("being dealt ")


def test_within_says_how_far_it_has_come(growing: list[Run]) -> None:
    said: list[str] = []
    within = Within(0.05, said.append)
    assert [within([run]) for run in growing] == [False, False, True]
    assert said[0].startswith("800 games: every headline is known to ±")
    assert "wins in 100 (least: being dealt" in said[0]


def test_a_single_block_says_nothing_yet(tmp_path: Path) -> None:
    said: list[str] = []
    assert not Within(0.5, said.append)([open_run(write_run(tmp_path / "one", ALIKE, 1))])
    assert "too few to know anything" in said[0]


def test_nothing_can_be_known_exactly() -> None:
    with pytest.raises(UserError):
        Within(0.0, print)
