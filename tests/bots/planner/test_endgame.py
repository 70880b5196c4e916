"""A won game is ended, tickets are no gamble for who is ahead, and cards are not hoarded beyond a fair share."""

from __future__ import annotations

import pytest

from tests.bots.planner.skill_bench import Bench, bench
from ttr_sim.bots.planner.claiming import claim_target, claim_to_finish
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.ways import price_by_turns
from ttr_sim.bots.planner.worth import lead_of
from ttr_sim.bots.styles import planner
from ttr_sim.engine.actions import ANSWER_CLAIM, ANSWER_TICKETS, DEFAULT, unpack

HIDDEN_TICKET = 8.0
PLENTY = 40.0  # turns


def won_game(players: int, length: int) -> Bench:
    """The mover is ahead with its ticket met, and can pay for a last route of this length."""
    at = bench("usa", players)
    me = int(at.view["seat"])
    at.game.give(me, *(at.game.route(*ends) for ends in (("Dallas", "Houston"), ("Dallas", "Oklahoma City"))))
    at.game.give(me, at.game.route("Kansas City", "Oklahoma City"))
    ends = {"Houston", "Kansas City"}
    at.view["tickets"][0] = next(
        row for row, ticket in enumerate(at.game.edition.tickets) if {ticket.a, ticket.b} == ends
    )
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
    assert unpack(answer)[0] == ANSWER_CLAIM
    assert at.game.edition.routes[unpack(answer)[1]].length == length


def finish(at: Bench) -> int:
    return int(claim_to_finish(at.board, at.view, at.memory, HIDDEN_TICKET, 0.0))


def test_a_game_that_is_not_surely_won_goes_on() -> None:
    at = won_game(2, 3)
    me, rival = int(at.view["seat"]), 1 - int(at.view["seat"])
    assert finish(at) != DEFAULT
    lead = 60 + 5 - (40 + 2 * HIDDEN_TICKET)
    assert lead_of(at.board, at.view, HIDDEN_TICKET) == lead
    at.view["score"][rival] += int(lead) + 1
    assert finish(at) == DEFAULT, "behind"
    at = won_game(2, 3)
    at.view["trains"][me] = 6
    assert finish(at) == DEFAULT, "the claim leaves three trains"
    at = won_game(2, 3)
    at.view["tickets"][1], at.view["n_tickets"] = at.view["tickets"][0] + 1, 2
    assert finish(at) == DEFAULT, "a ticket is not met"
    at = won_game(2, 3)
    at.hold(yellow=1)
    assert finish(at) == DEFAULT, "nothing can be paid for"


@pytest.mark.parametrize(("score", "calm", "gambles"), [(60, 0.0, True), (60, PLENTY, False), (40, PLENTY, True)])
def test_tickets_are_no_gamble_for_who_is_ahead(score: int, calm: float, gambles: bool) -> None:
    at = won_game(2, 10)
    at.hold()
    at.view["score"][at.view["seat"]] = score
    values = at.seat["parameters"]
    values[[PARAM.finish, PARAM.calm]] = HIDDEN_TICKET, calm
    values[[PARAM.curiosity, PARAM.eager, PARAM.tempo]] = -5.0, 50.0, 0.0
    assert (unpack(planner.choose(at.board, at.view, at.seat))[0] == ANSWER_TICKETS) == gambles


@pytest.mark.parametrize(("deck", "hand", "claims"), [(60, 14, False), (20, 14, True), (20, 4, False)])
def test_a_large_hand_is_spent_when_the_deck_runs_out(deck: int, hand: int, claims: bool) -> None:
    at = bench("usa", 5)
    at.hold(red=3, blue=3, green=6)
    at.seat["parameters"][[PARAM.hoard, PARAM.thin]] = 30.0, 0.25
    at.view["deck_cards"], at.view["discard_cards"] = deck, 0
    at.view["hand_cards"][:5] = 10
    at.view["hand_cards"][at.view["seat"]] = hand
    answer = claim_target(at.board, at.view, at.seat, at.memory, PLENTY)
    assert (answer != DEFAULT) == claims


def test_ways_that_rivals_may_close_are_dearer() -> None:
    at = bench()
    contested, other = at.game.route("Seattle", "Helena"), at.game.route("Miami", "Charleston")
    at.game.give(1 - int(at.view["seat"]), at.game.route("Calgary", "Seattle"), at.game.route("Calgary", "Helena"))
    price_by_turns(at.board, at.view, at.seat, at.memory)
    before = at.memory["price"].copy()
    at.seat["parameters"][PARAM.doubt] = 1.0
    price_by_turns(at.board, at.view, at.seat, at.memory)
    assert at.memory["price"][contested] > before[contested]
    assert at.memory["price"][other] == before[other]
