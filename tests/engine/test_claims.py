"""Claiming routes: payments, trains, parallel routes, ferries, tunnels."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import (
    BLUE,
    GREEN,
    RED,
    can_answer,
    code,
    discards,
    edition_of,
    expect,
    give,
    give_between,
    gray_tunnel,
    hand,
    new_game,
    owner,
    pairs_of,
    rig,
    route,
    with_rules,
)
from ttr_sim.edition.model import Edition, Tunnels
from ttr_sim.engine.actions import ANSWER_CLAIM, ASK_TUNNEL, WILD, claim, give_up, pay_tunnel
from ttr_sim.engine.stepping import Game


def payments(game: Game, row: int, cards: str | None = None) -> set[tuple[int, int]]:
    """(color, wilds) of every listed claim of a route, with the mover's cards or these."""
    if cards is not None:
        rig(game, hands={0: cards})
    answers = [answer for answer in game.choices() if answer & 255 == ANSWER_CLAIM and answer >> 8 & 255 == row]
    assert len(answers) == len(set(answers))
    return {(answer >> 16 & 255, answer >> 24 & 255) for answer in answers}


def brute_force_payments(game: Game, row: int) -> set[tuple[int, int]]:
    """Every set of cards of the hand that pays for a route, by the words of the rulebook."""
    entry, cards = game.edition.routes[row], game.state["holdings"][game.seat]["hand"]
    found = set()
    for color, wilds in product(range(len(game.edition.colors)), range(entry.length)):
        fits = entry.color is None or entry.color == color
        held = cards[color] >= entry.length - wilds and cards[WILD] >= wilds
        if fits and held and wilds >= entry.locomotives:
            found.add((color, wilds))
    if cards[WILD] >= entry.length:
        found.add((WILD, entry.length))
    return found


def test_colored_route_takes_its_color_and_wilds() -> None:
    game = new_game("usa")
    row = route(game, "Atlanta", "Miami")
    assert game.edition.routes[row].color == BLUE
    assert payments(game, row, "bbbb**ggggg") == {(BLUE, 1), (BLUE, 2)}
    assert payments(game, row, "bbbbb") == {(BLUE, 0)}
    assert payments(game, row, "ggggg****") == set()
    rig(game, hands={0: "bbbbbggggg"})
    assert can_answer(game, claim(row, BLUE, 0)) and not can_answer(game, claim(row, GREEN, 0))


def test_wilds_alone_pay_any_route() -> None:
    game = new_game("usa")
    assert payments(game, route(game, "Atlanta", "Miami"), "*****") == {(WILD, 5)}


def test_gray_route_takes_any_one_color_and_no_two() -> None:
    game = new_game("usa")
    row = route(game, "Calgary", "Vancouver")
    assert payments(game, row, "rrrgg*") == {(RED, 0), (RED, 1), (GREEN, 1)}
    assert payments(game, row, "rgb") == set()


@pytest.mark.parametrize("name", ["usa", "europe", "amsterdam", "first_journey"])
def test_every_payment_of_random_hands_is_listed(name: str) -> None:
    random, edition = Random(7), edition_of(name)
    game = new_game(edition)
    pool = "".join(color.letter * color.cards for color in edition.colors) + "*" * edition.wilds
    for _ in range(15):
        rig(game, hands={0: "".join(random.sample(pool, random.randint(0, 20)))})
        for row in range(len(edition.routes)):
            assert payments(game, row) == brute_force_payments(game, row)


@pytest.mark.parametrize(
    ("cards", "listed", "refused"),
    [
        ("rrrrrr*", set(), (RED, 1)),
        ("rrrr**", {(RED, 2)}, (BLUE, 2)),
        ("rrrr****", {(RED, 2), (RED, 3), (RED, 4)}, (WILD, 5)),
        ("rg*****", {(RED, 5), (GREEN, 5)}, (WILD, 5)),
        ("******", {(WILD, 6)}, (WILD, 5)),
        ("rrrrr****", {(RED, 2), (RED, 3), (RED, 4)}, (RED, 1)),
        ("rrrr*", set(), (RED, 2)),
        ("rrr**", set(), (RED, 2)),
    ],
)
def test_europe_ferry_needs_its_locomotives(cards: str, listed: set[tuple[int, int]], refused: tuple[int, int]) -> None:
    """Refused are too few locomotives, and wilds or cards that are not in the hand."""
    game = new_game("europe")
    ferry = next(row for row, entry in enumerate(game.edition.routes) if (entry.locomotives, entry.length) == (2, 6))
    assert payments(game, ferry, cards) == listed
    assert not can_answer(game, claim(ferry, *refused))


