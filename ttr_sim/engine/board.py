"""The compiled board: an edition as one record of numbers that kernels read and never write.

All is in canonical order, so that no tie depends on the order of lines. Only the log has row numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import numpy as np

from ttr_sim.edition import limits
from ttr_sim.edition.canonical import Canonical, in_canonical_order, route_keys, ticket_keys
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.records import MAX_CLASSES, N_COLORS, PART
from ttr_sim.log import SCORE_PARTS, WILD_LETTER

ABSENT = -1  # a number of a feature that the edition lacks
GRAY = -1  # color of a route that takes any one color
RETURNED_AT_START = ("bottom", "removed", "shuffled")
TO_BOTTOM, REMOVED, SHUFFLED = range(3)
TIE_BREAKS = ("tickets", "stations", "longest_path", "passengers")
BY_TICKETS, BY_STATIONS, BY_LONGEST_PATH, BY_PASSENGERS = range(4)

_i1, _i2, _i4, _u8 = np.int8, np.int16, np.int32, np.uint64


def _of(feature: str, name: str, absent: int = 0) -> Callable[[Edition], int]:
    """A number of a feature of the edition, or the one that stands for its absence."""
    return lambda edition: absent if getattr(edition, feature) is None else getattr(getattr(edition, feature), name)


# The board's numbers that are read off the edition.
RULES: dict[str, Callable[[Edition], int]] = {
    "n_cities": lambda edition: len(edition.cities),
    "n_routes": lambda edition: len(edition.routes),
    "n_tickets": lambda edition: len(edition.tickets),
    "n_colors": lambda edition: len(edition.colors),
    "n_decks": lambda edition: len(edition.decks),
    "n_tie_breaks": lambda edition: len(edition.tie_breaks),
    "longest_route": lambda edition: max((route.length for route in edition.routes), default=0),
    "trains": lambda edition: edition.trains,
    "hand": lambda edition: edition.hand,
    "max_turns": lambda edition: edition.max_turns,
    "row_size": _of("row", "size"),
    "reset_at": _of("row", "reset_at"),
    "max_resets": _of("row", "max_resets"),
    "needs_pile": _of("row", "needs_pile"),
    "closed_up_to_players": lambda edition: edition.closed_up_to_players,
    "mix": _of("ticket_rules", "mix"),
    "deal_total": _of("ticket_rules", "deal_total"),
    "draw_total": _of("ticket_rules", "draw_total"),
    "keep_at_start": _of("ticket_rules", "keep_at_start"),
    "keep": _of("ticket_rules", "keep"),
    "returned_at_start": lambda edition: RETURNED_AT_START.index(edition.ticket_rules.returned_at_start),
    "failed_subtract": _of("ticket_rules", "failed_subtract"),
    "trains_left": lambda edition: ABSENT if edition.end.trains_left is None else edition.end.trains_left,
    "race_tickets": lambda edition: edition.end.race_tickets or 0,
    "last_train": _of("end", "last_train"),
    "routes_score": lambda edition: edition.route_scores is not None,
    "longest_points": _of("longest_path", "points", ABSENT),
    "measure_longest": lambda edition: edition.longest_path is not None or "longest_path" in edition.tie_breaks,
    "globetrotter_points": _of("globetrotter", "points", ABSENT),
    "stations": _of("stations", "count"),
    "unused_points": _of("stations", "unused_points"),
    "tunnel_reveal": _of("tunnels", "reveal", ABSENT),
    "n_passenger_colors": lambda edition: len(edition.passengers.colors) if edition.passengers else 0,
    "passengers_each": _of("passengers", "each"),
    "most_points": _of("passengers", "most"),
    "second_points": _of("passengers", "second"),
    "merchandise_cards": _of("merchandise", "cards"),
    "instant_hold": _of("instant_tickets", "hold"),
    "instant_discard": _of("instant_tickets", "discard"),
    "show_tickets": lambda edition: edition.instant_tickets is not None or edition.is_race,
    "bonus_tickets": _of("bonus_ticket", "count"),
    "attraction_points": _of("attractions", "points"),
    "n_districts": lambda edition: len(edition.districts.points) if edition.districts else 0,
    "n_mandala": lambda edition: len(edition.mandala.points) if edition.mandala else 0,
}

BOARD = np.dtype(
    [
        *((name, _i4) for name in RULES),
        ("n_cards", _i4),
        ("n_classes", _i4),
        ("scores", _i1, len(PART)),  # by score part: whether this edition has it
        ("bonus_source", _u8),  # sets of cities, a bit each
        ("bonus_target", _u8),
        ("is_attraction", _i1, limits.MAX_CITIES),
        ("districts", _u8, limits.MAX_DISTRICTS),
        ("district_points", _i2, limits.MAX_DISTRICTS),
        (
            "route_district_points",
            np.float64,
            limits.MAX_ROUTES,
        ),  # of a route within a district: an even part of its points
        ("mandala_points", _i2, limits.MAX_MANDALA),
        ("tie_breaks", _i1, len(TIE_BREAKS)),
        ("color_cards", _i2, N_COLORS),
        ("letters", np.uint8, N_COLORS),
        ("first_card", _i2, N_COLORS),  # the cards of a color stand together
        ("card_identity", _u8, limits.MAX_CARDS),
        ("deck_deal", _i2, limits.MAX_DECKS),
        ("deck_draw", _i2, limits.MAX_DECKS),
        ("first_ticket", _i2, limits.MAX_DECKS + 1),  # into deck_tickets
        ("deck_tickets", _i2, limits.MAX_TICKETS),
        ("merchandise_points", _i2, (limits.MAX_PLAYERS + 1, limits.MAX_PLAYERS)),
        ("passenger_color", _i1, limits.MAX_COLORS),  # color index of the k-th passenger color
        ("passenger_identity", _u8, limits.MAX_CARDS),
        ("pool_city", _i2, limits.MAX_CITIES),  # where a city's passengers stand: itself, or its country's first spot
        ("pool_size", _i2, limits.MAX_CITIES),
        ("route_a", _i2, limits.MAX_ROUTES),
        ("route_b", _i2, limits.MAX_ROUTES),
        ("route_ends", _u8, limits.MAX_ROUTES),  # both, a bit each
        ("route_length", _i2, limits.MAX_ROUTES),
        ("route_color", _i2, limits.MAX_ROUTES),
        ("route_wilds", _i2, limits.MAX_ROUTES),  # at least this many wilds: a ferry's locomotives
        ("route_tunnel", _i1, limits.MAX_ROUTES),
        ("route_merchandise", _i1, limits.MAX_ROUTES),
        ("route_points", _i2, limits.MAX_ROUTES),
        ("route_group", _i2, limits.MAX_ROUTES),
        ("route_class", _i2, limits.MAX_ROUTES),
        ("first_of_group", _i2, limits.MAX_ROUTES + 1),  # into group_routes
        ("group_routes", _i2, limits.MAX_ROUTES),
        ("first_of_class", _i2, MAX_CLASSES + 1),  # into class_routes
        ("class_routes", _i2, limits.MAX_ROUTES),
        ("class_color", _i2, MAX_CLASSES),  # classes stand by color, GRAY first, then by length
        ("class_length", _i2, MAX_CLASSES),
        ("class_wilds", _i2, MAX_CLASSES),
        ("first_road", _i2, limits.MAX_CITIES + 1),  # into road_route and road_city: the routes at a city
        ("road_route", _i2, 2 * limits.MAX_ROUTES),
        ("road_city", _i2, 2 * limits.MAX_ROUTES),
        ("neighbors", _u8, limits.MAX_CITIES),  # the cities that a route leads to, a bit each
        ("ticket_a", _i2, limits.MAX_TICKETS),  # first city that meets the end
        ("ticket_b", _i2, limits.MAX_TICKETS),
        ("ticket_a_set", _u8, limits.MAX_TICKETS),  # all of them
        ("ticket_b_set", _u8, limits.MAX_TICKETS),
        ("ticket_simple", _i1, limits.MAX_TICKETS),  # one city at each end
        ("ticket_points", _i2, limits.MAX_TICKETS),
        ("ticket_deck", _i2, limits.MAX_TICKETS),
        ("ticket_identity", _u8, limits.MAX_TICKETS),
        ("city_identity", _u8, limits.MAX_CITIES),
        ("route_identity", _u8, limits.MAX_ROUTES),
        ("color_identity", _u8, N_COLORS),
        # for the log: rows of the files
        ("city_row", _i2, limits.MAX_CITIES),
        ("route_row", _i2, limits.MAX_ROUTES),
        ("ticket_row", _i2, limits.MAX_TICKETS),
        ("pool_of_row", _i2, limits.MAX_CITIES),  # pool logged at this row of cities.csv, or ABSENT
        ("ends_swapped", _i1, limits.MAX_ROUTES),  # the file names the ends the other way around
    ],
    align=True,
)


def compile_board(in_file_order: Edition) -> np.ndarray:
    """The edition as a 1-element record array."""
    boards = np.zeros(1, BOARD)
    canonical = in_canonical_order(in_file_order)
    board, edition = boards[0], canonical.edition
    for name, number in RULES.items():
        board[name] = number(edition)
    board["scores"] = [part.is_scored_in(edition) for part in SCORE_PARTS]
    board["tie_breaks"][: len(edition.tie_breaks)] = [TIE_BREAKS.index(name) for name in edition.tie_breaks]
    if edition.merchandise:
        for players, points in edition.merchandise.points.items():
            board["merchandise_points"][players, : len(points)] = points
    if edition.mandala:
        board["mandala_points"][: len(edition.mandala.points)] = edition.mandala.points
    board["is_attraction"][: len(edition.cities)] = [city.attraction for city in edition.cities]
    _set_cards(board, edition)
    _set_routes(board, edition)
    _set_tickets(board, edition)
    regions = [city.region for city in edition.cities]
    worth = edition.districts.points if edition.districts else {}
    for index, region in enumerate(worth):
        board["districts"][index] = _cities_of(edition, region)
        board["district_points"][index] = worth[region]
    for row, route in enumerate(edition.routes):
        region_there = regions[route.a]
        if region_there == regions[route.b] and region_there in worth:
            board["route_district_points"][row] = worth[region_there] / (regions.count(region_there) - 1)
    _set_rows(board, canonical, in_file_order)
    return boards


def _identities(kind: str, keys: Iterable[tuple[object, ...]]) -> list[int]:
    """Numbers that things keep when anything else in the edition changes."""
    texts = ["\0".join(str(part) for part in (kind, *key)) for key in keys]
    return [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") for text in texts]


def _cities_of(edition: Edition, region: str) -> int:
    """Set of the cities of a region."""
    return sum(1 << row for row, city in enumerate(edition.cities) if city.region == region)


def _set_cards(board: np.void, edition: Edition) -> None:
    """Set cards and passengers."""
    kinds = [(index, color.name, color.letter, color.cards) for index, color in enumerate(edition.colors)]
    kinds.append((WILD, "wild", WILD_LETTER, edition.wilds))
    card = 0
    # Identity is color and copy: more cards of one color leave the order of all others.
    for index, name, letter, cards in kinds:
        board["color_cards"][index], board["letters"][index] = cards, ord(letter)
        board["first_card"][index] = card
        board["card_identity"][card : card + cards] = _identities("card", ((name, copy) for copy in range(cards)))
        [board["color_identity"][index]] = _identities("color", [(name,)])
        card += cards
    board["n_cards"] = card
    first_spot: dict[str, int] = {}
    for row, city in enumerate(edition.cities):
        board["pool_city"][row] = row if city.country is None else first_spot.setdefault(city.country, row)
    if edition.passengers is None:
        return
    rules = edition.passengers
    for row, city in enumerate(edition.cities):
        board["pool_size"][board["pool_city"][row]] += city.passengers
    board["passenger_color"][: len(rules.colors)] = rules.colors
    keys = ((edition.colors[color].name, copy) for color in rules.colors for copy in range(rules.each))
    board["passenger_identity"][: len(rules.colors) * rules.each] = _identities("passenger", keys)


def _set_routes(board: np.void, edition: Edition) -> None:
    """Set cities, routes, and the routes of each group, class, city."""
    n_cities, n_routes = len(edition.cities), len(edition.routes)
    scores = edition.route_scores or (0,) * 64
    columns: dict[str, list[int]] = {
        "a": [route.a for route in edition.routes],
        "b": [route.b for route in edition.routes],
        "ends": [1 << route.a | 1 << route.b for route in edition.routes],
        "length": [route.length for route in edition.routes],
        "color": [GRAY if route.color is None else route.color for route in edition.routes],
        "wilds": [route.locomotives for route in edition.routes],
        "tunnel": [route.kind == "tunnel" for route in edition.routes],
        "merchandise": [route.merchandise for route in edition.routes],
        "points": [scores[route.length - 1] for route in edition.routes],
        "group": [route.group for route in edition.routes],
        "identity": _identities("route", route_keys(edition)),
    }
    # Routes that cost the same are of one class: choices are counted by class, not by route.
    costs = list(zip(columns["color"], columns["length"], columns["wilds"], strict=True))
    classes = sorted(set(costs))
    columns["class"] = [classes.index(cost) for cost in costs]
    for name, values in columns.items():
        board[f"route_{name}"][:n_routes] = values
    for index, cost in enumerate(classes):
        board["class_color"][index], board["class_length"][index], board["class_wilds"][index] = cost
    board["n_classes"] = len(classes)
    _set_lists(board["first_of_group"], board["group_routes"], enumerate(columns["group"]))
    _set_lists(board["first_of_class"], board["class_routes"], enumerate(columns["class"]))
    roads = [(row, city) for row, route in enumerate(edition.routes) for city in (route.a, route.b)]
    _set_lists(board["first_road"], board["road_route"], roads)
    board["city_identity"][:n_cities] = _identities("city", ((city.name,) for city in edition.cities))
    for city in range(n_cities):
        for at in range(board["first_road"][city], board["first_road"][city + 1]):
            route = edition.routes[board["road_route"][at]]
            board["road_city"][at] = route.a + route.b - city
            board["neighbors"][city] |= np.uint64(1 << (route.a + route.b - city))


def _set_lists(first: np.ndarray, members: np.ndarray, pairs: Iterable[tuple[int, int]]) -> None:
    """List members by key: the members of a key begin at `first[key]`."""
    by_key = sorted(pairs, key=lambda pair: pair[1])
    members[: len(by_key)] = [member for member, _ in by_key]
    first[:] = np.searchsorted([key for _, key in by_key], np.arange(len(first)))


def _set_tickets(board: np.void, edition: Edition) -> None:
    """Set tickets, their decks and the bonus ticket."""
    for index, deck in enumerate(edition.decks):
        board["deck_deal"][index], board["deck_draw"][index] = deck.deal, deck.draw
    for row, ticket in enumerate(edition.tickets):
        board["ticket_a"][row], board["ticket_b"][row] = ticket.a_cities[0], ticket.b_cities[0]
        board["ticket_a_set"][row] = sum(1 << city for city in ticket.a_cities)
        board["ticket_b_set"][row] = sum(1 << city for city in ticket.b_cities)
        board["ticket_simple"][row] = len(ticket.a_cities) == len(ticket.b_cities) == 1
        board["ticket_points"][row], board["ticket_deck"][row] = ticket.points, ticket.deck
    board["ticket_identity"][: len(edition.tickets)] = _identities("ticket", ticket_keys(edition))
    in_decks = ((row, ticket.deck) for row, ticket in enumerate(edition.tickets))
    _set_lists(board["first_ticket"], board["deck_tickets"], in_decks)
    if edition.bonus_ticket:
        for name in ("source", "target"):
            board[f"bonus_{name}"] = _cities_of(edition, getattr(edition.bonus_ticket, name))


def _set_rows(board: np.void, canonical: Canonical, edition: Edition) -> None:
    """Set the rows of the files, `edition` being in their order."""
    cities, routes, tickets = canonical.city_rows, canonical.route_rows, canonical.ticket_rows
    board["city_row"][: len(cities)], board["route_row"][: len(routes)] = cities, routes
    board["ticket_row"][: len(tickets)] = tickets
    for place, row in enumerate(routes):
        board["ends_swapped"][place] = cities[canonical.edition.routes[place].a] != edition.routes[row].a
    logged: set[int] = set()
    for row in range(len(cities)):
        pool = int(board["pool_city"][cities.index(row)])
        board["pool_of_row"][row] = ABSENT if pool in logged else pool
        logged.add(pool)
