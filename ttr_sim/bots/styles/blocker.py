"""`blocker`: the planner that spoils."""

from dataclasses import replace

from ttr_sim.bots.api import Style
from ttr_sim.bots.styles import planner

READINESS = 1.5

STYLE = Style(
    name="blocker",
    idea="Plans like the planner, and also claims short free routes that would join two parts of an opponent's "
    "network. It shows how much deliberate blocking hurts on a board.",
    choose=planner.choose,
    parameters=tuple(
        replace(parameter, default=READINESS) if parameter.name == "block" else parameter
        for parameter in planner.STYLE.parameters
    ),
    plans=True,
    tuned_as="planner",
)
