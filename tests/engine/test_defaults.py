"""What is done for a bot that has no opinion."""

from __future__ import annotations

from tests.engine import kernels
from tests.engine.rig import code, edition_of, gray_tunnel, new_game, rig, rig_tickets
from ttr_sim.engine.actions import ASK_PASSENGER, WILD, claim, draw_deck, draw_tickets, keep, passenger, pay_tunnel
from ttr_sim.engine.stepping import Game

RED = 0


def default(game: Game) -> int:
    return int(kernels.without_opinion(game.boards, game.states))


def test_a_card_from_the_deck_is_drawn() -> None:
    game = new_game("usa")
    assert default(game) == draw_deck()
    game.apply(draw_deck())
    assert default(game) == draw_deck()


def test_without_a_card_in_the_deck_the_first_choice_is_taken() -> None:
    game = rig(new_game("usa"), hands={0: ""}, row="r", deck="")
    assert default(game) == game.choices()[0]


def test_the_cheapest_tickets_are_kept_and_no_more_than_must_be() -> None:
    points = [entry.points for entry in edition_of("usa").tickets]
    game = rig_tickets(new_game("usa"), {}, [[points.index(21), points.index(5), points.index(9)]])
    game.apply(draw_tickets())
    assert default(game) == keep(0b010)


def test_a_tunnel_is_paid_with_few_wilds() -> None:
    game = rig(new_game("europe"), hands={0: "rrr**"}, row="bbbgg", on_top="rrk")
    game.apply(claim(gray_tunnel(game, 2), RED, 0))
    assert default(game) == pay_tunnel(1)


def test_the_passenger_held_most_of_is_taken() -> None:
    game = rig(new_game("germany"), hands={0: "*" * 14})
    cities = game.edition.cities
    row = next(row for row, e in enumerate(game.edition.routes) if not cities[e.a].country and not cities[e.b].country)
    game.view["passengers"][game.edition.routes[row].a] = 0
    for letter in "rbk":
        game.view["passengers"][game.edition.routes[row].a][code(game, letter)] = 1
    game.view["held_passengers"][0][code(game, "b")] = 2
    game.apply(claim(row, WILD, game.edition.routes[row].length))
    assert game.view["decision"] == ASK_PASSENGER
    assert default(game) == passenger(code(game, "b"))
