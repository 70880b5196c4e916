"""Styles that weigh turns, trains and points: `planner` plans for all its tickets, `blocker` and `racer` vary it."""

from dataclasses import replace

from ttr_sim.bots.api import Style
from ttr_sim.bots.planner import claiming, worth
from ttr_sim.bots.planner.drawing import draw_for_targets, longest_open
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.params import FORESIGHT, PARAM, ROUTE_TASTES, TICKET_TASTES
from ttr_sim.bots.planner.paying import lacking_for_aims, lacking_for_targets, pay_or_give_up
from ttr_sim.bots.planner.plan import adopt_candidate, best_plan, is_plan_good, ticket_mark
from ttr_sim.bots.planner.tickets import best_deck, best_mask, draw_by_chance, draw_from, gain_of_discarding
from ttr_sim.bots.planner.ways import price_by_turns
from ttr_sim.engine import actions
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.tickets import can_discard, may_draw_tickets

MOST_SPENT = 2  # cards the plan needs that a tunnel may take
ENDGAME = 6.0  # turns before the end from which plans are renewed every turn
READINESS = 1.5  # the blocker's readiness to block
RESTLESS = 0.75  # a turn is worth less to the racer, who completes no tickets in it


@compiled
def choose(board, view, seat):
    memory = memory_of(seat)
    memory.detour, memory.synergy = seat.parameters[PARAM.detour], seat.parameters[PARAM.synergy]
    memory.hope, memory.focus = seat.parameters[PARAM.hope], seat.parameters[PARAM.focus]
    memory.joker = seat.parameters[PARAM.joker]
    memory.ticket_bonus = seat.parameters[PARAM.tour] * max(0, board.globetrotter_points)
    if view.decision == actions.ASK_PASSENGER:
        return worth.choose_passenger(board, view)
    if view.decision == actions.ASK_TUNNEL:
        return pay_or_give_up(board, view, memory, worth.turns_expected(board, view, seat), MOST_SPENT)
    if view.decision == actions.ASK_MIX and seat.parameters[PARAM.lottery] > 0:
        return draw_by_chance(board, view, seat)
    if view.decision in (actions.ASK_MIX, actions.ASK_KEEP):
        turns = worth.turns_expected(board, view, seat)
        price_by_turns(board, view, seat, memory)
        if view.decision == actions.ASK_MIX:
            return draw_from(board, view, best_deck(board, view, memory, turns)[1])
        return actions.keep(
            best_mask(board, view, memory, turns, seat.parameters[PARAM.caution] * worth.turn_points(board, memory))
        )
    answer = take_turn(board, view, seat, memory) if view.decision == actions.ASK_TURN else actions.DEFAULT
    return answer if answer != actions.DEFAULT else draw_for_targets(board, view, memory, seat.parameters[PARAM.gray])


@compiled
def take_turn(board, view, seat, memory):
    worth.weigh_finds(board, view, memory, seat.parameters[PARAM.passenger], seat.parameters[PARAM.goods])
    sight, district, loop = seat.parameters[PARAM.sight], seat.parameters[PARAM.district], seat.parameters[PARAM.loop]
    worth.weigh_end_bonuses(board, view, memory, sight, district, loop)
    if seat.parameters[PARAM.finish] > 0:
        answer = claiming.claim_to_finish(
            board, view, memory, seat.parameters[PARAM.finish], seat.parameters[PARAM.reach]
        )
        if answer != actions.DEFAULT:
            return answer
    turns = worth.turns_expected(board, view, seat)
    is_late = turns < ENDGAME + seat.parameters[PARAM.horizon]
    if is_late or not is_plan_good(view, seat, memory):
        worth.collect_goals(board, view, memory)
        if memory.n_goals > 0:
            price_by_turns(board, view, seat, memory)
        best_plan(board, view, memory, turns)
        adopt_candidate(view, seat, memory)
    if turns > claiming.LAST_TURN and seat.parameters[PARAM.ambition] > 0 and not can_discard(board, view):
        lacking = lacking_for_aims(board, view, memory)
        answer = _draw_tickets(board, view, seat, memory, turns, lacking, seat.parameters[PARAM.ambition])
        if answer != actions.DEFAULT:
            return answer
    answer = claiming.claim_target(board, view, seat, memory, turns)
    if answer != actions.DEFAULT or turns <= claiming.LAST_TURN:
        return answer
    if seat.parameters[PARAM.block] > 0:
        answer = claiming.claim_block(board, view, memory, seat.parameters[PARAM.block])
    if answer == actions.DEFAULT and (memory.n_aims == 0 or is_late):
        answer = claiming.build_for_loans(board, view, memory)
    if answer != actions.DEFAULT:
        return answer
    if can_discard(board, view):
        _weigh_change(board, view, seat, memory, turns)
        return actions.discard_tickets() if memory.change_worth > seat.parameters[PARAM.curiosity] else actions.DEFAULT
    lacking = lacking_for_targets(board, view, memory)
    return _draw_tickets(board, view, seat, memory, turns, lacking, seat.parameters[PARAM.eager])