def test_ferry_of_locomotives_only_takes_wilds_alone() -> None:
    routes = list(edition_of("europe").routes)
    ferry = next(row for row, entry in enumerate(routes) if entry.locomotives)
    length = routes[ferry].length
    routes[ferry] = replace(routes[ferry], locomotives=length)
    game = new_game(with_rules("europe", routes=tuple(routes)))
    assert payments(game, ferry, "rrrr" + "*" * length) == {(WILD, length)}


def test_claim_pays_scores_and_places_trains() -> None:
    game = rig(new_game("usa"), hands={0: "bbbb**g"})
    game.apply(claim(route(game, "Atlanta", "Miami"), BLUE, 2))
    expect(game, hand="bg", discards="bbb**", spent="bbb**", score=10, trains=40, seat=1, turn=1)
    check_invariants(game)


@pytest.mark.parametrize(("name", "longest"), [("usa", 6), ("europe", 8), ("germany", 7), ("amsterdam", 4)])
def test_route_scores_by_length(name: str, longest: int) -> None:
    scores = [1, 2, 4, 7, 10, 15, 18, 21][:longest]
    rows = {entry.length: row for row, entry in enumerate(edition_of(name).routes)}
    for length, row in rows.items():
        expect(give(new_game(name), 0, row), score=scores[length - 1])


def test_race_routes_score_nothing() -> None:
    """Not even where the edition gives them points."""
    for edition in (edition_of("first_journey"), with_rules("first_journey", route_scores=(1, 2, 4, 7, 10, 15))):
        expect(give(new_game(edition), 0, 0, 10, 20), score=0)


@pytest.mark.parametrize("owner_of_it", [0, 1])
def test_claimed_route_is_not_claimed_again(owner_of_it: int) -> None:
    game = give_between(new_game("usa"), owner_of_it, ("Atlanta", "Miami"))
    rig(game, hands={0: "bbbbb"})
    assert game.why_not(claim(route(game, "Atlanta", "Miami"), BLUE, 0)) == "the route is claimed or closed"


def test_too_few_trains() -> None:
    game = rig(new_game(with_rules("usa", trains=4)), hands={0: "bbbbb"})
    row = route(game, "Atlanta", "Miami")
    assert game.why_not(claim(row, BLUE, 0)) == "too few trains are left"
    assert payments(game, row) == set()


def test_trains_left_limit_what_is_offered() -> None:
    game = give_between(new_game(with_rules("usa", trains=8)), 0, ("Atlanta", "Miami"))
    assert payments(game, route(game, "Helena", "Winnipeg"), "bbbbb") == set()
    assert all(game.why_not(choice) is None for choice in game.choices())


def test_longest_route_is_offered() -> None:
    game = new_game("usa")
    assert payments(game, route(game, "Portland", "Salt Lake City"), "bbbbbb") == {(BLUE, 0)}


def test_last_trains_may_be_placed() -> None:
    game = rig(new_game(with_rules("usa", trains=5)), hands={0: "bbbbb"})
    game.apply(claim(route(game, "Atlanta", "Miami"), BLUE, 0))
    expect(game, trains=0)


def test_route_need_not_touch_ones_own() -> None:
    game = give_between(new_game("usa"), 0, ("Calgary", "Vancouver"))
    assert can_answer(rig(game, hands={0: "bbbbb"}), claim(route(game, "Atlanta", "Miami"), BLUE, 0))


