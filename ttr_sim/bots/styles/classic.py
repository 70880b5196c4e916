"""`classic`: the planner as it was first published, what later planners are measured against."""

from dataclasses import replace

from ttr_sim.bots.planner import params
from ttr_sim.bots.styles import planner

# It is the planner without params.FORESIGHT: parameters it does not have are 0, which must go on changing nothing.
# Its values for a board stand in bots.toml beside the planner's and are never tuned again.
STYLE = replace(
    planner.STYLE,
    name="classic",
    idea="The planner as it was first published, kept to measure later ones against. It plays in no study.",
    parameters=params.ROUTE_TASTES + params.TICKET_TASTES,
)