@compiled
def _draw_tickets(board, view, seat, memory, turns, lacking, most):
    """Draw tickets when the plan lacks few cards and they gain more than their turn, or DEFAULT."""
    if not may_draw_tickets(board, view) or lacking > most:
        return actions.DEFAULT
    if turns < seat.parameters[PARAM.calm] and worth.lead_of(board, view, seat.parameters[PARAM.finish]) >= 0:
        return actions.DEFAULT
    _weigh_change(board, view, seat, memory, turns - memory.n_aims - 1.0 - lacking / 2.0)
    if memory.change_worth <= seat.parameters[PARAM.curiosity]:
        return actions.DEFAULT
    return draw_from(board, view, memory.change_deck)


@compiled
def _weigh_change(board, view, seat, memory, turns):
    """Set memory.change_worth and memory.change_deck, once for each state of network and tickets."""
    mark = ticket_mark(view) ^ view.trains[view.seat]
    if memory.change_mark == mark:
        return
    memory.change_mark = mark
    price_by_turns(board, view, seat, memory)
    if can_discard(board, view):
        gain = gain_of_discarding(board, view, memory, turns)
    else:
        gain, memory.change_deck = best_deck(board, view, memory, turns)
    memory.change_worth = gain / worth.turn_points(board, memory) - seat.parameters[PARAM.tempo]


@compiled
def choose_racer(board, view, seat):
    """Claim the route that pays most, or the longest one where routes score nothing."""
    memory = memory_of(seat)
    if view.decision == actions.ASK_PASSENGER:
        return worth.choose_passenger(board, view)
    answer = actions.DEFAULT
    if view.decision == actions.ASK_TURN:
        worth.weigh_finds(board, view, memory, seat.parameters[PARAM.passenger], seat.parameters[PARAM.goods])
        if board.routes_score:
            answer = claiming.claim_target(board, view, seat, memory, worth.turns_left(board, view))
        else:
            trains = view.trains[view.seat]
            answer = claiming.claim_best(board, view, memory, longest_open(board, view, trains), trains)
    return answer if answer != actions.DEFAULT else draw_for_targets(board, view, memory, seat.parameters[PARAM.gray])


def _with_default(parameters, name, default):
    """The same parameters, one of them with another default."""
    return tuple(replace(each, default=default) if each.name == name else each for each in parameters)


PLANNER = Style(
    name="planner",
    idea="Plans one network for all of its tickets, weighing trains and turns against points, and plans again only "
    "when a route is lost or tickets change. It keeps and draws tickets by what they would add to that network.",
    choose=choose,
    parameters=ROUTE_TASTES + TICKET_TASTES + FORESIGHT,
    plans=True,
)
BLOCKER = Style(
    name="blocker",
    idea="Plans like the planner, and also claims short free routes that would join two parts of an opponent's "
    "network. It shows how much deliberate blocking hurts on a board.",
    choose=choose,
    parameters=_with_default(PLANNER.parameters, "block", READINESS),
    plans=True,
    tuned_as="planner",
)
RACER = Style(
    name="racer",
    idea="Keeps as few and as cheap tickets as allowed and plays for the routes that pay most for their turns and "
    "trains. It lives on route points and ends the game before ticket players have finished.",
    choose=choose_racer,
    parameters=_with_default(ROUTE_TASTES, "tempo", RESTLESS),
    plans=True,
)
