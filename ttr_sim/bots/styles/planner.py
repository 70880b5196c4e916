"""`planner`: one joint plan over all its tickets."""

from ttr_sim.bots.skills.blocking import claim_block
from ttr_sim.bots.skills.endgame import claim_for_points
from ttr_sim.bots.skills.goals import collect_goals
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.mixes import draw_from
from ttr_sim.bots.skills.offers import best_mask
from ttr_sim.bots.skills.pace import turn_points, turns_left
from ttr_sim.bots.skills.passengers import choose_passenger
from ttr_sim.bots.skills.planning import best_trial
from ttr_sim.bots.skills.plans import adopt_trial, is_plan_good, lacking_for_targets, ticket_mark
from ttr_sim.bots.skills.prices import price_by_turns
from ttr_sim.bots.skills.prospects import best_deck, gain_of_discarding
from ttr_sim.bots.skills.stationing import build_for_loans
from ttr_sim.bots.skills.targets import claim_target, draw_for_targets
from ttr_sim.bots.skills.tastes import (
    BLOCK,
    CAUTION,
    CURIOSITY,
    EAGER,
    GOODS,
    GRAY,
    PASSENGER,
    ROUTE_TASTES,
    TEMPO,
    TICKET_TASTES,
)
from ttr_sim.bots.skills.tunnels import pay_or_give_up
from ttr_sim.bots.skills.worth import weigh_finds
from ttr_sim.bots.style import Style
from ttr_sim.engine.actions import (
    ASK_KEEP,
    ASK_MIX,
    ASK_PASSENGER,
    ASK_TUNNEL,
    ASK_TURN,
    DEFAULT,
    discard_tickets,
    keep,
)
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.instant_tickets import can_discard
from ttr_sim.engine.tickets import may_draw_tickets

MOST_EATEN = 2  # cards of the plan a tunnel may eat
ENDGAME = 6.0  # turns before the end from which plans are renewed every turn


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    if view.decision == ASK_PASSENGER:
        return choose_passenger(board, view)
    if view.decision == ASK_TUNNEL:
        return pay_or_give_up(board, view, mind, turns_left(board, view), MOST_EATEN)
    if view.decision == ASK_TURN:
        weigh_finds(board, view, mind, seat.parameters[PASSENGER], seat.parameters[GOODS])
    if view.decision in (ASK_MIX, ASK_KEEP):
        return _choose_tickets(board, view, seat, mind)
    if view.decision == ASK_TURN:
        answer = _act(board, view, seat, mind)
        if answer != DEFAULT:
            return answer
    return draw_for_targets(board, view, mind, seat.parameters[GRAY])


@part
def _choose_tickets(board, view, seat, mind):
    """The mix that promises most, or the offered tickets that add most to the plan."""
    turns = turns_left(board, view)
    price_by_turns(board, view, seat, mind)
    if view.decision == ASK_MIX:
        _, deck = best_deck(board, view, mind, turns)
        return draw_from(board, view, deck)
    return keep(best_mask(board, view, mind, turns, seat.parameters[CAUTION] * turn_points(board, mind)))


@part
def _act(board, view, seat, mind):
    turns = turns_left(board, view)
    if turns < ENDGAME or not is_plan_good(view, seat, mind):
        _plan(board, view, seat, mind, turns)
    if turns <= 1.0:
        return _act_last(board, view, mind)
    answer = claim_target(board, view, seat, mind, turns)
    if answer == DEFAULT and seat.parameters[BLOCK] > 0:
        answer = claim_block(board, view, mind, seat.parameters[BLOCK])
    if answer == DEFAULT and (mind.n_aims == 0 or turns < ENDGAME):
        answer = build_for_loans(board, view, mind)
    if answer == DEFAULT:
        answer = _change_tickets(board, view, seat, mind, turns)
    return answer


@part
def _plan(board, view, seat, mind, turns):
    price_by_turns(board, view, seat, mind)
    collect_goals(board, view, mind)
    best_trial(board, view, mind, turns)
    adopt_trial(view, seat, mind)


@part
def _act_last(board, view, mind):
    """The last turn: a station that completes a ticket, or the claim that pays most."""
    answer = DEFAULT
    if mind.n_aims == 0:
        answer = build_for_loans(board, view, mind)
    return claim_for_points(board, view, mind) if answer == DEFAULT else answer


@part
def _change_tickets(board, view, seat, mind, turns):
    """Draw tickets, or discard the held ones, when that promises more than the turn it takes; else DEFAULT."""
    if can_discard(board, view):
        _weigh_change(board, view, seat, mind, turns)
        return discard_tickets() if mind.change_worth > seat.parameters[CURIOSITY] else DEFAULT
    if not may_draw_tickets(board, view) or lacking_for_targets(board, view, mind) > seat.parameters[EAGER]:
        return DEFAULT
    _weigh_change(board, view, seat, mind, turns - mind.n_aims - 1.0)
    return draw_from(board, view, mind.change_deck) if mind.change_worth > seat.parameters[CURIOSITY] else DEFAULT


@compiled
def _weigh_change(board, view, seat, mind, turns):
    """Worked out once for each state of the own network and tickets."""
    mark = ticket_mark(view) ^ view.trains[view.seat]
    if mind.change_mark == mark:
        return
    mind.change_mark = mark
    price_by_turns(board, view, seat, mind)
    if can_discard(board, view):
        worth = gain_of_discarding(board, view, mind, turns)
    else:
        worth, mind.change_deck = best_deck(board, view, mind, turns)
    mind.change_worth = worth / turn_points(board, mind) - seat.parameters[TEMPO]


STYLE = Style(
    name="planner",
    idea="Lays one network over all its tickets, dear routes and turns weighed against points, and renews it only when "
    "the board or a ticket asks for it. It keeps and draws tickets by what they would add to that network.",
    choose=choose,
    parameters=ROUTE_TASTES + TICKET_TASTES,
    plans=True,
)
