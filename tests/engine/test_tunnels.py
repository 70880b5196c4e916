"""Tunnels: laid down, revealed, paid or given up."""

from __future__ import annotations

from itertools import product

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import can_answer, deck, discards, gray_tunnel, hand, letters, new_game, rig, row, with_rules
from ttr_sim.edition.model import Tunnels
from ttr_sim.engine.actions import ASK_TUNNEL, WILD, claim, give_up, pay_tunnel
from ttr_sim.engine.stepping import Game

RED, BLUE, GREEN, YELLOW, ORANGE, PINK, WHITE, BLACK = range(8)
FULL_ROW = "yyooo"


def dig(cards: str, color: int, wilds: int, revealed: str, length: int = 2, reveal: int = 3) -> tuple[Game, int]:
    """Seat 0 lays cards down for a gray tunnel while the deck holds what will be revealed on top."""
    edition = "europe" if reveal == 3 else with_rules("europe", tunnels=Tunnels(reveal))
    game = rig(new_game(edition), hands={0: cards}, row=FULL_ROW, on_top=revealed)
    tunnel = gray_tunnel(game, length)
    game.apply(claim(tunnel, color, wilds))
    return game, tunnel


def is_asked(game: Game) -> bool:
    return bool(game.view["decision"] == ASK_TUNNEL)


def owner(game: Game, tunnel: int) -> int:
    return int(game.view["owner"][tunnel])


def test_europe_tunnel_without_surcharge_is_claimed_at_once() -> None:
    game, tunnel = dig("rrrr", RED, 0, "gbk")
    assert (owner(game, tunnel), hand(game, 0), discards(game)) == (0, "rr", "rrbgk")
    assert game.seat == 1


@pytest.mark.parametrize(
    ("revealed", "cost"), [("rbk", 1), ("*bk", 1), ("rrk", 2), ("r*k", 2), ("rrr", 3), ("***", 3), ("r**", 3)]
)
def test_europe_tunnel_costs_a_card_for_each_match(revealed: str, cost: int) -> None:
    game, tunnel = dig("rrrrrr", RED, 0, revealed)
    assert is_asked(game)
    assert int(game.view["tunnel_cost"]) == cost
    game.apply(pay_tunnel(0))
    assert (owner(game, tunnel), hand(game, 0)) == (0, "r" * (4 - cost))
    assert sorted(discards(game)) == sorted("rr" + "r" * cost + revealed)
    check_invariants(game)


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_europe_tunnel_surcharge_in_every_mix(wilds: int) -> None:
    game, tunnel = dig("rrrr***", RED, 1, "r*k")
    game.apply(pay_tunnel(wilds))
    assert (owner(game, tunnel), hand(game, 0)) == (0, "r" * (3 - 2 + wilds) + "*" * (2 - wilds))
    check_invariants(game)


def test_europe_tunnel_surcharge_listed_as_brute_force_finds_it() -> None:
    for reds, wilds, revealed in product(range(4), range(4), ("rbk", "rrk", "rrr")):
        game, _ = dig("rr" + "r" * reds + "*" * wilds, RED, 0, revealed)
        cost = revealed.count("r")
        expected = {pay_tunnel(n) for n in range(cost + 1) if n <= wilds and cost - n <= reds}
        if expected:
            assert set(game.choices()) == expected | {give_up()}
        else:
            assert not is_asked(game)


def test_europe_tunnel_laid_down_as_wilds_costs_for_wilds_only() -> None:
    game, tunnel = dig("**rrr", WILD, 2, "rgb")
    assert (owner(game, tunnel), hand(game, 0)) == (0, "rrr")


def test_europe_tunnel_laid_down_as_wilds_costs_wilds() -> None:
    game, tunnel = dig("****rrr", WILD, 2, "*rb")
    assert set(game.choices()) == {pay_tunnel(1), give_up()}
    game.apply(pay_tunnel(1))
    assert (owner(game, tunnel), hand(game, 0)) == (0, "rrr*")


