"""Errors between keys and files: each may be right by itself and still not fit the others."""

from __future__ import annotations

from collections import Counter

from ttr_sim.edition import limits
from ttr_sim.edition.canonical import find_lock, known_pairs
from ttr_sim.edition.map_tables import GRAY, MapTables, color_key, unknown
from ttr_sim.edition.problems import RULES_FILE, Place, Problems
from ttr_sim.edition.rules import BLOCKS, Rules
from ttr_sim.edition.schema import identifier, shown
from ttr_sim.errors import UserError, closest


def check_rules(rules: Rules) -> None:
    """Check that the keys of edition.toml fit each other."""
    for block, most in (("colors", limits.MAX_COLORS), ("decks", limits.MAX_DECKS)):
        names = rules.get(block)
        if names is None:
            continue
        if not names:
            rules.error((block,), f"the block [{block}] is empty")
        if len(names) > most:
            rules.error((block,), f"{len(names)} {block}; at most {most} are allowed")
        for name in names:
            if message := identifier(name):
                rules.error((block, name), f"{block}.{shown(name)} {message}")
    if rules.get("colors") is not None:
        check_colors(rules)
    if rules.get("decks") is not None and rules.get("tickets", "mix") is not None:
        check_offers(rules)
    check_features(rules)


def check_map(tables: MapTables, problems: Problems) -> None:
    """Check that the three CSV files fit each other."""
    for file, rows in (("cities.csv", tables.cities), ("routes.csv", tables.routes), ("tickets.csv", tables.tickets)):
        if not rows and not problems.errors_in(file):
            problems.error(Place(file), "there are no rows below the headings")
    if not problems.errors_in("cities.csv"):
        countries = {city.country for city in tables.cities}
        for city, reader in zip(tables.cities, tables.city_rows, strict=True):
            if city.name in countries:
                reader.error("name", f'"{city.name}" is also the name of a country; a ticket could mean either')
        if not problems.errors_in("routes.csv"):
            check_spots(tables)


def check_together(rules: Rules, tables: MapTables, problems: Problems) -> None:
    """Check that the map and edition.toml fit each other."""
    scores = rules.get("route_scores")
    for route, reader in zip(tables.routes, tables.route_rows, strict=True):
        if scores is not None and route.length > len(scores):
            reader.error("length", f"route_scores has no points for length {route.length}, only up to {len(scores)}")
    if not problems.errors_in("cities.csv"):
        check_city_columns(rules, tables)
    # Counts over a file with errors would only mislead.
    if not problems.errors_in("tickets.csv", RULES_FILE):
        check_setup_tickets(rules, tables)
    if not problems.errors:
        pairs = known_pairs(tables.cities, tables.routes, tables.tickets)
        for written in rules.get("targets", "locked") or ():
            try:
                find_lock(written, rules.values["decks"], pairs)
            except UserError as error:
                rules.error(("targets", "locked"), str(error))


def tickets_per_player(rules: Rules, when: str) -> int:
    """Tickets dealt to each player at setup (`deal`) or drawn as an action (`draw`)."""
    if rules.get("tickets", "mix"):
        return rules.get("tickets", f"{when}_total") or 0
    return sum(deck.get(when) or 0 for deck in rules.get("decks").values())


def check_colors(rules: Rules) -> None:
    colors = rules.values["colors"]
    letters: dict[str, str] = {}
    keys: dict[str, str] = {}
    for name, color in colors.items():
        # Gray in routes.csv means any one color, so no card can have it.
        if color_key(name) == GRAY:
            message = f'"{name}" means a route that takes any one color; give this color another name'
            rules.error(("colors", name), message)
        elif keys.setdefault(color_key(name), name) != name:
            rules.error(("colors", name), f'"{name}" and "{keys[color_key(name)]}" are the same color')
        letter = color.get("letter")
        if letter in letters:
            rules.error(("colors", name, "letter"), f'the letter "{letter}" is already used by {letters[letter]}')
        elif letter:
            letters[letter] = name

    cards = sum(color.get("cards", 0) for color in colors.values()) + (rules.get("wilds", "cards") or 0)
    if cards > limits.MAX_CARDS:
        rules.error(("colors",), f"{cards:,} cards in all; at most {limits.MAX_CARDS} are allowed")
    players, hand = rules.get("players"), rules.get("hand")
    if players is not None and hand is not None:
        needed = players[1] * hand + (rules.get("row", "size") or 0)
        if needed > cards:
            rules.error(("hand",), f"setup with {players[1]} players needs {needed} cards, but there are only {cards}")


def check_offers(rules: Rules) -> None:
    """Check the numbers of tickets: of each deck, or the two totals of a mix."""
    mix = rules.values["tickets"]["mix"]
    for total in ("deal_total", "draw_total"):
        given = rules.get("tickets", total) is not None
        # A wrong total is not in the block, and was reported when it was read.
        if mix and not given and total in rules.values["tickets"]:
            rules.error(("tickets",), f'the key "tickets.{total}" is missing; mix = true needs it')
        elif given and not mix:
            message = f"tickets.{total} needs mix = true; without it, set deal and draw in each deck"
            rules.error(("tickets", total), message)
    for name, deck in rules.values["decks"].items():
        for key, value in deck.items():
            if mix and value is not None:
                rules.error(("decks", name, key), f"decks.{name}.{key} has no meaning with mix = true; use {key}_total")
            elif not mix and value is None:
                rules.error(("decks", name), f'the key "decks.{name}.{key}" is missing')

    dealt, drawn = tickets_per_player(rules, "deal"), tickets_per_player(rules, "draw")
    keep_at_start, keep = rules.get("tickets", "keep_at_start") or 0, rules.get("tickets", "keep") or 0
    for word, number in (("dealt", dealt), ("drawn", drawn)):
        if number > limits.MAX_OFFER:
            rules.error(("decks",), f"{number} tickets are {word} at once; at most {limits.MAX_OFFER} are allowed")
    if keep_at_start > dealt:
        rules.error(("tickets", "keep_at_start"), f"{keep_at_start} tickets must be kept, but only {dealt} are dealt")
    if drawn and keep > drawn:
        rules.error(("tickets", "keep"), f"{keep} tickets must be kept, but only {drawn} are drawn")


