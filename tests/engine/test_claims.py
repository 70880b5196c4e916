"""Claiming routes: payments, trains, parallel routes, ferries, tunnels."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import BLUE, GREEN, RED, Position, edition_of, new_game, pairs_of, with_rules
from ttr_sim.edition.model import Edition, Tunnels
from ttr_sim.engine.actions import ANSWER_CLAIM, ASK_TUNNEL, WILD, claim, give_up, pay_tunnel


def payments(game: Position, row: int, cards: str | None = None) -> set[tuple[int, int]]:
    """(color, wilds) of every listed claim of a route, with the mover's cards or these."""
    if cards is not None:
        game.rig(hands={0: cards})
    answers = [answer for answer in game.choices() if answer & 255 == ANSWER_CLAIM and answer >> 8 & 255 == row]
    assert len(answers) == len(set(answers))
    return {(answer >> 16 & 255, answer >> 24 & 255) for answer in answers}


def brute_force_payments(game: Position, row: int) -> set[tuple[int, int]]:
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


PAYMENTS: dict[str, tuple[str, str, set[tuple[int, int]]]] = {
    "its color and wilds": ("Atlanta-Miami", "bbbb**ggggg", {(BLUE, 1), (BLUE, 2)}),
    "its color alone": ("Atlanta-Miami", "bbbbb", {(BLUE, 0)}),
    "not another color": ("Atlanta-Miami", "ggggg****", set()),
    "wilds alone": ("Atlanta-Miami", "*****", {(WILD, 5)}),
    "gray: any color": ("Calgary-Vancouver", "rrrgg*", {(RED, 0), (RED, 1), (GREEN, 1)}),
    "gray: not two colors": ("Calgary-Vancouver", "rgb", set()),
    "the longest route": ("Portland-Salt Lake City", "bbbbbb", {(BLUE, 0)}),
}


@pytest.mark.parametrize(("ends", "cards", "listed"), PAYMENTS.values(), ids=PAYMENTS)
def test_route_is_paid_in_its_color_or_any_one_and_wilds(ends: str, cards: str, listed: set[tuple[int, int]]) -> None:
    game = new_game("usa")
    assert payments(game, game.route(*ends.split("-")), cards) == listed


def test_another_color_is_refused() -> None:
    game = new_game("usa").rig(hands={0: "bbbbbggggg"})
    row = game.route("Atlanta", "Miami")
    assert game.can_answer(claim(row, BLUE, 0)) and not game.can_answer(claim(row, GREEN, 0))


@pytest.mark.parametrize("name", ["usa", "europe", "amsterdam", "first_journey"])
def test_every_payment_of_random_hands_is_listed(name: str) -> None:
    random, edition = Random(7), edition_of(name)
    game = new_game(edition)
    pool = "".join(color.letter * color.cards for color in edition.colors) + "*" * edition.wilds
    for _ in range(15):
        game.rig(hands={0: "".join(random.sample(pool, random.randint(0, 20)))})
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
    assert not game.can_answer(claim(ferry, *refused))


def test_claim_pays_scores_and_places_trains() -> None:
    game = new_game("usa").rig(hands={0: "bbbb**g"})
    game.pay(game.route("Atlanta", "Miami"), "bbb**")
    game.expect(hand="bg", discards="bbb**", spent="bbb**", score=10, trains=40, seat=1, turn=1)
    check_invariants(game)


def test_race_routes_score_nothing() -> None:
    """Not even where the edition gives them points."""
    for edition in (edition_of("first_journey"), with_rules("first_journey", route_scores=(1, 2, 4, 7, 10, 15))):
        new_game(edition).give(0, 0, 10, 20).expect(score=0)


def test_too_few_trains() -> None:
    game = new_game(with_rules("usa", trains=4)).rig(hands={0: "bbbbb"})
    row = game.route("Atlanta", "Miami")
    assert game.why_not(claim(row, BLUE, 0)) == "too few trains are left"
    assert payments(game, row) == set()
    game = new_game(with_rules("usa", trains=5)).rig(hands={0: "bbbbb"})
    game.pay(row, "bbbbb")
    game.expect(trains=0)


def test_trains_left_limit_what_is_offered() -> None:
    game = new_game(with_rules("usa", trains=8)).give_between(0, ("Atlanta", "Miami"))
    assert payments(game, game.route("Helena", "Winnipeg"), "bbbbb") == set()
    assert all(game.why_not(choice) is None for choice in game.choices())


def _siblings(edition: Edition, size: int) -> list[int]:
    """The routes of the first group of this size."""
    groups: dict[int, list[int]] = {}
    for row, entry in enumerate(edition.routes):
        groups.setdefault(entry.group, []).append(row)
    return next(rows for rows in groups.values() if len(rows) == size)