def test_europe_tunnel_of_wilds_is_given_up_without_a_further_wild() -> None:
    game, tunnel = dig("**rrr", WILD, 2, "*rb")
    assert (owner(game, tunnel), hand(game, 0), game.seat) == (-1, "rrr**", 1)


def test_europe_tunnel_is_given_up_by_who_cannot_pay() -> None:
    game, tunnel = dig("rrg", RED, 0, "rbk")
    assert (owner(game, tunnel), hand(game, 0), game.seat) == (-1, "rrg", 1)
    assert discards(game) == "rbk"
    assert int(game.view["trains"][0]) == 45
    assert int(game.view["score"][0]) == 0
    check_invariants(game)


def test_europe_tunnel_may_be_given_up_by_who_could_pay() -> None:
    game, tunnel = dig("rrr*", RED, 1, "rbk")
    game.apply(give_up())
    assert (owner(game, tunnel), hand(game, 0), discards(game), game.seat) == (-1, "rrr*", "rbk", 1)
    assert letters(game, game.view["spent"][0]) == ""
    check_invariants(game)


def test_laid_down_cards_do_not_pay_the_surcharge() -> None:
    game, _ = dig("rrr", RED, 0, "rbk")
    assert hand(game, 0) == "r"
    assert int(game.view["hand_cards"][0]) == 1
    assert not can_answer(game, pay_tunnel(1))


@pytest.mark.parametrize(("left", "discarded"), [("r", ""), ("", "r"), ("rb", ""), ("r", "b")])
def test_europe_tunnel_reveals_what_there_is(left: str, discarded: str) -> None:
    game = rig(new_game("europe"), hands={0: "rrrr"}, row=FULL_ROW, deck=left, discards=discarded)
    game.apply(claim(gray_tunnel(game, 2), RED, 0))
    assert int(game.view["tunnel_cost"]) == 1
    assert sorted(discards(game)) == sorted(left + discarded)


def test_europe_tunnel_is_free_when_nothing_can_be_revealed() -> None:
    game = rig(new_game("europe"), hands={0: "rr"}, row=FULL_ROW, deck="")
    tunnel = gray_tunnel(game, 2)
    game.apply(claim(tunnel, RED, 0))
    assert (owner(game, tunnel), discards(game)) == (0, "rr")


def test_laid_down_cards_are_not_turned_up_by_a_reshuffle() -> None:
    """Deck and discards hold two cards in all; the two laid down must not follow as third and fourth."""
    game = rig(new_game("europe"), hands={0: "rrrr"}, row=FULL_ROW, deck="b", discards="g")
    tunnel = gray_tunnel(game, 2)
    game.apply(claim(tunnel, RED, 0))
    assert (owner(game, tunnel), sorted(discards(game) + deck(game))) == (0, sorted("rrbg"))


def test_revealed_cards_are_not_turned_up_twice() -> None:
    game = rig(new_game("europe"), hands={0: "rrrr"}, row=FULL_ROW, deck="r", discards="r")
    game.apply(claim(gray_tunnel(game, 2), RED, 0))
    assert int(game.view["tunnel_cost"]) == 2


def test_tunnel_is_a_plain_route_where_the_edition_has_no_tunnels() -> None:
    game = rig(new_game(with_rules("europe", tunnels=None)), hands={0: "rr"}, row=FULL_ROW, on_top="rrr")
    tunnel = gray_tunnel(game, 2)
    game.apply(claim(tunnel, RED, 0))
    assert owner(game, tunnel) == 0


def test_tunnel_that_reveals_none() -> None:
    game, tunnel = dig("rr", RED, 0, "rrr", reveal=0)
    assert (owner(game, tunnel), discards(game)) == (0, "rr")


def test_short_row_fills_with_the_cards_revealed() -> None:
    """The tunnel is given up: of row and revealed card five lie open."""
    game = rig(new_game("europe"), hands={0: "rr"}, row="yyoo", deck="r")
    game.apply(claim(gray_tunnel(game, 2), RED, 0))
    assert (row(game), hand(game, 0)) == ("ryyoo", "rr")