def test_unknown_routes_and_colors_are_refused() -> None:
    game = rig(new_game("usa"), hands={0: "r" * 12 + "*" * 14})
    for answer in (claim(100, RED, 0), claim(255, WILD, 3), claim(0, 8, 1), claim(0, 13, 0), claim(0, RED, 9)):
        assert not can_answer(game, answer)


# Parallel routes


def _siblings(edition: Edition, size: int) -> list[int]:
    """The routes of the first group of this size."""
    groups: dict[int, list[int]] = {}
    for row, entry in enumerate(edition.routes):
        groups.setdefault(entry.group, []).append(row)
    return next(rows for rows in groups.values() if len(rows) == size)


def _open_to(game: Game, seat: int, rows: list[int]) -> list[int]:
    """The routes that this seat may claim with a hand that pays for anything."""
    everything = "".join(color.letter * color.cards for color in game.edition.colors) + "*" * game.edition.wilds
    rig(game, hands={seat: everything}, seat=seat)
    return [row for row in rows if can_answer(game, claim(row, WILD, game.edition.routes[row].length))]


@pytest.mark.parametrize(
    ("name", "players", "closed"),
    [
        *((name, players, players <= 3) for name in ("usa", "europe", "germany") for players in (2, 3, 4, 5)),
        *(("amsterdam", players, players <= 2) for players in (2, 3, 4)),
        *(("first_journey", players, False) for players in (2, 3, 4)),
    ],
)
def test_double_route_by_number_of_players(name: str, players: int, closed: bool) -> None:
    game = new_game(name, players)
    pair = _siblings(game.edition, 2)
    give(game, 0, pair[0])
    assert _open_to(game, 0, pair) == []
    for other in range(1, players):
        assert _open_to(game, other, pair) == ([] if closed else pair[1:])


@pytest.mark.parametrize(("players", "closed"), [(2, True), (3, True), (4, False), (5, False)])
def test_germany_triple_route_by_number_of_players(players: int, closed: bool) -> None:
    game = new_game("germany", players)
    triple = _siblings(game.edition, 3)
    give(game, 0, triple[1])
    assert _open_to(game, 0, triple) == []
    assert _open_to(game, 1, triple) == ([] if closed else [triple[0], triple[2]])
    if not closed:
        give(game, 1, triple[0])
        assert _open_to(game, 1, triple) == []
        assert _open_to(game, 2, triple) == [triple[2]]
    check_invariants(game, settled=False)


def test_routes_that_only_share_a_city_are_no_double_route() -> None:
    game = give_between(new_game("usa"), 0, ("Denver", "Omaha"))
    rows = [route(game, "Denver", "Kansas City"), route(game, "Kansas City", "Omaha")]
    assert _open_to(game, 0, rows) == rows


# Tunnels


def dig(position: str) -> tuple[Game, int]:
    """Seat 0 lays cards down for a gray tunnel of two."""
    given = pairs_of(position)
    cards, laid, reveal = given.pop("hand"), given.pop("lay"), given.pop("reveal", "3")
    rules = Tunnels(int(reveal)) if reveal else None
    game = rig(new_game(with_rules("europe", tunnels=rules)), hands={0: cards}, **{"row": "yyooo", **given})
    tunnel = gray_tunnel(game, 2)
    game.apply(claim(tunnel, code(game, laid[0]), laid.count("*")))
    return game, tunnel


