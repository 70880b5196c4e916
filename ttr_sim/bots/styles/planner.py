"""`planner`: one joint plan over all its tickets."""

from ttr_sim.bots.skills import tastes
from ttr_sim.bots.skills.claiming import LAST_TURN, build_for_loans, claim_block, claim_target
from ttr_sim.bots.skills.drawing import draw_for_targets
from ttr_sim.bots.skills.endgame import turns_expected
from ttr_sim.bots.skills.goals import collect_goals
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.paying import lacking_for_aims, lacking_for_targets, pay_or_give_up
from ttr_sim.bots.skills.planning import adopt_trial, best_trial, is_plan_good, ticket_mark
from ttr_sim.bots.skills.tickets import best_deck, best_mask, draw_from, gain_of_discarding
from ttr_sim.bots.skills.ways import price_by_turns
from ttr_sim.bots.skills.worth import choose_passenger, turn_points, weigh_finds
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
from ttr_sim.engine.instant_tickets import can_discard
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.tickets import may_draw_tickets

MOST_SPENT = 2  # cards the plan needs that a tunnel may take
ENDGAME = 6.0  # turns before the end from which plans are renewed every turn


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    _recall_tastes(board, seat, mind)
    if view.decision == ASK_PASSENGER:
        return choose_passenger(board, view)
    if view.decision == ASK_TUNNEL:
        return pay_or_give_up(board, view, mind, turns_expected(board, view, seat), MOST_SPENT)
    if view.decision in (ASK_MIX, ASK_KEEP):
        return _choose_tickets(board, view, seat, mind)
    answer = _act(board, view, seat, mind) if view.decision == ASK_TURN else DEFAULT
    return answer if answer != DEFAULT else draw_for_targets(board, view, mind, seat.parameters[tastes.GRAY])


@part
def _recall_tastes(board, seat, mind):
    mind.detour, mind.synergy = seat.parameters[tastes.DETOUR], seat.parameters[tastes.SYNERGY]
    mind.hope, mind.focus = seat.parameters[tastes.HOPE], seat.parameters[tastes.FOCUS]
    mind.joker = seat.parameters[tastes.JOKER]
    mind.ticket_bonus = seat.parameters[tastes.TOUR] * max(0, board.globetrotter_points)


@part
def _choose_tickets(board, view, seat, mind):
    """Return the mix that promises most, or the offered tickets that add most to the plan."""
    turns = turns_expected(board, view, seat)
    price_by_turns(board, view, seat, mind)
    if view.decision == ASK_MIX:
        _, deck = best_deck(board, view, mind, turns)
        return draw_from(board, view, deck)
    return keep(best_mask(board, view, mind, turns, seat.parameters[tastes.CAUTION] * turn_points(board, mind)))


@part
def _act(board, view, seat, mind):
    weigh_finds(board, view, mind, seat.parameters[tastes.PASSENGER], seat.parameters[tastes.GOODS])
    turns = turns_expected(board, view, seat)
    is_late = turns < ENDGAME + seat.parameters[tastes.HORIZON]
    if is_late or not is_plan_good(view, seat, mind):
        _plan(board, view, seat, mind, turns)
    if turns > LAST_TURN and seat.parameters[tastes.AMBITION] > 0 and not can_discard(board, view):
        answer = _draw_tickets(
            board, view, seat, mind, turns, lacking_for_aims(board, view, mind), seat.parameters[tastes.AMBITION]
        )
        if answer != DEFAULT:
            return answer
    answer = claim_target(board, view, seat, mind, turns)
    if answer != DEFAULT or turns <= LAST_TURN:
        return answer
    if seat.parameters[tastes.BLOCK] > 0:
        answer = claim_block(board, view, mind, seat.parameters[tastes.BLOCK])
    if answer == DEFAULT and (mind.n_aims == 0 or is_late):
        answer = build_for_loans(board, view, mind)
    if answer == DEFAULT:
        answer = _change_tickets(board, view, seat, mind, turns)
    return answer


@part
def _plan(board, view, seat, mind, turns):
    collect_goals(board, view, mind)
    if mind.n_goals > 0:
        price_by_turns(board, view, seat, mind)
    best_trial(board, view, mind, turns)
    adopt_trial(view, seat, mind)


@part
def _change_tickets(board, view, seat, mind, turns):
    """Draw tickets, or discard the held ones, when that promises more than the turn it takes; else DEFAULT."""
    if can_discard(board, view):
        _weigh_change(board, view, seat, mind, turns)
        return discard_tickets() if mind.change_worth > seat.parameters[tastes.CURIOSITY] else DEFAULT
    return _draw_tickets(
        board, view, seat, mind, turns, lacking_for_targets(board, view, mind), seat.parameters[tastes.EAGER]
    )


@compiled
def _draw_tickets(board, view, seat, mind, turns, lacking, most):
    """Draw tickets when the plan lacks few cards, and they promise more than the turn it takes; else DEFAULT."""
    if not may_draw_tickets(board, view) or lacking > most:
        return DEFAULT
    _weigh_change(board, view, seat, mind, turns - mind.n_aims - 1.0 - lacking / 2.0)
    if mind.change_worth <= seat.parameters[tastes.CURIOSITY]:
        return DEFAULT
    return draw_from(board, view, mind.change_deck)


@compiled
def _weigh_change(board, view, seat, mind, turns):
    """Set mind.change_worth and mind.change_deck, once for each state of its network and tickets."""
    mark = ticket_mark(view) ^ view.trains[view.seat]
    if mind.change_mark == mark:
        return
    mind.change_mark = mark
    price_by_turns(board, view, seat, mind)
    if can_discard(board, view):
        worth = gain_of_discarding(board, view, mind, turns)
    else:
        worth, mind.change_deck = best_deck(board, view, mind, turns)
    mind.change_worth = worth / turn_points(board, mind) - seat.parameters[tastes.TEMPO]


STYLE = Style(
    name="planner",
    idea="Plans one network for all of its tickets, weighing trains and turns against points, and plans again only "
    "when a route is lost or tickets change. It keeps and draws tickets by what they would add to that network.",
    choose=choose,
    parameters=tastes.ROUTE_TASTES + tastes.TICKET_TASTES + tastes.FORESIGHT,
    plans=True,
)
