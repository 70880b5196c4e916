"""The planner's memory: one named record over the 10 KB of notes that the engine gives each seat."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype
from numba.extending import intrinsic

from ttr_sim.edition.limits import MAX_CITIES, MAX_COLORS, MAX_OFFER, MAX_ROUTES, MAX_STATIONS, MAX_TICKETS
from ttr_sim.engine.records import BOT_MEMORY, N_COLORS, N_MEMORY

MAX_GOALS = 24  # tickets planned for at a time; further ones wait
MAX_LISTED = MAX_GOALS + MAX_OFFER  # the same while tickets are offered
MAX_TARGETS = 56  # routes wanted at a time

_i2, _i4, _u8, _f4, _f8 = np.int16, np.int32, np.uint64, np.float32, np.float64

# State of the candidate plan after one more goal: stepping back to it is cheaper than building again.
STEP = np.dtype(
    [
        ("gain", _f8),
        ("satisfied", _i4),
        ("too_expensive", _i4),
        ("goal", _i2),
        ("n_candidate", _i2),
        ("trains", _i2),
        ("missing_cards", _i2),
        ("borrowed", _i2),
    ],
    align=True,
)

PLANNER_MEMORY = np.dtype(
    [
        # kept from turn to turn
        ("plan_version", _i4),  # 1 + the board version the plan was checked against; 0: no plan yet
        ("plan_tickets", _i4),  # tickets held when the plan was made
        ("change_mark", _i4),  # board and tickets that change_deck and change_worth belong to
        ("change_deck", _i4),
        ("n_aims", _i4),
        ("n_targets", _i4),
        ("change_worth", _f8),  # of drawing or discarding tickets
        ("turn_points", _f8),  # see worth.turn_points; 0: not known yet
        ("goods_worth", _f8),  # of a merchandise card
        # parameters that inner functions read; 0 changes nothing
        ("detour", _f8),
        ("synergy", _f8),
        ("hope", _f8),
        ("focus", _f8),
        ("joker", _f8),
        ("ticket_bonus", _f8),  # of each completed ticket
        ("n_loans", _i4),
        ("n_hopeful", _i4),  # tickets that can still be completed
        ("n_hopeless", _i4),  # tickets that no way leads to
        ("targets", _i2, MAX_TARGETS),  # free routes wanted: the first n_aims are the plan's, the others extra
        ("loans", _i2, MAX_STATIONS),  # routes of others it wants lent
        # scratch space
        ("n_goals", _i4),
        ("n_held", _i4),  # the first of them: of tickets held, not offered
        ("n_candidate", _i4),
        ("candidate_trains", _i4),
        ("bound_trains", _i4),  # kept for the plan when other tickets are weighed
        ("candidate_missing", _i4),  # its cards not in hand
        ("borrowed", _i4),  # routes of others on trial
        ("satisfied", _i4),  # goals on trial, a bit each
        ("too_expensive", _i4),  # goals whose way costs more than they bring
        ("n_best", _i4),
        ("candidate", _i2, MAX_TARGETS),
        ("best", _i2, MAX_TARGETS),  # the best trial so far
        ("depth", _i4),  # goals tried in the trial as it stands
        ("steps", STEP, MAX_GOALS + 1),  # how it came to that; the first step is none
        ("price", _f8, MAX_ROUTES),  # as board and hand stand
        ("cost", _f8, MAX_ROUTES),  # the same, but 0 for routes already on trial
        ("paying", _i2, MAX_ROUTES),  # routes that extras are chosen from
        ("n_paying", _i4),
        ("distance", _f8, MAX_CITIES),
        ("via", _i2, MAX_CITIES),
        ("frontier", _i2, MAX_CITIES),  # cities that wait to be settled, the nearest last
        ("frontier_cost", _f8, MAX_CITIES),  # their distances, in the same order
        ("waiting", _i4),
        ("joined", _u8, MAX_CITIES),  # see ways.join_free
        ("root", _u8),  # the cities that the ways lead from; 0: costs have changed since
        ("settled", _u8),
        ("goal_a", _u8, MAX_LISTED),  # sets of cities, a bit each
        ("goal_b", _u8, MAX_LISTED),
        ("goal_value", _f8, MAX_LISTED),
        ("order", _i2, MAX_LISTED),
        ("offered_goal", _i2, MAX_OFFER),  # of each ticket offered
        ("offered_worth", _f8, MAX_OFFER),  # what keeping it brings before any way is laid
        ("ranked", _i2, MAX_OFFER),  # tickets offered, the first to be laid last
        ("satisfied_by_value", _i4, 1 << MAX_OFFER),  # goals laid in the first trial of each mask
        ("color_worth", _f4, MAX_COLORS),  # of one more passenger
        ("city_worth", _f4, MAX_CITIES),  # of the best passenger waiting there
        ("route_worth", _f4, MAX_ROUTES),  # of attractions, districts and loops
        ("gains", _f4, MAX_TICKETS),  # of tickets that may be drawn
        ("need", _i2, N_COLORS),
        ("spare", _i2, N_COLORS),
        ("wish", _f8, N_COLORS),
    ],
    align=True,
)
assert PLANNER_MEMORY.itemsize <= 8 * N_MEMORY


@intrinsic
def memory_of(typing_context: Any, seat: Any) -> Any:
    """View the seat's memory as a PLANNER_MEMORY record, without a copy."""
    record = from_dtype(PLANNER_MEMORY)
    offset = BOT_MEMORY.fields["memory"][1]  # type: ignore[index]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        start = builder.bitcast(arguments[0], byte)
        memory = builder.gep(start, [ir.Constant(ir.IntType(64), offset)], source_etype=ir.IntType(8))
        return builder.bitcast(memory, context.get_value_type(record))

    return record(seat), generate
