"""`hungry`: tickets, tickets, tickets."""

from ttr_sim.bots.api import Parameter, Style
from ttr_sim.bots.planner.claiming import claim_best, follow_plan
from ttr_sim.bots.planner.drawing import ANY_COLOR, draw_for_targets
from ttr_sim.bots.planner.endgame import turns_left, turns_of_game
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.plan import FOREVER, adopt_candidate, build_by_value, is_plan_good
from ttr_sim.bots.planner.tickets import NO_FAVORITE, best_mask_by_trains, draw_from, mask_of_all
from ttr_sim.bots.planner.ways import price_by_trains
from ttr_sim.bots.planner.worth import collect_goals, count_unmet
from ttr_sim.engine.actions import ASK_KEEP, ASK_TURN, DEFAULT, keep
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.tickets import may_draw_tickets

APPETITE, TIME = range(2)
# Trains of a detour for which a station is built instead.
LOAN = 6.0


@compiled
def choose(board, view, seat):
    memory = memory_of(seat)
    if view.decision == ASK_KEEP:
        # All tickets of the first offer, later only those still within reach.
        return keep(mask_of_all(view) if view.turn < 0 else best_mask_by_trains(board, view, memory, LOAN))
    answer = take_turn(board, view, seat, memory) if view.decision == ASK_TURN else DEFAULT
    return answer if answer != DEFAULT else draw_for_targets(board, view, memory, ANY_COLOR)


@compiled
def take_turn(board, view, seat, memory):
    has_time = turns_left(board, view) >= seat.parameters[TIME] * turns_of_game(board)
    if has_time and count_unmet(board, view) < seat.parameters[APPETITE] and may_draw_tickets(board, view):
        return draw_from(board, view, NO_FAVORITE)
    if not is_plan_good(view, seat, memory):
        price_by_trains(board, view, memory, LOAN)
        collect_goals(board, view, memory)
        build_by_value(board, view, memory, FOREVER)
        adopt_candidate(view, seat, memory)
    answer = follow_plan(board, view, memory)
    if answer == DEFAULT and memory.n_aims == 0:
        answer = claim_best(board, view, memory, 1, view.trains[view.seat])
    return answer


STYLE = Style(
    name="hungry",
    idea="Keeps every ticket of its first offer and draws more whenever it has only a few left to complete. "
    "It builds one network for all of its tickets and ignores the points of routes.",
    choose=choose,
    parameters=(
        Parameter("appetite", 3.0, 1.0, 12.0, "open tickets it likes to have"),
        Parameter("time", 0.35, 0.0, 1.0, "share of the game that must be left to draw more"),
    ),
    plans=True,
)
