"""Random editions with the features of all editions mixed: small maps, scarce cards, odd rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

COLORS = ("red", "blue", "green", "yellow", "white", "black")
LETTERS = "rbgywk"
TIE_BREAKS = ("tickets", "stations", "longest_path", "passengers")
LONGEST_ROUTE = 5
# How often an edition has a feature beyond the common rules. Their order decides what a seed draws.
CHANCES = {
    "row": 0.8,
    "tunnels": 0.45,
    "ferries": 0.45,
    "stations": 0.45,
    "passengers": 0.45,
    "merchandise": 0.45,
    "countries": 0.45,
    "globetrotter": 0.45,
    "longest_path": 0.45,
    "bonus_ticket": 0.45,
    "instant_tickets": 0.45,
    "race": 0.25,
    "mix": 0.3,
}
# Drawn apart, so that the rest stays with its seed.
END_BONUSES = {"attractions": 0.4, "districts": 0.4, "mandala": 0.4}


def mixed_edition(seed: int, target_folder: Path) -> Path:
    """Write a valid edition folder, the same for the same seed."""
    random = Random(f"mixed edition {seed}")
    features = {name for name, chance in CHANCES.items() if random.random() < chance}
    apart = Random(f"end bonuses {seed}")
    features |= {name for name, chance in END_BONUSES.items() if apart.random() < chance}
    target_folder.mkdir(parents=True, exist_ok=True)
    cities, decks = _write_map(random, features, target_folder)
    players = random.choice([2, 3, 4, 5, 6])
    rules = [
        f'schema = 1\nname = "mixed-{seed}"\ntitle = "Mixed {seed}"',
        *_common_rules(random, players),
        *_row(random, features),
        *_tickets(random, features, decks),
        *_end(random, features),
        *_extra_rules(random, features, players, cities),
    ]
    (target_folder / "edition.toml").write_text("\n".join(rules) + "\n", encoding="utf-8")
    return target_folder


def _write_map(random: Random, features: set[str], folder: Path) -> tuple[int, int]:
    """Write the three CSV files, giving the numbers of cities and decks."""
    cities = [f"City {number}" for number in range(random.randint(6, 12))]
    spots = [f"Land {land} spot {spot}" for land in "AB" for spot in range(random.randint(1, 3))]
    spots = spots if "countries" in features else []
    decks = random.randint(1, 3)

    rows: list[list[object]] = []
    for place, name in enumerate(cities + spots):
        country = name.rpartition(" spot")[0] if name in spots else ""
        region = "east" if place < 2 else "west" if place in {3, 4} else ""
        people = random.randint(0, 2) if "passengers" in features else 0
        attraction = int("attractions" in features and place % 2)
        rows.append([name, random.randint(0, 900), random.randint(0, 600), country, region, people, attraction])
    _write_csv(folder / "cities.csv", "name,x,y,country,region,passengers,attraction", rows)

    # A tree over all cities, then some routes more; each spot at one city.
    pairs = [(random.choice(cities[:place]), city) for place, city in enumerate(cities) if place]
    pairs += [(random.choice(cities), spot) for spot in spots]
    more = [random.sample(cities, 2) for _ in cities]
    pairs += [(a, b) for a, b in more if (a, b) not in pairs and (b, a) not in pairs]
    kinds = ["plain", "plain"] + ["tunnel"] * ("tunnels" in features) + ["ferry"] * ("ferries" in features)
    rows = []
    for a, b in dict.fromkeys(pairs):
        length = random.choice([1, 1, 2, 2, 2, 3, 3, 4, LONGEST_ROUTE])
        for _ in range(random.choice([1, 1, 1, 2, 3])):
            goods = int("merchandise" in features and random.random() < 0.4)
            kind = random.choice(kinds)
            color = "gray" if kind == "ferry" or random.random() < 0.4 else random.choice(COLORS[:3])
            rows.append([a, b, length, color, kind, random.randint(1, length) if kind == "ferry" else 0, goods])
    _write_csv(folder / "routes.csv", "from,to,length,color,kind,locomotives,merchandise", rows)

    ends = cities + sorted({spot.rpartition(" spot")[0] for spot in spots})
    rows = []
    for number in range(random.randint(30, 60)):
        rows.append([*random.sample(ends, 2), random.randint(1, 12), f"deck{number % decks}"])
    _write_csv(folder / "tickets.csv", "from,to,points,deck", rows)
    return len(cities + spots), decks


def _write_csv(file: Path, heading: str, rows: Sequence[Sequence[object]]) -> None:
    lines = [heading, *(",".join(str(cell) for cell in row) for row in rows)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _common_rules(random: Random, players: int) -> list[str]:
    """The rules every edition has, in scarce and in plentiful amounts."""
    colors = random.randint(3, len(COLORS))
    lines = [
        f"players = [2, {players}]",
        f"trains = {random.randint(6, 18)}",
        f"hand = {random.randint(0, 2)}",
        f"tie_breaks = {json.dumps(random.sample(TIE_BREAKS, random.randint(0, 4)))}",
        f"max_turns = {random.choice([8, 30, 60, 250])}",
    ]
    if random.random() < 0.85:
        lines.append(f"route_scores = {[1, 2, 4, 7, 10][:LONGEST_ROUTE]}")
    lines.append("[colors]")
    for name, letter in zip(COLORS[:colors], LETTERS, strict=False):
        lines.append(f'{name} = {{ letter = "{letter}", cards = {random.randint(6, 12)} }}')
    lines += ["[wilds]", f"cards = {random.choice([0, 4, 8, 20])}"]
    return [*lines, "[parallel]", f"closed_up_to_players = {random.randint(0, 4)}"]


def _row(random: Random, features: set[str]) -> list[str]:
    if "row" not in features:
        return []
    size = random.choice([2, 3, 5, 5, 6])
    return [
        "[row]",
        f"size = {size}",
        f"reset_at = {random.randint(1, size)}",
        f"max_resets = {random.choice([0, 1, 3, 10])}",
        f"needs_pile = {json.dumps(size % 2 == 0)}",  # not drawn, so that the rest stays with its seed
    ]


def _tickets(random: Random, features: set[str], decks: int) -> list[str]:
    """Deals that 30 tickets in up to 3 decks can serve for 6 players."""
    is_mixed = "mix" in features
    deals = [1 if decks == 3 else random.randint(1, 2) for _ in range(decks)]
    draws = [random.randint(0, 2) for _ in range(decks)]
    lines = []
    for number in range(decks):
        numbers = [] if is_mixed else [f"deal = {deals[number]}", f"draw = {draws[number]}"]
        lines += [f"[decks.deck{number}]", *numbers]
    dealt, drawn = (random.randint(1, 4), random.randint(1, 4)) if is_mixed else (sum(deals), sum(draws))
    lines += ["[tickets]", f"keep_at_start = {random.randint(0, dealt)}", f"keep = {random.randint(1, drawn or 1)}"]
    lines += [f'returned_at_start = "{random.choice(["bottom", "removed", "shuffled"])}"']
    lines += [f"failed_subtract = {json.dumps(random.random() < 0.7)}"]
    return [*lines, "mix = true", f"deal_total = {dealt}", f"draw_total = {drawn}"] if is_mixed else lines


def _end(random: Random, features: set[str]) -> list[str]:
    lines = ["[end]"]
    if "race" in features:
        lines.append(f"race_tickets = {random.randint(2, 5)}")
    if "race" not in features or random.random() < 0.4:
        lines.append(f"trains_left = {random.randint(0, 3)}")
    return [*lines, f"last_train = {json.dumps(random.random() < 0.4)}"]


def _extra_rules(random: Random, features: set[str], players: int, cities: int) -> list[str]:
    points = {number: sorted(random.sample(range(1, 12), number - 1), reverse=True) for number in range(2, players + 1)}
    by_players = ", ".join(f"{number} = {places}" for number, places in points.items())
    blocks = {
        "tunnels": [f"reveal = {random.randint(0, 4)}"],
        "ferries": [],
        "stations": [f"count = {random.randint(1, 4)}", f"unused_points = {random.randint(0, 4)}"],
        "passengers": ['colors = ["red", "blue", "green"]', f"each = {cities}", "most = 9", "second = 4"],
        "merchandise": [f"cards = {random.randint(1, 9)}", f"points = {{ {by_players} }}"],
        "globetrotter": ["points = 7"],
        "longest_path": ["points = 10"],
        "attractions": ["points = 2"],
        "districts": ["points = { west = 5, east = 3 }"],
        "mandala": ["points = [2, 5, 9]"],
        "bonus_ticket": ['from = "east"', 'to = "west"', f"count = {random.randint(1, 3)}"],
        "instant_tickets": [f"hold = {random.randint(1, 3)}", f"discard = {json.dumps(random.random() < 0.7)}"],
    }
    return [line for name, lines in blocks.items() if name in features for line in (f"[{name}]", *lines)]
