"""Skills one at a time: paying, drawing cards, blocking, passengers, ending a won game."""

from __future__ import annotations

import pytest

from tests.bots.planner.skill_bench import Bench, bench
from tests.engine.rig import RED
from ttr_sim.bots.planner.claiming import claim_block, claim_target, claim_to_finish
from ttr_sim.bots.planner.drawing import draw_card
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.paying import CANNOT_PAY, best_payment, claim_in_color, claim_payable, missing_cards
from ttr_sim.bots.planner.ways import price_by_turns
from ttr_sim.bots.planner.worth import choose_passenger, color_worth, lead_of
from ttr_sim.bots.styles import planner
from ttr_sim.engine import actions

READY = 5.0


def test_wilds_fill_what_the_color_lacks() -> None:
    at = bench()
    route = at.game.route("Helena", "Seattle")  # six yellow
    at.hold(yellow=4, wilds=3, red=9)
    assert missing_cards(at.board, at.view, route) == 0
    assert claim_payable(at.board, at.view, at.memory, route) == actions.claim(route, at.color("yellow"), 2)
    at.hold(yellow=4, wilds=1)
    assert missing_cards(at.board, at.view, route) == 1
    assert best_payment(at.board, at.view, at.memory, route)[0] == CANNOT_PAY


def test_gray_route_spares_the_color_the_plan_needs() -> None:
    at = bench()
    route = at.game.route("Santa Fe", "El Paso")  # two gray
    at.hold(yellow=2, blue=2)
    at.memory["need"][at.color("yellow")] = 6
    harm, color = best_payment(at.board, at.view, at.memory, route)
    assert (harm, color) == (0, at.color("blue"))
    at.memory["need"][at.color("blue")] = 2
    assert best_payment(at.board, at.view, at.memory, route)[0] == 2


def test_wilds_alone_are_claimed_as_such_and_a_ferry_asks_for_its_own() -> None:
    at = bench()
    route = at.game.route("Santa Fe", "El Paso")
    at.hold(wilds=2)
    assert claim_in_color(at.board, at.view, route, at.color("red")) == actions.claim(route, actions.WILD, 2)
    at = bench("europe")
    ferry = next(row for row, route in enumerate(at.game.edition.routes) if route.locomotives == 2)
    at.hold(red=12, wilds=1)
    assert missing_cards(at.board, at.view, ferry) == 1
    assert best_payment(at.board, at.view, at.memory, ferry)[0] == CANNOT_PAY


def test_tunnel_is_tried_with_a_card_to_spare_until_the_last_turn() -> None:
    at = bench("europe")
    tunnel = at.game.gray_tunnel(2)
    at.hold(red=2)
    assert missing_cards(at.board, at.view, tunnel) == 1
    at.view["final_turns"] = 1
    assert missing_cards(at.board, at.view, tunnel) == 0


@pytest.fixture
def at() -> Bench:
    """An empty hand, and a red, a blue and a wild card face up."""
    found = bench()
    found.hold()
    found.put(found.view["row"], wilds=1, red=1, blue=1)
    return found


@pytest.mark.parametrize(
    ("decision", "wishes", "answer"),
    [
        (actions.ASK_TURN, {"red": 1.0}, actions.draw_row(RED)),
        (actions.ASK_TURN, {"green": 1.0}, actions.draw_deck()),
        (actions.ASK_TURN, {"wilds": 3.0, "red": 0.8, "blue": 0.8}, actions.draw_row(actions.WILD)),
        (actions.ASK_TURN, {"wilds": 1.0, "red": 0.9, "blue": 0.8}, actions.draw_row(RED)),
        (actions.ASK_SECOND, {"wilds": 9.0, "red": 0.1}, actions.draw_deck()),
    ],
    ids=["color", "deck when the row is of no use", "wild worth two cards", "wild worth less", "wild as second card"],
)
def test_the_card_worth_most_is_drawn(at: Bench, decision: int, wishes: dict[str, float], answer: int) -> None:
    at.view["decision"] = decision
    at.put(at.memory["wish"], **wishes)
    assert draw_card(at.board, at.view, at.memory) == answer


@pytest.mark.parametrize("readiness", [0.0, READY])
def test_the_gap_in_an_opponents_network_is_taken(readiness: float) -> None:
    at = bench()
    at.hold(red=3, blue=3)
    assert claim_block(at.board, at.view, at.memory, readiness) == actions.DEFAULT
    other = 1 - at.me
    at.game.give_between(other, ("Kansas City", "Oklahoma City"), ("Dallas", "Houston"))
    answer = claim_block(at.board, at.view, at.memory, readiness)
    if readiness == 0:
        assert answer == actions.DEFAULT
    else:
        group = at.game.edition.routes[at.game.route("Dallas", "Oklahoma City")].group
        assert at.game.edition.routes[actions.unpack(answer)[1]].group == group


