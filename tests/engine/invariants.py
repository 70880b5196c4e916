"""Sums and copies that always agree, whatever has been played."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ttr_sim.engine.actions import ASK_KEEP, ASK_TUNNEL, ASK_TURN, GAME_OVER, WILD
from ttr_sim.engine.stepping import Game
from ttr_sim.log import NULL


def check_invariants(game: Game, settled: bool = True) -> None:
    """`settled`: reached by playing, so that the row is as full and as tame as the rules make it.

    Scores and other pieces are left to the referee, which audits the same editions.
    """
    _check_cards(game)
    _check_tickets(game)
    _check_open_routes(game)
    for seat in _players(game):
        _check_network(game, seat)
    _check_view(game)
    if settled:
        _check_row(game)


def _players(game: Game) -> range:
    return range(int(game.view["players"]))


def _check_cards(game: Game) -> None:
    table, hidden, holdings = game.view, game.state["hidden"], game.state["holdings"]
    # Cards lie on the table while the extra cards of a tunnel are being decided.
    laid = np.zeros(WILD + 1, int)
    if table["decision"] == ASK_TUNNEL:
        laid[WILD] = table["laid_wilds"]
        laid[int(table["laid_color"])] += game.edition.routes[int(table["route"])].length - table["laid_wilds"]
    deck = hidden["deck"][int(hidden["deck_at"]) : int(hidden["deck_end"])]
    hands = [holdings[seat]["hand"].astype(int) for seat in _players(game)]
    piles = [*hands, table["row"], table["discards"], np.bincount(deck, minlength=WILD + 1), laid]
    assert all((pile >= 0).all() for pile in piles)
    assert (sum(pile.astype(int) for pile in piles) == game.boards[0]["color_cards"]).all()
    assert table["deck_cards"] == len(deck)
    assert table["row_cards"] == table["row"].sum()
    assert table["discard_cards"] == table["discards"].sum()
    for seat, cards in zip(_players(game), hands, strict=True):
        assert table["hand_cards"][seat] == cards.sum()
        assert (table["known"][seat] >= 0).all()
        assert (table["known"][seat] <= cards + (laid if seat == game.seat else 0)).all()
        assert (table["taken"][seat] - table["spent"][seat] <= table["known"][seat]).all()


def _check_row(game: Game) -> None:
    """A short row means that there is no card left; too many wilds, that a reset was in vain."""
    table, board = game.view, game.boards[0]
    if table["row_cards"] < board["row_size"] and table["decision"] in (ASK_TURN, GAME_OVER):
        assert table["deck_cards"] + table["discard_cards"] == 0
    if board["row_size"] and table["row"][WILD] >= board["reset_at"]:
        assert game.state["hidden"]["stuck"] > 0


def _check_tickets(game: Game) -> None:
    """Each in one place; a kept one has a turn of completion when the network meets it, and only then."""
    places: Counter[int] = Counter()
    table, hidden = game.view, game.state["hidden"]
    for deck in range(len(game.edition.decks)):
        ring, at = hidden["ring"][deck], int(hidden["ring_at"][deck])
        tickets = [int(ring[(at + i) % len(ring)]) for i in range(int(table["deck_tickets"][deck]))]
        assert all(game.edition.tickets[ticket].deck == deck for ticket in tickets)
        places.update(tickets)
    for seat in _players(game):
        holding, network = game.state["holdings"][seat], table["network"][seat]
        held = [int(ticket) for ticket in holding["tickets"][: int(holding["n_tickets"])]]
        places.update(held)
        places.update(int(ticket) for ticket in holding["offered"][: int(holding["n_offered"])])
        shown = int(holding["shown"][: len(held)].sum())
        assert (int(table["held_tickets"][seat]), int(table["completed"][seat])) == (len(held) - shown, shown)
        for i, row in enumerate(held):
            ticket = game.edition.tickets[row]
            met = {int(network[a]) for a in ticket.a_cities} & {int(network[b]) for b in ticket.b_cities}
            if table["decision"] in (ASK_TURN, GAME_OVER):
                assert bool(met) == (holding["met_turn"][i] != NULL)
            assert met or not holding["shown"][i]
    assert set(places.values()) <= {1}
    if game.edition.ticket_rules.returned_at_start != "removed":
        assert len(places) == len(game.edition.tickets)


def _check_network(game: Game, seat: int) -> None:
    """Trains, and networks as an own search finds them."""
    routes = [entry for row, entry in enumerate(game.edition.routes) if game.view["owner"][row] == seat]
    left = int(game.view["trains"][seat])
    assert left >= 0
    assert left + sum(route.length for route in routes) == game.edition.trains
    assert game.state["hidden"]["routes_claimed"][seat] == len(routes)
    assert len({route.group for route in routes}) == len(routes), "two routes of a group"
    labels = list(range(len(game.edition.cities)))
    for route in routes:
        kept, dropped = labels[route.a], labels[route.b]
        labels = [kept if label == dropped else label for label in labels]
    network = [int(label) for label in game.view["network"][seat][: len(labels)]]
    assert len(set(zip(labels, network, strict=True))) == len(set(labels)) == len(set(network))


def _check_open_routes(game: Game) -> None:
    """The bits and counts that choices are listed from, against the rule read off the owners."""
    board, table = game.boards[0], game.view
    closes = int(table["players"]) <= game.edition.closed_up_to_players
    owners: dict[int, set[int]] = {}
    for row, entry in enumerate(game.edition.routes):
        if table["owner"][row] >= 0:
            owners.setdefault(entry.group, set()).add(int(table["owner"][row]))
    for seat in _players(game):
        counts: Counter[int] = Counter()
        words = [int(word) for word in table["open_routes"][seat]]
        for row, entry in enumerate(game.edition.routes):
            others = owners.get(entry.group, set())
            is_open = table["owner"][row] < 0 and seat not in others and not (closes and others)
            assert is_open == bool(words[row // 64] >> row % 64 & 1)
            counts[int(board["route_class"][row])] += is_open
        assert all(int(table["open_classes"][seat][index]) == n for index, n in counts.items())


def _check_view(game: Game) -> None:
    """The mover's own hand, tickets and offer stand in the view, and nothing of who moved before."""
    table, holding = game.view, game.state["holdings"][game.seat]
    if game.is_over:
        return
    n = int(holding["n_tickets"])
    assert table["n_tickets"] == n
    assert (table["hand"] == holding["hand"]).all()
    assert (table["tickets"][:n] == holding["tickets"][:n]).all()
    assert not table["tickets"][n:].any(), "tickets of another seat are left in the view"
    offered = int(holding["n_offered"]) if table["decision"] == ASK_KEEP else 0
    assert table["n_offered"] == offered
    assert (table["offered"][:offered] == holding["offered"][:offered]).all()
    assert not table["offered"][offered:].any(), "an offer to another seat is left in the view"
