"""Errors between the files of a folder: countries, scores of lengths, tickets and passengers for all."""

from __future__ import annotations

from collections import Counter

from ttr_sim.edition.board import Board
from ttr_sim.edition.locks import find_lock, known_pairs
from ttr_sim.edition.problems import RULES_FILE, Place, Problems
from ttr_sim.edition.rule_checks import dealt_tickets
from ttr_sim.edition.rules import Rules
from ttr_sim.errors import UserError, closest


def check_board(board: Board, problems: Problems) -> None:
    """Check that the three CSV files fit each other."""
    _check_rows(board, problems)
    if not problems.errors_in("cities.csv"):
        _check_country_names(board)
        if not problems.errors_in("routes.csv"):
            _check_spots(board)


def check_together(rules: Rules, board: Board, problems: Problems) -> None:
    """Check that the map and edition.toml fit each other."""
    _check_lengths(rules, board)
    if not problems.errors_in("cities.csv"):
        _check_regions(rules, board)
        _check_passengers(rules, board)
    if not problems.errors_in("tickets.csv", RULES_FILE):
        _check_setup_tickets(rules, board)
    if not problems.errors:
        _check_locks(rules, board)


def _check_rows(board: Board, problems: Problems) -> None:
    for file, rows in (
        ("cities.csv", board.cities),
        ("routes.csv", board.routes),
        ("tickets.csv", board.tickets),
    ):
        if not rows and not problems.errors_in(file):
            problems.error(Place(file), "there are no rows below the headings")


def _check_country_names(board: Board) -> None:
    countries = {city.country for city in board.cities}
    for city, reader in zip(board.cities, board.city_rows, strict=True):
        if city.name in countries:
            reader.error("name", f'"{city.name}" is also the name of a country; a ticket could mean either')


def _check_spots(board: Board) -> None:
    """Check that countries are dead ends: the routes of a spot lead to one city, and not into its own country."""
    neighbor: dict[int, int] = {}
    for route, reader in zip(board.routes, board.route_rows, strict=True):
        a, b = board.cities[route.a], board.cities[route.b]
        if a.country is not None and a.country == b.country:
            reader.error("to", f'both ends are spots of the country "{a.country}"')
            continue
        for spot, other, heading in ((route.a, route.b, "from"), (route.b, route.a, "to")):
            name = board.cities[spot].name
            if board.cities[spot].country and neighbor.setdefault(spot, other) != other:
                first = board.cities[neighbor[spot]].name
                reader.error(heading, f'"{name}" already leads to {first}; each way into a country needs its own spot')


def _check_lengths(rules: Rules, board: Board) -> None:
    scores = rules.get("route_scores")
    if scores is None:
        return
    for route, reader in zip(board.routes, board.route_rows, strict=True):
        if route.length > len(scores):
            reader.error("length", f"route_scores has no points for length {route.length}, only up to {len(scores)}")


def _check_regions(rules: Rules, board: Board) -> None:
    regions = {city.region for city in board.cities if city.region}
    for key in ("from", "to"):
        region = rules.get("bonus_ticket", key)
        if region is not None and region not in regions:
            rules.error(("bonus_ticket", key), f'no city has the region "{region}"', closest(region, regions))


def _check_passengers(rules: Rules, board: Board) -> None:
    colors, each = rules.get("passengers", "colors"), rules.get("passengers", "each")
    if colors is None or each is None:
        return
    placed, there_are = sum(city.passengers for city in board.cities), len(colors) * each
    if placed > there_are:
        message = (
            f"the cities need {placed} passengers, but there are only {there_are} ({len(colors)} colors, {each} each)"
        )
        rules.error(("passengers", "each"), message)


def _check_locks(rules: Rules, board: Board) -> None:
    pairs = known_pairs(board.cities, board.routes, board.tickets)
    for written in rules.get("targets", "locked") or ():
        try:
            find_lock(written, rules["decks"], pairs)
        except UserError as error:
            rules.error(("targets", "locked"), str(error))


def _check_setup_tickets(rules: Rules, board: Board) -> None:
    most_players = rules["players"][1]
    if rules["tickets"]["mix"]:
        needed, there_are = most_players * dealt_tickets(rules), len(board.tickets)
        if needed > there_are:
            rules.error(("tickets", "deal_total"), _too_few(most_players, needed, "tickets", there_are))
        return
    sizes = Counter(ticket.deck for ticket in board.tickets)
    for number, (name, deck) in enumerate(rules["decks"].items()):
        needed = most_players * deck["deal"]
        if needed > sizes[number]:
            rules.error(("decks", name, "deal"), _too_few(most_players, needed, f'"{name}" tickets', sizes[number]))


def _too_few(players: int, needed: int, things: str, there_are: int) -> str:
    return f"setup with {players} players deals {needed} {things}, but there are only {there_are}"
