"""Editions at the limits of what a folder may ask for."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.edition import load_edition
from ttr_sim.edition.limits import MAX_CITIES, MAX_POINTS, MAX_ROUTES, MAX_TICKETS
from ttr_sim.edition.model import Edition

# Nobody can claim anything or draw a card: whoever can swap tickets does so, and the row never stands.
ENDLESS = """\
schema = 1
name = "endless"
title = "Endless"
players = [2, 6]
trains = 1
hand = 0
max_turns = 1000
[colors]
red = { letter = "r", cards = 10 }
[wilds]
cards = 20
[row]
size = 10
reset_at = 1
max_resets = 20
[parallel]
closed_up_to_players = 0
[decks.only]
deal = 8
draw = 0
[tickets]
keep_at_start = 8
[instant_tickets]
hold = 8
discard = true
[end]
trains_left = 0
"""

# Everything scores as much as it may, and there is as much of it as there may be. But no longest path: the exact one
# in a network of 120 routes would take ages.
RICH = f"""\
schema = 1
name = "rich"
title = "Rich"
players = [2, 6]
trains = 120
hand = 10
route_scores = [{MAX_POINTS}]
tie_breaks = ["tickets", "stations", "passengers"]
max_turns = 1000
[colors]
red = {{ letter = "r", cards = 110 }}
blue = {{ letter = "b", cards = 110 }}
[wilds]
cards = 30
[row]
size = 10
reset_at = 1
max_resets = 20
[parallel]
closed_up_to_players = 0
[decks.only]
deal = 8
draw = 8
[tickets]
keep_at_start = 8
keep = 8
[end]
trains_left = 0
[globetrotter]
points = {MAX_POINTS}
[stations]
count = 5
unused_points = {MAX_POINTS}
[tunnels]
reveal = 6
[passengers]
colors = ["red", "blue"]
each = 96
most = {MAX_POINTS}
second = {MAX_POINTS}
[merchandise]
cards = 120
points = {{ {", ".join(f"{players} = [{MAX_POINTS}]" for players in range(2, 7))} }}
"""

# Pairs of cities in a ring: neighbors first, then the next but one, ...
PAIRS = [(n % MAX_CITIES, (n + 1 + n // MAX_CITIES) % MAX_CITIES) for n in range(MAX_ROUTES)]


def endless_edition(folder: Path) -> Edition:
    return _edition(folder, ENDLESS, "2,gray", 1)


def rich_edition(folder: Path) -> Edition:
    return _edition(folder, RICH, "1,gray", MAX_POINTS)


def _edition(folder: Path, rules: str, route: str, points: int) -> Edition:
    """The largest map under these rules, every route and ticket alike."""
    cities = [f"City {n},{n % 8},{n // 8},3" for n in range(MAX_CITIES)]
    routes = [f"City {a},City {b},{route},plain,0,1" for a, b in PAIRS]
    tickets = [f"City {a},City {b},{points},only" for a, b in PAIRS[:MAX_TICKETS]]
    _write(folder / "edition.toml", rules)
    _write(folder / "cities.csv", "name,x,y,passengers", *cities)
    _write(folder / "routes.csv", "from,to,length,color,kind,locomotives,merchandise", *routes)
    _write(folder / "tickets.csv", "from,to,points,deck", *tickets)
    return load_edition(folder)


def _write(file: Path, *lines: str) -> None:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