def test_the_first_of_a_color_is_worth_more_than_one_of_a_decided_one() -> None:
    at = bench("germany")
    at.view["passengers"][:] = 0
    berlin = at.game.city("Berlin")
    red, blue = at.color("red"), at.color("blue")
    at.view["passengers"][berlin][[red, blue]] = 1
    at.view["held_passengers"][at.me, red] = 8
    at.view["passenger_city"] = berlin
    assert color_worth(at.board, at.view, blue) > color_worth(at.board, at.view, red)
    assert choose_passenger(at.board, at.view) == actions.passenger(blue)


HIDDEN_TICKET = 8.0
PLENTY = 40.0  # turns


def won_game(players: int, length: int) -> Bench:
    """The mover is ahead with its ticket met, and can pay for a last route of this length."""
    at = bench("usa", players)
    me = at.me
    at.game.give_between(me, ("Dallas", "Houston"), ("Dallas", "Oklahoma City"), ("Kansas City", "Oklahoma City"))
    at.view["tickets"][0] = at.game.ticket("Houston", "Kansas City")
    at.view["n_tickets"] = 1
    at.view["held_tickets"][:players] = 2
    at.view["trains"][:players], at.view["score"][:players] = 20, 40
    at.view["trains"][me], at.view["score"][me] = length + 2, 60
    at.hold(yellow=length)
    return at


# The kind of position that planners lost by drawing on: with two players a short claim ends it, with four a long one.
@pytest.mark.parametrize(("players", "length"), [(2, 3), (4, 6)])
def test_a_won_game_is_ended(players: int, length: int) -> None:
    at = won_game(players, length)
    at.seat["parameters"][PARAM.finish] = HIDDEN_TICKET
    answer = planner.choose(at.board, at.view, at.seat)
    assert actions.unpack(answer)[0] == actions.ANSWER_CLAIM
    assert at.game.edition.routes[actions.unpack(answer)[1]].length == length


def finish(at: Bench) -> int:
    return int(claim_to_finish(at.board, at.view, at.memory, HIDDEN_TICKET, 0.0))


def test_a_game_that_is_not_surely_won_goes_on() -> None:
    at = won_game(2, 3)
    me, rival = at.me, 1 - at.me
    assert finish(at) != actions.DEFAULT
    lead = 60 + 5 - (40 + 2 * HIDDEN_TICKET)
    assert lead_of(at.board, at.view, HIDDEN_TICKET) == lead
    at.view["score"][rival] += int(lead) + 1
    assert finish(at) == actions.DEFAULT, "behind"
    at = won_game(2, 3)
    at.view["trains"][me] = 6
    assert finish(at) == actions.DEFAULT, "the claim leaves three trains"
    at = won_game(2, 3)
    at.view["tickets"][1], at.view["n_tickets"] = at.view["tickets"][0] + 1, 2
    assert finish(at) == actions.DEFAULT, "a ticket is not met"
    at = won_game(2, 3)
    at.hold(yellow=1)
    assert finish(at) == actions.DEFAULT, "nothing can be paid for"


@pytest.mark.parametrize(("score", "calm", "gambles"), [(60, 0.0, True), (60, PLENTY, False), (40, PLENTY, True)])
def test_tickets_are_no_gamble_for_who_is_ahead(score: int, calm: float, gambles: bool) -> None:
    at = won_game(2, 10)
    at.hold()
    at.view["score"][at.me] = score
    values = at.seat["parameters"]
    values[[PARAM.finish, PARAM.calm]] = HIDDEN_TICKET, calm
    values[[PARAM.curiosity, PARAM.eager, PARAM.tempo]] = -5.0, 50.0, 0.0
    assert (actions.unpack(planner.choose(at.board, at.view, at.seat))[0] == actions.ANSWER_TICKETS) == gambles


@pytest.mark.parametrize(("deck", "hand", "claims"), [(60, 14, False), (20, 14, True), (20, 4, False)])
def test_a_large_hand_is_spent_when_the_deck_runs_out(deck: int, hand: int, claims: bool) -> None:
    at = bench("usa", 5)
    at.hold(red=3, blue=3, green=6)
    at.seat["parameters"][[PARAM.hoard, PARAM.thin]] = 30.0, 0.25
    at.view["deck_cards"], at.view["discard_cards"] = deck, 0
    at.view["hand_cards"][:5] = 10
    at.view["hand_cards"][at.me] = hand
    answer = claim_target(at.board, at.view, at.seat, at.memory, PLENTY)
    assert (answer != actions.DEFAULT) == claims


def test_ways_that_rivals_may_close_are_dearer() -> None:
    at = bench()
    contested, other = at.game.route("Seattle", "Helena"), at.game.route("Miami", "Charleston")
    at.game.give_between(1 - at.me, ("Calgary", "Seattle"), ("Calgary", "Helena"))
    price_by_turns(at.board, at.view, at.seat, at.memory)
    before = at.memory["price"].copy()
    at.seat["parameters"][PARAM.doubt] = 1.0
    price_by_turns(at.board, at.view, at.seat, at.memory)
    assert at.memory["price"][contested] > before[contested]
    assert at.memory["price"][other] == before[other]
