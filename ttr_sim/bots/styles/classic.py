"""`classic`: the planner as it was first published, what later planners are measured against."""

from dataclasses import replace

from ttr_sim.bots.styles import planner

# As long as the planner is what it was, the two share everything. Whoever improves the planner keeps this bot as it is:
# a function of planner.py or of a skill that changes gets a new name for the new planner, and a `choose` of this file
# goes on calling the old one; parameters and tuned values that change are kept here, and `tuned_as` goes.
STYLE = replace(
    planner.STYLE,
    name="classic",
    idea="The planner as it was first published, kept to measure later ones against. It plays in no study.",
    tuned_as="planner",
)
