"""The compiled board: an edition as one record of numbers that kernels read and never write.

Cities, routes and tickets stand in canonical order, so that no sum, enumeration or tie depends on
the order of lines. Only the log has row numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from ttr_sim.edition.canonical import Canonical, in_canonical_order, route_keys, ticket_keys
from ttr_sim.edition.limits import (
    MAX_CARDS,
    MAX_CITIES,
    MAX_COLORS,
    MAX_DECKS,
    MAX_PLAYERS,
    MAX_ROUTES,
    MAX_TICKETS,
)
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

BOARD = np.dtype(
    [
        *(
            (name, _i4)
            for name in (
                *("n_cities", "n_routes", "n_tickets", "n_colors", "n_cards", "n_decks", "n_classes"),
                "longest_route",
                *("trains", "hand", "max_turns", "row_size", "reset_at", "max_resets", "needs_pile"),
                *("closed_up_to_players", "mix", "deal_total", "draw_total", "keep_at_start", "returned_at_start"),
                *("keep", "failed_subtract", "trains_left", "race_tickets", "last_train", "routes_score"),
                *("longest_points", "measure_longest", "globetrotter_points", "stations", "unused_points"),
                *("tunnel_reveal", "n_passenger_colors", "passengers_each", "most_points", "second_points"),
                *("merchandise_cards", "instant_hold", "instant_discard", "show_tickets"),
                *("bonus_tickets", "n_tie_breaks"),
            )
        ),
        ("scores", _i1, len(PART)),  # by score part: whether this edition has it
        ("bonus_source", _u8),  # sets of cities, a bit each
        ("bonus_target", _u8),
        ("tie_breaks", _i1, len(TIE_BREAKS)),
        ("color_cards", _i2, N_COLORS),
        ("letters", np.uint8, N_COLORS),
        ("first_card", _i2, N_COLORS),  # the cards of a color stand together
        ("card_color", _i1, MAX_CARDS),
        ("card_identity", _u8, MAX_CARDS),
        ("deck_deal", _i2, MAX_DECKS),
        ("deck_draw", _i2, MAX_DECKS),
        ("first_ticket", _i2, MAX_DECKS + 1),  # into deck_tickets
        ("deck_tickets", _i2, MAX_TICKETS),
        ("merchandise_points", _i2, (MAX_PLAYERS + 1, MAX_PLAYERS)),
        ("passenger_color", _i1, MAX_COLORS),  # color index of the k-th passenger color
        ("passenger_identity", _u8, MAX_CARDS),
        ("pool_city", _i2, MAX_CITIES),  # where a city's passengers stand: itself, or its country's first spot
        ("pool_size", _i2, MAX_CITIES),
        ("route_a", _i2, MAX_ROUTES),
        ("route_b", _i2, MAX_ROUTES),
        ("route_ends", _u8, MAX_ROUTES),  # both, a bit each
        ("route_length", _i2, MAX_ROUTES),
        ("route_color", _i2, MAX_ROUTES),
        ("route_wilds", _i2, MAX_ROUTES),  # at least this many wilds: a ferry's locomotives
        ("route_tunnel", _i1, MAX_ROUTES),
        ("route_merchandise", _i1, MAX_ROUTES),
        ("route_points", _i2, MAX_ROUTES),
        ("route_group", _i2, MAX_ROUTES),
        ("route_class", _i2, MAX_ROUTES),
        ("first_of_group", _i2, MAX_ROUTES + 1),  # into group_routes
        ("group_routes", _i2, MAX_ROUTES),
        ("first_of_class", _i2, MAX_CLASSES + 1),  # into class_routes
        ("class_routes", _i2, MAX_ROUTES),
        ("class_color", _i2, MAX_CLASSES),  # classes stand by color, GRAY first, then by length
        ("class_length", _i2, MAX_CLASSES),
        ("class_wilds", _i2, MAX_CLASSES),
        ("first_road", _i2, MAX_CITIES + 1),  # into road_route and road_city: the routes at a city
        ("road_route", _i2, 2 * MAX_ROUTES),
        ("road_city", _i2, 2 * MAX_ROUTES),
        ("neighbors", _u8, MAX_CITIES),  # the cities that a route leads to, a bit each
        ("ticket_a", _i2, MAX_TICKETS),  # first city that meets the end
        ("ticket_b", _i2, MAX_TICKETS),
        ("ticket_a_set", _u8, MAX_TICKETS),  # all of them
        ("ticket_b_set", _u8, MAX_TICKETS),
        ("ticket_simple", _i1, MAX_TICKETS),  # one city at each end
        ("ticket_points", _i2, MAX_TICKETS),
        ("ticket_deck", _i2, MAX_TICKETS),
        ("ticket_identity", _u8, MAX_TICKETS),
        ("city_identity", _u8, MAX_CITIES),
        ("route_identity", _u8, MAX_ROUTES),
        ("color_identity", _u8, N_COLORS),
        # for the log: rows of the files
        ("city_row", _i2, MAX_CITIES),
        ("route_row", _i2, MAX_ROUTES),
        ("ticket_row", _i2, MAX_TICKETS),
        ("pool_of_row", _i2, MAX_CITIES),  # pool logged at this row of cities.csv, or ABSENT
        ("ends_swapped", _i1, MAX_ROUTES),  # the file names the ends the other way around
    ],
    align=True,
)


def compile_board(edition: Edition) -> np.ndarray:
    """The edition as a 1-element record array."""
    boards = np.zeros(1, BOARD)
    board = boards[0]
    canonical = in_canonical_order(edition)
    _set_rules(board, canonical.edition)
    _set_bonuses(board, canonical.edition)
    _set_cards(board, canonical.edition)
    _set_decks(board, canonical.edition)
    _set_passengers(board, canonical.edition)
    _set_routes(board, canonical.edition)
    _set_classes(board, canonical.edition)
    _set_roads(board, canonical.edition)
    _set_tickets(board, canonical.edition)
    _set_identities(board, canonical.edition)
    _set_rows(board, canonical, edition)
    return boards


def _identity(*parts: object) -> int:
    """A number that a card or ticket keeps when anything else in the edition changes."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def _set_rules(board: np.void, edition: Edition) -> None:
    rules, row, end = edition.ticket_rules, edition.row, edition.end
    board["trains"], board["hand"], board["max_turns"] = edition.trains, edition.hand, edition.max_turns
    if row is not None:
        board["row_size"], board["reset_at"], board["max_resets"] = row.size, row.reset_at, row.max_resets
        board["needs_pile"] = row.needs_pile
    board["closed_up_to_players"] = edition.closed_up_to_players
    board["mix"], board["deal_total"], board["draw_total"] = rules.mix, rules.deal_total, rules.draw_total
    board["keep_at_start"], board["keep"] = rules.keep_at_start, rules.keep
    board["returned_at_start"] = RETURNED_AT_START.index(rules.returned_at_start)
    board["failed_subtract"] = rules.failed_subtract
    board["trains_left"] = ABSENT if end.trains_left is None else end.trains_left
    board["race_tickets"] = end.race_tickets or 0
    board["last_train"] = end.last_train
    board["tie_breaks"][: len(edition.tie_breaks)] = [TIE_BREAKS.index(name) for name in edition.tie_breaks]
    board["n_tie_breaks"] = len(edition.tie_breaks)


