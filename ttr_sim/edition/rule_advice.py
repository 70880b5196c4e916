"""Warnings about rules: blocks that do nothing, and too few cards or tickets for the players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from ttr_sim.edition.board import Board
from ttr_sim.edition.cells import Reader
from ttr_sim.edition.model import Edition
from ttr_sim.edition.rule_checks import dealt_tickets, drawn_tickets
from ttr_sim.edition.rules import Rules

MANY_ROUTES = 40  # of one player; on the densest of maps, measured, a game takes 10 ms with 40 and seconds with 45
FEW_CARDS = 4  # left in the deck for each player after setup
POINTLESS_IN_A_RACE = ("route_scores", "longest_path", "globetrotter", "passengers", "merchandise")


def advise_on_rules(edition: Edition, rules: Rules, board: Board) -> None:
    _advise_on_features(rules, board)
    _advise_on_decks(edition, rules)
    _advise_on_supply(edition, rules)
    _advise_on_end(edition, rules)
    _advise_on_tie_breaks(edition, rules)
    _advise_on_longest_path(edition, rules)
    _advise_on_points(edition, rules)
    _advise_on_passengers(edition, rules)
    _advise_on_merchandise(edition, rules)
    _advise_on_instant_tickets(edition, rules)


def _advise_on_longest_path(edition: Edition, rules: Rules) -> None:
    """Warn of networks so large that finding their longest path may take longer than a game."""
    if edition.longest_path is None and "longest_path" not in edition.tie_breaks:
        return
    shortest: dict[int, int] = {}
    for route in edition.routes:
        shortest[route.group] = min(route.length, shortest.get(route.group, route.length))
    spent = accumulate(sorted(shortest.values()))
    routes = sum(trains <= edition.trains for trains in spent)
    if routes > MANY_ROUTES:
        rules.warn(
            ("trains",),
            f"a player can claim up to {routes} routes: where these lie close together, finding the longest path "
            "exactly can take minutes",
        )


def _advise_on_features(rules: Rules, board: Board) -> None:
    """Warn of a block that no row of the map uses, and of rows that need a block the edition lacks."""
    routes = list(zip(board.routes, board.route_rows, strict=True))
    cities = zip(board.cities, board.city_rows, strict=True)
    users: dict[str, tuple[str, list[Reader]]] = {
        "tunnels": ("kind", [reader for route, reader in routes if route.kind == "tunnel"]),
        "ferries": ("kind", [reader for route, reader in routes if route.kind == "ferry"]),
        "merchandise": ("merchandise", [reader for route, reader in routes if route.merchandise]),
        "passengers": ("passengers", [reader for city, reader in cities if city.passengers]),
    }
    for block, (heading, readers) in users.items():
        if readers and block not in rules:
            message = f"edition.toml has no block [{block}]: {len(readers)} rows need it and are played without it"
            readers[0].warn(heading, message)
        elif block in rules and not readers:
            rules.warn((block,), f"no row of the map uses the block [{block}]")


def _advise_on_decks(edition: Edition, rules: Rules) -> None:
    sizes = Counter(ticket.deck for ticket in edition.tickets)
    for number, deck in enumerate(edition.decks):
        if not sizes[number]:
            rules.warn(("decks", deck.name), f'no ticket is in the deck "{deck.name}"')
        elif not edition.ticket_rules.mix and not deck.deal and not deck.draw:
            rules.warn(("decks", deck.name), f'the tickets of the deck "{deck.name}" never come into play')


def _advise_on_supply(edition: Edition, rules: Rules) -> None:
    """Warn when setup with the most players leaves too few tickets or cards."""
    players = edition.players[1]
    for path, left in _tickets_left(edition, players):
        if left < players:
            rules.warn(path, f"with {players} players only {left} tickets are left to draw after setup")
    row = edition.row.size if edition.row else 0
    cards = sum(color.cards for color in edition.colors) + edition.wilds - players * edition.hand - row
    if cards < FEW_CARDS * players:
        rules.warn(("hand",), f"with {players} players only {cards} cards are left in the deck after setup")


def _tickets_left(edition: Edition, players: int) -> Iterator[tuple[tuple[str, ...], int]]:
    if edition.ticket_rules.mix:
        if edition.ticket_rules.draw_total:
            yield ("tickets", "draw_total"), len(edition.tickets) - players * edition.ticket_rules.deal_total
        return
    sizes = Counter(ticket.deck for ticket in edition.tickets)
    for number, deck in enumerate(edition.decks):
        if deck.draw and sizes[number]:
            yield ("decks", deck.name, "draw"), sizes[number] - players * deck.deal


def _advise_on_end(edition: Edition, rules: Rules) -> None:
    end = edition.end
    if end.trains_left is not None and end.trains_left >= edition.trains:
        rules.warn(("end", "trains_left"), "the first turn starts the final round: nobody has more trains than that")
    if end.race_tickets is None:
        return
    if edition.instant_tickets is None:
        message = (
            "without [instant_tickets] completed tickets are not shown, so nobody can win the race before the game ends"
        )
        rules.warn(("end", "race_tickets"), message)
    reachable = len(edition.tickets) + (1 if edition.bonus_ticket else 0)
    if end.race_tickets > reachable:
        rules.warn(
            ("end", "race_tickets"), f"nobody can complete {end.race_tickets} tickets: there are only {reachable}"
        )


def _advise_on_tie_breaks(edition: Edition, rules: Rules) -> None:
    lacking = {"stations": edition.stations, "passengers": edition.passengers}
    for name in edition.tie_breaks:
        if name in lacking and lacking[name] is None:
            rules.warn(("tie_breaks",), f'"{name}" never breaks a tie: the edition has no block [{name}]')


def _advise_on_points(edition: Edition, rules: Rules) -> None:
    if edition.is_race:
        for name in POINTLESS_IN_A_RACE:
            if rules.get(name) is not None:
                rules.warn((name,), f"{name} scores nothing: in a race only completed tickets count")
    elif edition.route_scores is None:
        rules.warn((), "route_scores is left out: routes score nothing")


def _advise_on_passengers(edition: Edition, rules: Rules) -> None:
    if edition.passengers is not None:
        placed = sum(city.passengers for city in edition.cities)
        there_are = len(edition.passengers.colors) * edition.passengers.each
        if 0 < placed < there_are:
            rules.warn(("passengers", "each"), f"the cities use only {placed} of the {there_are} passengers")


def _advise_on_merchandise(edition: Edition, rules: Rules) -> None:
    if edition.merchandise is not None:
        symbols = sum(route.merchandise for route in edition.routes)
        if edition.merchandise.cards < symbols:
            cards = edition.merchandise.cards
            message = f"{symbols} routes earn a card, but there are only {cards}: the last claims earn none"
            rules.warn(("merchandise", "cards"), message)


def _advise_on_instant_tickets(edition: Edition, rules: Rules) -> None:
    instant = edition.instant_tickets
    if instant is not None and instant.discard and dealt_tickets(rules) < instant.hold and not drawn_tickets(rules):
        message = (
            f"nobody ever holds the {instant.hold} tickets that a discard needs: only {dealt_tickets(rules)} are dealt"
        )
        rules.warn(("instant_tickets", "hold"), message)
