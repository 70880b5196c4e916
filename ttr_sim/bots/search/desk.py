"""Where the search works: the worlds it plays in and what it has found out about its candidates."""

from typing import Any

import numpy as np
from numba import from_dtype
from numba.extending import intrinsic

from ttr_sim.edition.limits import MAX_PLAYERS, MAX_ROUTES, MAX_TICKETS
from ttr_sim.engine.records import STATE, WORKSPACE

MAX_CANDIDATES = 64

_i1, _i8, _f8 = np.int8, np.int64, np.float64

DESK = np.dtype(
    [
        ("world", STATE),  # as the engine hands it over: what the mover knows
        ("pulse", _i8),
        ("sample", STATE),  # the same with the hidden dealt again: each candidate is tried on it
        ("play", STATE),  # a sample being played out
        ("n", _i8),  # candidates; the first is the planner's answer
        ("rounds", _i8),  # samples played so far
        ("playouts", _i8),
        ("answers", _i8, MAX_CANDIDATES),
        ("alive", _i1, MAX_CANDIDATES),
        ("value", _f8, MAX_CANDIDATES),  # in the last round
        ("gain", _f8, MAX_CANDIDATES),  # over the planner's answer, summed over the rounds
        ("square", _f8, MAX_CANDIDATES),  # of the gains, summed
        ("fits", _f8, (MAX_PLAYERS, MAX_TICKETS)),  # see beliefs.judge_fits
        ("wanted", _i8, MAX_ROUTES),  # by the others' plans, in how many worlds
        ("promise", _f8, MAX_ROUTES),  # of claiming the route
        ("color", _i8, MAX_ROUTES),  # in which it would be paid
    ],
    align=True,
)
assert DESK.itemsize <= WORKSPACE.itemsize


@intrinsic
def desk_of(typing_context: Any, view: Any) -> Any:
    """Return the workspace that begins with this view as a DESK record, without a copy."""
    desk = from_dtype(DESK)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(desk))

    return desk(view), generate
