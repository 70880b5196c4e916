"""Warnings about a folder that can be played: likely mistakes in its map, its rules and its balance."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

from ttr_sim.edition.checks import tickets_per_player
from ttr_sim.edition.map_tables import MapTables
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import UNREACHABLE, city_graph, distances, fewest_trains
from ttr_sim.edition.problems import Place, Problems
from ttr_sim.edition.rules import Rules
from ttr_sim.edition.statics import ROUTES, measured, shown, statics

PRINTED = ("length", "color", "kind", "locomotives", "merchandise")
MOST_GRAY = 3  # equal gray routes between two cities that are no mistake: Germany has three
FAR_TRAINS, FAR_SHARE = 2, 0.25  # beyond both, a ticket's points are far from its path
MANY_ROUTES = 40  # of one player; on the densest of maps, measured, a game takes 10 ms with 40 and seconds with 45
FEW_CARDS = 4  # left in the deck for each player after setup
POINTLESS_IN_A_RACE = (
    *("route_scores", "longest_path", "globetrotter", "passengers", "merchandise"),
    *("attractions", "districts", "mandala"),
)
FAR_BEYOND = 0.5  # of the width of the official range: eight boards do not draw a sharp line


def advise(edition: Edition, rules: Rules, tables: MapTables, problems: Problems) -> None:
    """Add all warnings about an edition without errors."""
    advise_on_unused_blocks(rules, tables)
    for advise_on in (advise_on_supply, advise_on_end, advise_on_scores, advise_on_features, advise_on_end_bonuses):
        advise_on(edition, rules)
    for advise_on_map in (advise_on_cities, advise_on_routes, advise_on_tickets):
        advise_on_map(edition, tables)
    advise_on_statics(edition, problems)


def advise_on_unused_blocks(rules: Rules, tables: MapTables) -> None:
    """Warn of a block that no row of the map uses, and of rows that need a missing block."""
    routes = list(zip(tables.routes, tables.route_rows, strict=True))
    cities = list(zip(tables.cities, tables.city_rows, strict=True))
    users = {
        "tunnels": ("kind", [reader for route, reader in routes if route.kind == "tunnel"]),
        "ferries": ("kind", [reader for route, reader in routes if route.kind == "ferry"]),
        "merchandise": ("merchandise", [reader for route, reader in routes if route.merchandise]),
        "passengers": ("passengers", [reader for city, reader in cities if city.passengers]),
        "attractions": ("attraction", [reader for city, reader in cities if city.attraction]),
    }
    for block, (heading, readers) in users.items():
        if readers and block not in rules.values:
            message = f"edition.toml has no block [{block}]: {len(readers)} rows need it and are played without it"
            readers[0].warn(heading, message)
        elif block in rules.values and not readers:
            rules.warn((block,), f"no row of the map uses the block [{block}]")


def advise_on_supply(edition: Edition, rules: Rules) -> None:
    """Warn of idle decks, and of too few tickets or cards after setup with the most players."""
    players = edition.players[1]
    sizes = Counter(ticket.deck for ticket in edition.tickets)
    left: dict[tuple[str, ...], int] = {}
    if edition.ticket_rules.mix and edition.ticket_rules.draw_total:
        left["tickets", "draw_total"] = len(edition.tickets) - players * edition.ticket_rules.deal_total
    for number, deck in enumerate(edition.decks):
        if deck.draw and sizes[number]:
            left["decks", deck.name, "draw"] = sizes[number] - players * deck.deal
        if not sizes[number]:
            rules.warn(("decks", deck.name), f'no ticket is in the deck "{deck.name}"')
        elif not edition.ticket_rules.mix and not deck.deal and not deck.draw:
            rules.warn(("decks", deck.name), f'the tickets of the deck "{deck.name}" never come into play')
    for path, count in left.items():
        if count < players:
            rules.warn(path, f"with {players} players only {count} tickets are left to draw after setup")
    in_row = edition.row.size if edition.row else 0
    cards = sum(color.cards for color in edition.colors) + edition.wilds - players * edition.hand - in_row
    if cards < FEW_CARDS * players:
        rules.warn(("hand",), f"with {players} players only {cards} cards are left in the deck after setup")


def advise_on_end(edition: Edition, rules: Rules) -> None:
    end = edition.end
    if end.trains_left is not None and end.trains_left >= edition.trains:
        rules.warn(("end", "trains_left"), "the first turn starts the final round: nobody has more trains than that")
    if end.race_tickets is not None:
        if edition.instant_tickets is None:
            message = "completed tickets are not shown, so nobody can win the race before the game ends"
            rules.warn(("end", "race_tickets"), f"without [instant_tickets] {message}")
        reachable = len(edition.tickets) + bool(edition.bonus_ticket)
        if end.race_tickets > reachable:
            message = f"nobody can complete {end.race_tickets} tickets: there are only {reachable}"
            rules.warn(("end", "race_tickets"), message)
    for name in edition.tie_breaks:
        if name in ("stations", "passengers") and getattr(edition, name) is None:
            rules.warn(("tie_breaks",), f'"{name}" never breaks a tie: the edition has no block [{name}]')


def advise_on_scores(edition: Edition, rules: Rules) -> None:
    """Warn of scores that count for nothing, and of a longest path that takes minutes."""
    if edition.is_race:
        for name in POINTLESS_IN_A_RACE:
            if rules.get(name) is not None:
                rules.warn((name,), f"{name} scores nothing: in a race only completed tickets count")
    elif edition.route_scores is None:
        rules.warn((), "route_scores is left out: routes score nothing")
    if edition.longest_path is None and "longest_path" not in edition.tie_breaks:
        return
    shortest: dict[int, int] = {}
    for route in edition.routes:
        shortest[route.group] = min(route.length, shortest.get(route.group, route.length))
    # The most routes that one player's trains can pay for: the shortest ones.
    routes = sum(trains <= edition.trains for trains in accumulate(sorted(shortest.values())))
    if routes > MANY_ROUTES:
        where = "where these lie close together, finding the longest path exactly can take minutes"
        rules.warn(("trains",), f"a player can claim up to {routes} routes: {where}")


def advise_on_features(edition: Edition, rules: Rules) -> None:
    if passengers := edition.passengers:
        placed = sum(city.passengers for city in edition.cities)
        there_are = len(passengers.colors) * passengers.each
        if 0 < placed < there_are:
            rules.warn(("passengers", "each"), f"the cities use only {placed} of the {there_are} passengers")
    if edition.merchandise:
        symbols, cards = sum(route.merchandise for route in edition.routes), edition.merchandise.cards
        if cards < symbols:
            message = f"{symbols} routes earn a card, but there are only {cards}: the last claims earn none"
            rules.warn(("merchandise", "cards"), message)
    instant, dealt = edition.instant_tickets, tickets_per_player(rules, "deal")
    if instant and instant.discard and dealt < instant.hold and not tickets_per_player(rules, "draw"):
        message = f"nobody ever holds the {instant.hold} tickets that a discard needs: only {dealt} are dealt"
        rules.warn(("instant_tickets", "hold"), message)


def advise_on_end_bonuses(edition: Edition, rules: Rules) -> None:
    """Warn of bonuses that nobody can earn, even with every route of the board."""
    import networkx

    trains = distances(edition)
    for region in edition.districts.points if edition.districts else ():
        cities = [row for row, city in enumerate(edition.cities) if city.region == region]
        apart = max(trains[a][b] for a in cities for b in cities)
        if apart > edition.trains:
            why = (
                "no routes join its cities"
                if apart == UNREACHABLE
                else f"two of its cities are {apart:.0f} trains apart"
            )
            rules.warn(("districts", "points", region), f'nobody can earn the district "{region}": {why}')
    if edition.mandala is None:
        return
    if not any(edition.mandala.points):
        rules.warn(("mandala", "points"), "nobody can earn the Mandala: it has no points")
    graph = city_graph(len(edition.cities), edition.routes)
    networkx.set_edge_attributes(graph, 1, "capacity")
    for ticket in edition.tickets:
        # The two ways may end at different spots of a country, so its spots are one end.
        ends = graph.copy()
        ends.add_edges_from([("a", city) for city in ticket.a_cities] + [("b", city) for city in ticket.b_cities])
        if networkx.minimum_cut_value(ends, "a", "b") > 1:
            return
    rules.warn(("mandala", "points"), "nobody can earn the Mandala: no ticket has two ways that share no route")


def advise_on_cities(edition: Edition, tables: MapTables) -> None:
    import networkx

    graph = city_graph(len(edition.cities), edition.routes)
    named = {city for ticket in edition.tickets for city in (*ticket.a_cities, *ticket.b_cities)}
    places: dict[tuple[float, float], str] = {}
    for row, (city, reader) in enumerate(zip(edition.cities, tables.city_rows, strict=True)):
        neighbors = list(graph[row])
        if not neighbors:
            reader.warn("name", f"no route leads to {city.name}")
        elif len(neighbors) == 1 and city.country is None:
            only = edition.cities[neighbors[0]].name
            reader.warn("name", f"{city.name} is a dead end: its only neighbor is {only}")
        if row not in named:
            reader.warn("name", f"no ticket names {city.country or city.name}")
        other = places.setdefault((city.x, city.y), city.name)
        if other != city.name:
            reader.warn("x", f"{city.name} is drawn on top of {other}")
    parts = sorted(map(sorted, networkx.connected_components(graph)), key=len, reverse=True)
    for part in parts[1:]:
        if len(part) > 1:
            names = ", ".join(edition.cities[city].name for city in part[:3]) + (", ..." if len(part) > 3 else "")
            tables.city_rows[part[0]].warn("name", f"{len(part)} cities are cut off from the others: {names}")


def advise_on_routes(edition: Edition, tables: MapTables) -> None:
    """Warn of routes that nobody can claim or pay for, and of odd or repeated parallel routes."""
    most = max(edition.colors, key=lambda color: color.cards)
    first: dict[int, int] = {}
    lines: dict[tuple[object, ...], list[int]] = {}
    for row, (route, reader) in enumerate(zip(edition.routes, tables.route_rows, strict=True)):
        # A gray route can be paid in the most frequent color.
        best = most if route.color is None else edition.colors[route.color]
        short_of_wilds = route.locomotives > edition.wilds
        if route.length > best.cards + edition.wilds or short_of_wilds:
            supply = f"{best.cards} {best.name} cards and {edition.wilds} wilds"
            heading = "locomotives" if short_of_wilds else "length"
            reader.warn(heading, f"nobody can pay for it: there are only {supply}")
        elif route.length > best.cards:
            reader.warn("length", f"needs wilds: there are only {best.cards} {best.name} cards")
        if route.length > edition.trains:
            reader.warn("length", f"nobody can claim it: a player has only {edition.trains} trains")
        if route.kind == "ferry" and not route.locomotives:
            reader.warn("kind", "a ferry without locomotives is played as a plain route")
        other = edition.routes[first.setdefault(route.group, row)]
        if other.length != route.length:
            line = tables.route_rows[first[route.group]].line("length")
            there = f"{other.length} on line {line}"
            reader.warn("length", f"parallel routes of unequal lengths: {route.length} here, {there}")
        # Gray routes may repeat, as many printed double routes are gray.
        same = lines.setdefault((route.group, *(getattr(route, name) for name in PRINTED)), [])
        if len(same) >= (MOST_GRAY if route.color is None else 1):
            reader.warn("from", f"the same route as on line {same[0]}")
        same.append(reader.line("from"))


def advise_on_tickets(edition: Edition, tables: MapTables) -> None:
    first: dict[tuple[frozenset[str], int], int] = {}
    for row, (ticket, reader) in enumerate(zip(edition.tickets, tables.ticket_rows, strict=True)):
        trains = fewest_trains(edition, ticket)
        if trains == UNREACHABLE:
            reader.warn("from", f"no path joins {ticket.a} and {ticket.b}: the ticket can never be completed")
        else:
            if trains > edition.trains:
                needed = f"its shortest path takes {trains:.0f} trains"
                reader.warn("from", f"{needed}, but a player has only {edition.trains}")
            # Printed tickets are worth about the trains of their shortest path.
            if not edition.is_race and abs(ticket.points - trains) > max(FAR_TRAINS, FAR_SHARE * trains):
                reader.warn("points", f"worth {ticket.points} points, but its shortest path takes {trains:.0f} trains")
        before = first.setdefault((frozenset((ticket.a, ticket.b)), ticket.deck), row)
        if before != row:
            line = tables.ticket_rows[before].line("from")
            reader.warn("from", f"the same ticket as on line {line}")


def advise_on_statics(edition: Edition, problems: Problems) -> None:
    """Warn of measures far outside the official range, and of routes that hold the board together."""
    board = statics(edition)
    for row in measured(board, among_others=False):
        # Norms, not rules: an unusual board may be just right, so nothing here is an error.
        if row.beyond(FAR_BEYOND):
            official = f"{shown(row.low)} to {shown(row.high, row.unit)}"
            message = f"{row.name}: {shown(row.value, row.unit)}; the official boards have {official}"
            problems.warn(Place(row.file), f"{message} ({row.definition})")
    for number in board.shape.bridges:
        connection = board.net.connections[number]
        # A dead end has its own warning, where its city stands.
        if connection.lanes == 1 and not {connection.a, connection.b} & set(board.shape.dead_ends):
            name = f"{board.net.name(connection.a)}–{board.net.name(connection.b)}"
            problems.warn(Place(ROUTES), f"whoever claims {name}, which has one lane, cuts the board in two")