def _open_to(game: Position, seat: int, rows: list[int]) -> list[int]:
    """The routes that this seat may claim with a hand that pays for anything."""
    everything = "".join(color.letter * color.cards for color in game.edition.colors) + "*" * game.edition.wilds
    game.rig(hands={seat: everything}, seat=seat)
    return [row for row in rows if game.can_answer(claim(row, WILD, game.edition.routes[row].length))]


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
    game.give(0, pair[0])
    assert _open_to(game, 0, pair) == []
    for other in range(1, players):
        assert _open_to(game, other, pair) == ([] if closed else pair[1:])


def test_germany_triple_route_by_number_of_players() -> None:
    for players in (2, 3, 4, 5):
        game = new_game("germany", players)
        triple = _siblings(game.edition, 3)
        game.give(0, triple[1])
        assert _open_to(game, 0, triple) == []
        assert _open_to(game, 1, triple) == ([] if players <= 3 else [triple[0], triple[2]])
        if players > 3:
            game.give(1, triple[0])
            assert (_open_to(game, 1, triple), _open_to(game, 2, triple)) == ([], [triple[2]])
        check_invariants(game, settled=False)


def dig(position: str) -> tuple[Position, int]:
    """Seat 0 lays cards down for a gray tunnel of two, and pays so many wilds extra or gives it up."""
    given = pairs_of(position)
    cards, laid, reveal, then = (given.pop(key, "3") for key in ("hand", "lay", "reveal", "then"))
    rules = Tunnels(int(reveal)) if reveal else None
    game = new_game(with_rules("europe", tunnels=rules)).rig(hands={0: cards}, **{"row": "yyooo", **given})
    tunnel = game.gray_tunnel(2)
    game.pay(tunnel, laid)
    if "then=" in position:
        game.apply(give_up() if then == "give-up" else pay_tunnel(int(then)))
    return game, tunnel


TUNNELS = {
    "claimed at once without surcharge": ("hand=rrrr lay=rr on_top=gbk", 0, "hand=rr discards=rrbgk seat=1"),
    "laid as wilds costs for wilds only": ("hand=**rrr lay=** on_top=rgb", 0, "hand=rrr"),
    "laid as wilds costs wilds": ("hand=****rrr lay=** on_top=*rb then=1", 0, "hand=rrr*"),
    "given up by who cannot pay": ("hand=rrg lay=rr on_top=rbk", -1, "hand=rrg discards=rbk seat=1 trains=45 score=0"),
    "given up without a further wild": ("hand=**rrr lay=** on_top=*rb", -1, "hand=rrr** discards=rb* seat=1"),
    "given up by choice": ("hand=rrr* lay=r* on_top=rbk then=give-up", -1, "hand=rrr* discards=rbk seat=1 spent="),
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
    "surcharge without wilds": ("hand=rrrr*** lay=r* on_top=r*k then=0", 0, "hand=r**"),
    "surcharge with a wild": ("hand=rrrr*** lay=r* on_top=r*k then=1", 0, "hand=rr*"),
    "surcharge in wilds": ("hand=rrrr*** lay=r* on_top=r*k then=2", 0, "hand=rrr"),
}


@pytest.mark.parametrize(("position", "owner_then", "facts"), TUNNELS.values(), ids=TUNNELS)
def test_europe_tunnel(position: str, owner_then: int, facts: str) -> None:
    game, tunnel = dig(position)
    game.expect(facts)
    assert int(game.view["owner"][tunnel]) == owner_then
    check_invariants(game)


@pytest.mark.parametrize(
    ("revealed", "cost"), [("rbk", 1), ("*bk", 1), ("rrk", 2), ("r*k", 2), ("rrr", 3), ("***", 3), ("r**", 3)]
)
def test_europe_tunnel_costs_a_card_for_each_match(revealed: str, cost: int) -> None:
    game, tunnel = dig(f"hand=rrrrrr lay=rr on_top={revealed}")
    game.expect(decision=ASK_TUNNEL, tunnel_cost=cost)
    game.apply(pay_tunnel(0))
    assert (int(game.view["owner"][tunnel]), game.hand(0)) == (0, "r" * (4 - cost))
    assert sorted(game.discards()) == sorted("rr" + "r" * cost + revealed)
    check_invariants(game)


def test_europe_tunnel_surcharge_listed_as_brute_force_finds_it() -> None:
    """Cards laid down do not pay it, and colored ones do not where wilds alone were laid down."""
    for reds, wilds, revealed in product(range(4), range(4), ("rbk", "rrk", "rrr")):
        game, _ = dig(f"hand={'rr' + 'r' * reds + '*' * wilds} lay=rr on_top={revealed}")
        cost = revealed.count("r")
        expected = {pay_tunnel(n) for n in range(cost + 1) if n <= wilds and cost - n <= reds}
        if expected:
            assert set(game.choices()) == expected | {give_up()}
            assert not game.can_answer(pay_tunnel(wilds + 1))
        else:
            assert game.view["decision"] != ASK_TUNNEL
    assert set(dig("hand=****rrr lay=** on_top=*rb")[0].choices()) == {pay_tunnel(1), give_up()}