def check_features(rules: Rules) -> None:
    """Check keys that limit each other, within a block or by the names of colors."""
    for path in (("tie_breaks",), ("passengers", "colors")):
        entries = rules.get(*path) or []
        for entry in dict.fromkeys(entry for entry in entries if entries.count(entry) > 1):
            rules.error(path, f'"{entry}" appears twice')
    chosen, colors = rules.get("passengers", "colors"), rules.get("colors")
    if chosen is not None:
        path = ("passengers", "colors")
        if not chosen:
            rules.error(path, "the list is empty; name at least one color")
        # Without any colors, their own error is enough.
        known = {color_key(name) for name in colors or ()}
        for name in chosen if known else ():
            if color_key(name) not in known:
                rules.error(path, unknown("color", name, colors), closest(name, colors))
        in_all = len(chosen) * (rules.get("passengers", "each") or 0)
        if in_all > limits.MAX_CARDS:
            message = f"{in_all} passengers in all; at most {limits.MAX_CARDS} are allowed"
            rules.error(("passengers", "each"), message)

    size, reset_at = rules.get("row", "size"), rules.get("row", "reset_at")
    if size is not None and reset_at is not None and reset_at > size:
        advice = "to never reset the row, set max_resets = 0"
        rules.error(("row", "reset_at"), f"row.reset_at = {reset_at} is more than row.size = {size}; {advice}")
    end = rules.get("end")
    # A wrong trigger is not in the block, and was reported when it was read.
    is_complete = end is not None and len(end) == len(BLOCKS["end"].keys)
    if is_complete and all(trigger is None or trigger is False for trigger in end.values()):
        rules.error(("end",), "nothing ends the game; set trains_left, race_tickets or last_train")
    points, players = rules.get("merchandise", "points"), rules.get("players")
    if points is not None and players is not None:
        for number in range(players[0], players[1] + 1):
            if str(number) not in points:
                rules.error(("merchandise", "points"), f"merchandise.points lacks the points for {number} players")
    source, target = rules.get("bonus_ticket", "from"), rules.get("bonus_ticket", "to")
    if source is not None and source == target:
        rules.error(("bonus_ticket", "to"), "bonus_ticket.from and bonus_ticket.to are the same region")


def check_spots(tables: MapTables) -> None:
    """Check that all routes of a country's spot lead to one city outside the country."""
    # So no path runs through a country, neither for players nor for any search in the program.
    neighbor: dict[int, int] = {}
    for route, reader in zip(tables.routes, tables.route_rows, strict=True):
        a, b = tables.cities[route.a], tables.cities[route.b]
        if a.country is not None and a.country == b.country:
            reader.error("to", f'both ends are spots of the country "{a.country}"')
            continue
        for spot, other, heading in ((route.a, route.b, "from"), (route.b, route.a, "to")):
            name = tables.cities[spot].name
            if tables.cities[spot].country and neighbor.setdefault(spot, other) != other:
                first = tables.cities[neighbor[spot]].name
                reader.error(heading, f'"{name}" already leads to {first}; each way into a country needs its own spot')


def check_city_columns(rules: Rules, tables: MapTables) -> None:
    """Check regions and passengers of cities."""
    regions = {city.region for city in tables.cities if city.region}
    for key in ("from", "to"):
        region = rules.get("bonus_ticket", key)
        if region is not None and region not in regions:
            rules.error(("bonus_ticket", key), f'no city has the region "{region}"', closest(region, regions))
    sizes = Counter(city.region for city in tables.cities)
    for region in rules.get("districts", "points") or ():
        if not sizes[region]:
            rules.error(("districts", "points", region), f'no city has the region "{region}"', closest(region, regions))
        elif sizes[region] == 1:
            message = f'the district "{region}" has one city; a district joins two or more'
            rules.error(("districts", "points", region), message)
    colors, each = rules.get("passengers", "colors"), rules.get("passengers", "each")
    if colors is not None and each is not None:
        placed, there_are = sum(city.passengers for city in tables.cities), len(colors) * each
        if placed > there_are:
            supply = f"{len(colors)} colors, {each} each"
            message = f"the cities need {placed} passengers, but there are only {there_are} ({supply})"
            rules.error(("passengers", "each"), message)


def check_setup_tickets(rules: Rules, tables: MapTables) -> None:
    players = rules.values["players"][1]
    supplies: list[tuple[tuple[str, ...], int, str, int]]
    if rules.values["tickets"]["mix"]:
        supplies = [(("tickets", "deal_total"), tickets_per_player(rules, "deal"), "tickets", len(tables.tickets))]
    else:
        sizes = Counter(ticket.deck for ticket in tables.tickets)
        supplies = [
            (("decks", name, "deal"), deck["deal"], f'"{name}" tickets', sizes[number])
            for number, (name, deck) in enumerate(rules.values["decks"].items())
        ]
    # Drawing later may run out of tickets, but setup must work for every number of players.
    for path, dealt, things, there_are in supplies:
        needed = players * dealt
        if needed > there_are:
            message = f"setup with {players} players deals {needed} {things}, but there are only {there_are}"
            rules.error(path, message)