TUNNELS = {
    "claimed at once without surcharge": ("hand=rrrr lay=rr on_top=gbk", 0, "hand=rr discards=rrbgk seat=1"),
    "laid as wilds costs for wilds only": ("hand=**rrr lay=** on_top=rgb", 0, "hand=rrr"),
    "given up by who cannot pay": (
        "hand=rrg lay=rr on_top=rbk",
        -1,
        "hand=rrg discards=rbk seat=1 trains=45 score=0",
    ),
    "given up without a further wild": ("hand=**rrr lay=** on_top=*rb", -1, "hand=rrr** discards=rb* seat=1"),
    "reveals the last card of the deck": ("hand=rrrr lay=rr deck=r", -1, "tunnel_cost=1 discards=r"),
    "reveals the last discard": ("hand=rrrr lay=rr deck= discards=r", -1, "tunnel_cost=1 discards=r"),
    "reveals the last two cards": ("hand=rrrr lay=rr deck=rb", -1, "tunnel_cost=1 discards=rb"),
    "reveals deck and discards": ("hand=rrrr lay=rr deck=r discards=b", -1, "tunnel_cost=1 discards=rb"),
    "reveals no card twice": ("hand=rrrr lay=rr deck=r discards=r", -1, "tunnel_cost=2 discards=rr"),
    "does not reveal the cards laid down": ("hand=rrrr lay=rr deck=b discards=g", 0, "discards=rrbg deck="),
    "is plain without a card left": ("hand=rr lay=rr deck=", 0, "hand= discards=rr"),
    "is plain in an edition without tunnels": ("hand=rr lay=rr on_top=rrr reveal=", 0, "hand= discards=rr"),
    "is plain where tunnels reveal none": ("hand=rr lay=rr on_top=rrr reveal=0", 0, "hand= discards=rr"),
    "a short row fills with the cards revealed": ("hand=rr lay=rr row=yyoo deck=r", -1, "hand=rr row=ryyoo"),
    "cards laid down have left the hand": ("hand=rrr lay=rr on_top=rbk", -1, "hand=r hand_cards=1"),
}


@pytest.mark.parametrize(("position", "owner_then", "facts"), TUNNELS.values(), ids=TUNNELS)
def test_europe_tunnel(position: str, owner_then: int, facts: str) -> None:
    game, tunnel = dig(position)
    expect(game, facts)
    assert owner(game, tunnel) == owner_then
    check_invariants(game)


@pytest.mark.parametrize(
    ("revealed", "cost"), [("rbk", 1), ("*bk", 1), ("rrk", 2), ("r*k", 2), ("rrr", 3), ("***", 3), ("r**", 3)]
)
def test_europe_tunnel_costs_a_card_for_each_match(revealed: str, cost: int) -> None:
    game, tunnel = dig(f"hand=rrrrrr lay=rr on_top={revealed}")
    expect(game, decision=ASK_TUNNEL, tunnel_cost=cost)
    game.apply(pay_tunnel(0))
    assert (owner(game, tunnel), hand(game, 0)) == (0, "r" * (4 - cost))
    assert sorted(discards(game)) == sorted("rr" + "r" * cost + revealed)
    check_invariants(game)


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_europe_tunnel_surcharge_in_every_mix(wilds: int) -> None:
    game, tunnel = dig("hand=rrrr*** lay=r* on_top=r*k")
    game.apply(pay_tunnel(wilds))
    assert (owner(game, tunnel), hand(game, 0)) == (0, "r" * (3 - 2 + wilds) + "*" * (2 - wilds))
    check_invariants(game)


def test_europe_tunnel_surcharge_listed_as_brute_force_finds_it() -> None:
    """Cards laid down do not pay it."""
    for reds, wilds, revealed in product(range(4), range(4), ("rbk", "rrk", "rrr")):
        game, _ = dig(f"hand={'rr' + 'r' * reds + '*' * wilds} lay=rr on_top={revealed}")
        cost = revealed.count("r")
        expected = {pay_tunnel(n) for n in range(cost + 1) if n <= wilds and cost - n <= reds}
        if expected:
            assert set(game.choices()) == expected | {give_up()}
            assert not can_answer(game, pay_tunnel(wilds + 1))
        else:
            assert game.view["decision"] != ASK_TUNNEL


def test_europe_tunnel_laid_down_as_wilds_costs_wilds() -> None:
    game, tunnel = dig("hand=****rrr lay=** on_top=*rb")
    assert set(game.choices()) == {pay_tunnel(1), give_up()}
    game.apply(pay_tunnel(1))
    assert (owner(game, tunnel), hand(game, 0)) == (0, "rrr*")


def test_europe_tunnel_may_be_given_up_by_who_could_pay() -> None:
    game, tunnel = dig("hand=rrr* lay=r* on_top=rbk")
    game.apply(give_up())
    expect(game, hand="rrr*", discards="rbk", seat=1, spent="")
    assert owner(game, tunnel) == -1
    check_invariants(game)
