"""Legal answers of whole games at every step, and the default ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import RED, Position, any_answer, edition_of, new_game
from tests.mixed_editions import mixed_edition
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import ASK_PASSENGER, claim, draw_deck, draw_tickets, keep, passenger, pay_tunnel
from ttr_sim.engine.stepping import default_of_mover

ROOM = np.zeros(100_000, np.int64)


def play_and_check(edition: Edition, players: int, seed: int, most: int = 400) -> Position:
    random, game = Random(seed), Position(edition, players, seed=seed)
    for step in range(most):
        check_invariants(game)
        if game.is_over:
            break
        if step % 3 == 0:  # each is listed once and legal, and no answer beyond the list is
            choices = game.choices()
            legal = {int(answer) for answer in ROOM[: kernels.search_legal(game.boards, game.states, ROOM)]}
            assert len(choices) == len(set(choices)) > 0
            assert set(choices) == legal
            assert default_of_mover(game.boards, game.states) in legal
        game.apply(any_answer(game, random))
    return game


@pytest.mark.parametrize("most", [None, pytest.param(5_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", official_names())
def test_everything_adds_up_on_official_editions(name: str, most: int | None) -> None:
    edition = edition_of(name)
    for players in range(edition.players[0], edition.players[1] + 1):
        game = play_and_check(edition, players, players, most or (150 if players in {2, 4} else 60))
        assert game.is_over or most is None


SLOW_SEEDS = [pytest.param(seed, 5_000, marks=pytest.mark.slow) for seed in range(100, 180)]


@pytest.mark.parametrize(("seed", "most"), [*((seed, 120) for seed in range(30)), *SLOW_SEEDS])
def test_everything_adds_up_on_mixed_editions(seed: int, most: int, tmp_path: Path) -> None:
    edition = load_edition(mixed_edition(seed, tmp_path / "mixed"))
    if most == 5_000:
        edition = replace(edition, max_turns=min(40, edition.max_turns))
    for players in {edition.players[0], edition.players[1]}:
        game = play_and_check(edition, players, seed, most)
        assert game.is_over or most == 120


def default(game: Position) -> int:
    return int(default_of_mover(game.boards, game.states))


def test_a_card_is_drawn_from_the_deck_or_else_the_first_choice() -> None:
    game = new_game("usa")
    assert default(game) == draw_deck()
    game.apply(draw_deck())
    assert default(game) == draw_deck()
    game = new_game("usa").rig(hands={0: ""}, row="r", deck="")
    assert default(game) == game.choices()[0]


def test_the_cheapest_tickets_are_kept_and_no_more_than_must_be() -> None:
    points = [entry.points for entry in edition_of("usa").tickets]
    game = new_game("usa").rig_tickets({}, [[points.index(21), points.index(5), points.index(9)]])
    game.apply(draw_tickets())
    assert default(game) == keep(0b010)


def test_a_tunnel_is_paid_with_few_wilds() -> None:
    game = new_game("europe").rig(hands={0: "rrr**"}, row="bbbgg", on_top="rrk")
    game.apply(claim(game.gray_tunnel(2), RED, 0))
    assert default(game) == pay_tunnel(1)


def test_the_passenger_held_most_of_is_taken() -> None:
    game = new_game("germany").rig(hands={0: "*" * 14})
    cities = game.edition.cities
    row = next(row for row, e in enumerate(game.edition.routes) if not cities[e.a].country and not cities[e.b].country)
    waiting = game.view["passengers"][game.edition.routes[row].a]
    waiting[:] = 0
    waiting[[game.code(letter) for letter in "rbk"]] = 1
    game.view["held_passengers"][0][game.code("b")] = 2
    game.claim_wild(row)
    assert game.view["decision"] == ASK_PASSENGER
    assert default(game) == passenger(game.code("b"))
