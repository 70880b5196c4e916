"""`planner`: one joint plan over all its tickets."""

from ttr_sim.bots.model import Parameter, Style
from ttr_sim.bots.skills.blocking import claim_block
from ttr_sim.bots.skills.claiming import claim_urgent_aim
from ttr_sim.bots.skills.drawing import clear_wishes, draw_card
from ttr_sim.bots.skills.endgame import claim_for_points
from ttr_sim.bots.skills.extras import choose_extras
from ttr_sim.bots.skills.goals import collect_goals
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.mixes import draw_from
from ttr_sim.bots.skills.offers import best_mask
from ttr_sim.bots.skills.pace import turn_points, turns_left
from ttr_sim.bots.skills.passengers import choose_passenger
from ttr_sim.bots.skills.planning import best_trial
from ttr_sim.bots.skills.plans import adopt_trial, is_plan_good, lacking_for_aims, ticket_mark, wish_for_aims
from ttr_sim.bots.skills.prices import price_by_turns
from ttr_sim.bots.skills.prospects import best_deck, gain_of_discarding
from ttr_sim.bots.skills.racing import wish_for_long
from ttr_sim.bots.skills.stationing import build_for_loans
from ttr_sim.bots.skills.tastes import (
    BLOCK,
    CAUTION,
    CURIOSITY,
    EAGER,
    GOODS,
    GRAY,
    HURRY,
    PASSENGER,
    PATIENCE,
    TEMPO,
)
from ttr_sim.bots.skills.tunnels import pay_or_give_up
from ttr_sim.bots.skills.worth import weigh_finds
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
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.instant_tickets import can_discard
from ttr_sim.engine.tickets import may_draw_tickets

MOST_EATEN = 2  # cards of the plan a tunnel may eat
WHATEVER = 1000.0
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
    return _draw(board, view, seat, mind)


@compiled
def _choose_tickets(board, view, seat, mind):
    """The mix that promises most, or the offered tickets that add most to the plan."""
    turns = turns_left(board, view)
    price_by_turns(board, view, seat, mind)
    if view.decision == ASK_MIX:
        _, deck = best_deck(board, view, mind, turns)
        return draw_from(board, view, deck)
    return keep(best_mask(board, view, mind, turns, seat.parameters[CAUTION] * turn_points(board, mind)))


@compiled
def _act(board, view, seat, mind):
    turns = turns_left(board, view)
    if turns < ENDGAME or not is_plan_good(view, seat, mind):
        _plan(board, view, seat, mind, turns)
    if turns <= 1.0:
        return _act_last(board, view, mind)
    choose_extras(board, view, seat, mind, turns)
    patience = seat.parameters[PATIENCE] * seat.parameters[HURRY] / turns
    if turns <= seat.parameters[HURRY] or lacking_for_aims(board, view, mind) == 0:
        patience = WHATEVER
    answer = claim_urgent_aim(board, view, mind, patience)
    if answer == DEFAULT and seat.parameters[BLOCK] > 0:
        answer = claim_block(board, view, mind, seat.parameters[BLOCK])
    if answer == DEFAULT and (mind.n_aims == 0 or turns < ENDGAME):
        answer = build_for_loans(board, view, mind)
    if answer == DEFAULT:
        answer = _change_tickets(board, view, seat, mind, turns)
    return answer


@compiled
def _plan(board, view, seat, mind, turns):
    price_by_turns(board, view, seat, mind)
    collect_goals(board, view, mind)
    best_trial(board, view, mind, turns)
    adopt_trial(view, seat, mind)


@compiled
def _act_last(board, view, mind):
    """The last turn: a station that completes a ticket, or the claim that pays most."""
    answer = DEFAULT
    if mind.n_aims == 0:
        answer = build_for_loans(board, view, mind)
    return claim_for_points(board, view, mind) if answer == DEFAULT else answer


@compiled
def _change_tickets(board, view, seat, mind, turns):
    """Draw tickets, or discard the held ones, when that promises more than the turn it takes; else DEFAULT."""
    if can_discard(board, view):
        _weigh_change(board, view, seat, mind, turns)
        return discard_tickets() if mind.change_worth > seat.parameters[CURIOSITY] else DEFAULT
    if not may_draw_tickets(board, view) or lacking_for_aims(board, view, mind) > seat.parameters[EAGER]:
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


@compiled
def _draw(board, view, seat, mind):
    clear_wishes(board, mind)
    wish_for_aims(board, view, mind, seat.parameters[GRAY])
    if mind.n_targets == 0:
        wish_for_long(board, view, mind, 1.0, view.trains[view.seat])
    return draw_card(board, view, mind)


PARAMETERS = (
    Parameter("greed", 1.0, 0.0, 2.0, "share of a route's points that counts when ways are weighed"),
    Parameter("tempo", 0.85, 0.0, 3.0, "worth of a turn, in what a turn of long routes pays"),
    Parameter("train", 0.2, 0.0, 2.0, "worth of a train, in what a turn of long routes pays"),
    Parameter("thrift", 0.3, 0.0, 1.0, "share of the cards in hand that make a route cheaper"),
    Parameter("patience", 0.15, 0.0, 2.0, "wilds and needed cards it spends on a claim without waiting"),
    Parameter("caution", 1.0, -5.0, 20.0, "turns of long routes that a ticket must gain beyond its price to be kept"),
    Parameter("curiosity", -0.5, -5.0, 5.0, "turns of long routes that drawing tickets must promise beyond its own"),
    Parameter("eager", 0.0, 0.0, 50.0, "cards the plan may still lack when tickets are drawn"),
    Parameter("gray", 0.2, 0.0, 1.0, "wish for any color where a gray route lacks cards of its fullest one"),
    Parameter("hurry", 3.0, 0.0, 40.0, "turns before the end from which cards are no longer spared"),
    Parameter("faceup", 0.2, 0.0, 1.0, "share of the cards that lie face up that make a route cheaper"),
    Parameter("tunnel", 0.6, 0.0, 3.0, "extra cards it expects a tunnel to ask"),
    Parameter("station", 2.0, -20.0, 40.0, "points it would rather pay than build a station"),
    Parameter("passenger", 0.15, 0.0, 5.0, "weight of passengers' points"),
    Parameter("goods", 1.5, 0.0, 20.0, "points a merchandise card is worth"),
    Parameter("block", 0.0, 0.0, 10.0, "readiness to take what an opponent evidently needs"),
)

STYLE = Style(
    name="planner",
    idea="Lays one network over all its tickets, dear routes and turns weighed against points, and renews it only when "
    "the board or a ticket asks for it. It keeps and draws tickets by what they would add to that network.",
    choose=choose,
    parameters=PARAMETERS,
    plans=True,
)