def _set_bonuses(board: np.void, edition: Edition) -> None:
    board["scores"] = [part.is_scored_in(edition) for part in SCORE_PARTS]
    longest, globetrotter, stations = edition.longest_path, edition.globetrotter, edition.stations
    board["longest_points"] = ABSENT if longest is None else longest.points
    board["measure_longest"] = longest is not None or "longest_path" in edition.tie_breaks
    board["globetrotter_points"] = ABSENT if globetrotter is None else globetrotter.points
    if stations is not None:
        board["stations"], board["unused_points"] = stations.count, stations.unused_points
    board["tunnel_reveal"] = ABSENT if edition.tunnels is None else edition.tunnels.reveal
    if edition.merchandise is not None:
        board["merchandise_cards"] = edition.merchandise.cards
        for players, points in edition.merchandise.points.items():
            board["merchandise_points"][players, : len(points)] = points
    if edition.instant_tickets is not None:
        board["instant_hold"], board["instant_discard"] = edition.instant_tickets.hold, edition.instant_tickets.discard
    board["show_tickets"] = edition.instant_tickets is not None or edition.is_race
    if edition.bonus_ticket is not None:
        bonus = edition.bonus_ticket
        regions = [city.region for city in edition.cities]
        board["bonus_tickets"] = bonus.count
        board["bonus_source"] = _bits(row for row, region in enumerate(regions) if region == bonus.source)
        board["bonus_target"] = _bits(row for row, region in enumerate(regions) if region == bonus.target)


def _bits(rows: Iterable[int]) -> int:
    return sum(1 << row for row in rows)


def _set_cards(board: np.void, edition: Edition) -> None:
    kinds = [(index, color.name, color.letter, color.cards) for index, color in enumerate(edition.colors)]
    kinds.append((WILD, "wild", WILD_LETTER, edition.wilds))
    card = 0
    # Identity is color and copy: more cards of one color leave the order of all others.
    for index, name, letter, cards in kinds:
        board["color_cards"][index], board["letters"][index] = cards, ord(letter)
        board["first_card"][index] = card
        for copy in range(cards):
            board["card_color"][card], board["card_identity"][card] = index, _identity("card", name, copy)
            card += 1
    board["n_colors"], board["n_cards"] = len(edition.colors), card


def _set_decks(board: np.void, edition: Edition) -> None:
    board["n_decks"] = len(edition.decks)
    at = 0
    for index, deck in enumerate(edition.decks):
        board["deck_deal"][index], board["deck_draw"][index] = deck.deal, deck.draw
        board["first_ticket"][index] = at
        for row, ticket in enumerate(edition.tickets):
            if ticket.deck == index:
                board["deck_tickets"][at] = row
                at += 1
    board["first_ticket"][len(edition.decks) :] = at


