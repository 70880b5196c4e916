"""`planner`: one joint plan over all its tickets."""

from ttr_sim.bots.model import Parameter, Style
from ttr_sim.bots.skills.claiming import claim_urgent_aim
from ttr_sim.bots.skills.drawing import clear_wishes, draw_card
from ttr_sim.bots.skills.endgame import claim_for_points
from ttr_sim.bots.skills.extras import choose_extras
from ttr_sim.bots.skills.goals import collect_goals
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.offers import best_mask
from ttr_sim.bots.skills.pace import turns_left
from ttr_sim.bots.skills.planning import best_trial
from ttr_sim.bots.skills.plans import adopt_trial, is_plan_good, lacking_for_aims, wish_for_aims
from ttr_sim.bots.skills.prices import price_by_turns
from ttr_sim.bots.skills.prospects import worth_of_drawing
from ttr_sim.bots.skills.racing import wish_for_long
from ttr_sim.bots.skills.stationing import build_for_loans
from ttr_sim.bots.skills.tastes import CAUTION, CURIOSITY, EAGER, EXTRA, GOODS, PASSENGER, PATIENCE, SLACK, TEMPO
from ttr_sim.engine.actions import ASK_KEEP, ASK_SECOND, ASK_TURN, DEFAULT, draw_tickets, keep
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.tickets import may_draw_tickets

ENDGAME = 6.0  # turns before the end from which plans are renewed every turn


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    if view.decision == ASK_KEEP:
        price_by_turns(board, view, seat, mind)
        return keep(best_mask(board, view, mind, turns_left(board, view), seat.parameters[CAUTION]))
    if view.decision == ASK_TURN:
        answer = _act(board, view, seat, mind)
        if answer != DEFAULT:
            return answer
    if view.decision == ASK_TURN or view.decision == ASK_SECOND:
        return _draw(board, view, seat, mind)
    return DEFAULT


@compiled
def _act(board, view, seat, mind):
    turns = turns_left(board, view)
    if turns < ENDGAME or not is_plan_good(view, seat, mind):
        _plan(board, view, seat, mind, turns)
    if turns <= 1.0:
        return _act_last(board, view, seat, mind)
    choose_extras(board, view, seat, mind, turns)
    answer = claim_urgent_aim(board, view, mind, seat.parameters[PATIENCE] if turns > ENDGAME else 100.0)
    if answer == DEFAULT and (mind.n_aims == 0 or turns < ENDGAME):
        answer = build_for_loans(board, view, mind)
    if answer == DEFAULT and _wants_tickets(board, view, seat, mind, turns):
        answer = draw_tickets()
    return answer


@compiled
def _plan(board, view, seat, mind, turns):
    price_by_turns(board, view, seat, mind)
    collect_goals(board, view, mind)
    best_trial(board, view, mind, turns)
    adopt_trial(view, seat, mind)


@compiled
def _act_last(board, view, seat, mind):
    """The last turn: a station that completes a ticket, or the claim that pays most."""
    answer = DEFAULT
    if mind.n_aims == 0:
        answer = build_for_loans(board, view, mind)
    if answer == DEFAULT:
        answer = claim_for_points(board, view, mind, seat.parameters[PASSENGER], seat.parameters[GOODS])
    return answer


@compiled
def _wants_tickets(board, view, seat, mind, turns):
    if not may_draw_tickets(board, view) or lacking_for_aims(board, view, mind) > seat.parameters[EAGER]:
        return False
    if mind.offer_version != 1 + view.board_version + 1000 * view.n_tickets:
        mind.offer_version = 1 + view.board_version + 1000 * view.n_tickets
        price_by_turns(board, view, seat, mind)
        spare = turns - mind.n_aims - 1.0
        mind.offer_value = worth_of_drawing(board, view, mind, 0, board.deck_draw[0], spare)
    return mind.offer_value > seat.parameters[TEMPO] + seat.parameters[CURIOSITY]


@compiled
def _draw(board, view, seat, mind):
    clear_wishes(board, mind)
    wish_for_aims(board, view, mind, 0.3)
    if mind.n_targets == 0:
        wish_for_long(board, view, mind, 1.0, view.trains[view.seat])
    return draw_card(board, view, mind)


PARAMETERS = (
    Parameter("greed", 1.0, 0.0, 2.0, "share of a route's points that counts when ways are weighed"),
    Parameter("tempo", 2.5, 0.0, 10.0, "points a turn is worth"),
    Parameter("train", 0.7, 0.0, 5.0, "points a train is worth"),
    Parameter("thrift", 0.5, 0.0, 1.0, "share of the cards in hand that make a route cheaper"),
    Parameter("patience", 2.0, 0.0, 10.0, "wilds and needed cards it spends on a claim without waiting"),
    Parameter("caution", 2.0, -20.0, 40.0, "points a ticket must gain beyond its price to be kept"),
    Parameter("curiosity", 2.0, -20.0, 40.0, "points beyond a turn that a draw of tickets must promise"),
    Parameter("eager", 2.0, 0.0, 50.0, "cards the plan may still lack when tickets are drawn"),
    Parameter("extra", 0.05, 0.0, 1.0, "weight of long routes beside the plan when cards are drawn"),
    Parameter("slack", 1.0, 0.0, 10.0, "how much shorter than the longest open route an extra one may be"),
    Parameter("urgency", 1.0, 0.0, 10.0, "weight of contested routes when aims compete"),
    Parameter("tunnel", 0.6, 0.0, 3.0, "extra cards it expects a tunnel to ask"),
    Parameter("station", 2.0, -20.0, 40.0, "points it would rather pay than build a station"),
    Parameter("passenger", 3.0, 0.0, 20.0, "points a passenger is worth"),
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
