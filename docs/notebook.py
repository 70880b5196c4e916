"""A first look at a board from Python. Run it as a script, or cell by cell in an editor that knows `# %%`."""

# %% A board: an official edition by name, or your own by its folder
import pandas as pd

import ttr_sim

GAMES = 2_000

edition = ttr_sim.load_edition("usa")
print(edition)
ttr_sim.draw(edition).save("usa.svg")

# %% Play: the same arguments give the same games, and games that are already on disk are not played again
run = ttr_sim.play(edition, players=2, bots="planner,racer", games=GAMES)
print(run)

# %% The log as pandas frames
seats = run.seats(["bot", "win_share", "score", "tickets_completed"])
print(seats.groupby("bot", observed=True).mean())

turns = run.turns(["action", "route", "wanted_by"])
claims = turns[turns["action"] == "claim"]
print(claims["route_name"].value_counts().head(5))

# %% What stands out, with intervals: sentences, and the tables they come from
analysis = ttr_sim.analyze(run)
print(analysis)
tickets: pd.DataFrame = analysis.tables["ticket_value"]
print(tickets.sort_values("points_effect").head(5))

# %% Two runs on the same deals, compared deal by deal
other = ttr_sim.play(edition, players=2, bots="planner,hungry", games=GAMES)
print(ttr_sim.compare(run, other))

# %% The whole report: a page, its charts and its tables
report = ttr_sim.study(edition, players=[2, 3], bots="planner,racer", games=GAMES, out="usa-report")
print(report)