def _set_passengers(board: np.void, edition: Edition) -> None:
    first_spot: dict[str, int] = {}
    for row, city in enumerate(edition.cities):
        pool = row if city.country is None else first_spot.setdefault(city.country, row)
        board["pool_city"][row] = pool
    if edition.passengers is None:
        return
    rules = edition.passengers
    for row, city in enumerate(edition.cities):
        board["pool_size"][board["pool_city"][row]] += city.passengers
    board["n_passenger_colors"], board["passengers_each"] = len(rules.colors), rules.each
    board["most_points"], board["second_points"] = rules.most, rules.second
    board["passenger_color"][: len(rules.colors)] = rules.colors
    names = [edition.colors[color].name for color in rules.colors]
    identities = [_identity("passenger", name, copy) for name in names for copy in range(rules.each)]
    board["passenger_identity"][: len(identities)] = identities


def _set_routes(board: np.void, edition: Edition) -> None:
    board["n_cities"], board["n_routes"] = len(edition.cities), len(edition.routes)
    board["routes_score"] = edition.route_scores is not None
    scores = edition.route_scores or (0,) * 64
    for row, route in enumerate(edition.routes):
        board["route_a"][row], board["route_b"][row], board["route_length"][row] = route.a, route.b, route.length
        board["route_ends"][row] = np.uint64(1 << route.a | 1 << route.b)
        board["route_color"][row] = GRAY if route.color is None else route.color
        board["route_wilds"][row] = route.locomotives
        board["route_tunnel"][row], board["route_merchandise"][row] = route.kind == "tunnel", route.merchandise
        board["route_points"][row], board["route_group"][row] = scores[route.length - 1], route.group
    groups = [route.group for route in edition.routes]
    _set_lists(board["first_of_group"], board["group_routes"], groups)


def _set_classes(board: np.void, edition: Edition) -> None:
    """Put routes that cost the same into one class: choices are counted by class, not by route."""
    costs = [(route.color, route.length, route.locomotives) for route in edition.routes]
    kinds = sorted(set(costs), key=lambda cost: (GRAY if cost[0] is None else cost[0], *cost[1:]))
    for index, (color, length, wilds) in enumerate(kinds):
        board["class_color"][index] = GRAY if color is None else color
        board["class_length"][index], board["class_wilds"][index] = length, wilds
    classes = [kinds.index(cost) for cost in costs]
    board["route_class"][: len(classes)] = classes
    board["n_classes"] = _set_lists(board["first_of_class"], board["class_routes"], classes)
    board["longest_route"] = max((length for _, length, _ in costs), default=0)


def _set_lists(first: np.ndarray, members: np.ndarray, keys: list[int]) -> int:
    """List the members by key, each key's from `first` on, and count the keys."""
    at, n_keys = 0, max(keys, default=-1) + 1
    for key in range(n_keys):
        first[key] = at
        for member, its_key in enumerate(keys):
            if its_key == key:
                members[at] = member
                at += 1
    first[n_keys:] = at
    return n_keys


def _set_roads(board: np.void, edition: Edition) -> None:
    at = 0
    for city in range(len(edition.cities)):
        board["first_road"][city] = at
        for row, route in enumerate(edition.routes):
            if city in (route.a, route.b):
                board["road_route"][at], board["road_city"][at] = row, route.a + route.b - city
                board["neighbors"][city] |= np.uint64(1 << (route.a + route.b - city))
                at += 1
    board["first_road"][len(edition.cities) :] = at


def _set_tickets(board: np.void, edition: Edition) -> None:
    board["n_tickets"] = len(edition.tickets)
    for row, ticket in enumerate(edition.tickets):
        board["ticket_a"][row], board["ticket_b"][row] = ticket.a_cities[0], ticket.b_cities[0]
        board["ticket_a_set"][row], board["ticket_b_set"][row] = _bits(ticket.a_cities), _bits(ticket.b_cities)
        board["ticket_simple"][row] = len(ticket.a_cities) == len(ticket.b_cities) == 1
        board["ticket_points"][row], board["ticket_deck"][row] = ticket.points, ticket.deck


def _set_identities(board: np.void, edition: Edition) -> None:
    """Set the keys of chance and ties: neither rows nor lengths nor points, so that an edit moves no other."""
    identities = {
        "ticket": [_identity("ticket", *key) for key in ticket_keys(edition)],
        "route": [_identity("route", *key) for key in route_keys(edition)],
        "city": [_identity("city", city.name) for city in edition.cities],
        "color": [_identity("color", color.name) for color in edition.colors],
    }
    for kind, numbers in identities.items():
        board[f"{kind}_identity"][: len(numbers)] = numbers
    board["color_identity"][WILD] = _identity("color", "wild")


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
