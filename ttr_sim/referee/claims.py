"""Claiming a route: open to the claimer, trains enough, paid as printed; then what the claim earns."""

from __future__ import annotations

from ttr_sim.referee import tunnels, words
from ttr_sim.referee.bonus_ticket import earn_bonus_ticket
from ttr_sim.referee.completion import complete_tickets
from ttr_sim.referee.findings import RuleError, shown
from ttr_sim.referee.merchandise import earn_merchandise
from ttr_sim.referee.passengers import take_passengers
from ttr_sim.referee.payments import can_pay, check_payment, pay
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

RULE = "claiming routes"


def claim_route(table: Table, turn: TurnRow) -> None:
    """One route, whole, at once; a tunnel may be given up when it asks for extra cards."""
    route = turn.route
    if route is None or not 0 <= route < len(table.owner):
        raise RuleError(RULE, f"there is no route number {route}")
    closed = why_closed(table, turn.seat, route)
    if closed:
        raise RuleError(RULE, f"{words.route(table.rules, route)} {closed}")
    _check_wanted_by(table, turn)
    if turn.claimed is None:
        raise RuleError(RULE, "the log does not tell whether the route was claimed")
    _lay_down(table, turn, route)
    if turn.claimed:
        _place_trains(table, turn.seat, route)
    take_passengers(table, turn, route)
    earn_merchandise(table, turn, route)
    earn_bonus_ticket(table, turn)
    if turn.claimed:
        complete_tickets(table, turn.seat)


def why_closed(table: Table, seat: int, route: int) -> str | None:
    """Why this seat cannot claim the route, cards aside."""
    if table.owner[route] is not None:
        return "had been claimed before"
    owners = [table.owner[twin] for twin in table.rules.groups[route]]
    if seat in owners:
        return "runs beside a route the same seat holds"
    if table.players <= table.edition.closed_up_to_players and any(owner is not None for owner in owners):
        return f"is closed with {table.players} players once a route beside it is claimed"
    if table.seats[seat].trains < table.edition.routes[route].length:
        return f"is longer than the {table.seats[seat].trains} trains left"
    return None


def can_claim_any(table: Table, seat: int) -> bool:
    return any(
        why_closed(table, seat, number) is None
        and can_pay(table, table.seats[seat], route.length, table.rules.route_letters[number], route.locomotives)
        for number, route in enumerate(table.edition.routes)
    )


def _lay_down(table: Table, turn: TurnRow, route: int) -> None:
    """The cards are paid, or a tunnel was given up and they are taken back."""
    extra = 0
    if table.rules.is_tunnel(route):
        extra = tunnels.reveal(table, turn)
    else:
        table.expect("tunnels", "tunnel_cards of a route that is no tunnel", turn.tunnel_cards, None)
        table.expect("tunnels", "tunnel_cost of a route that is no tunnel", turn.tunnel_cost, None)
    if not turn.claimed and not extra:
        raise RuleError("tunnels", "a route was given up though it asked for no extra cards")
    _check_price(table, turn, route, extra if turn.claimed else 0)
    if turn.claimed:
        pay(table, turn)
    if table.rules.is_tunnel(route):
        tunnels.discard_revealed(table, turn)


def _check_price(table: Table, turn: TurnRow, route: int, extra: int) -> None:
    """Cards as many as spaces and extra cards, in the route's color, a ferry's locomotives as wilds."""
    entry = table.edition.routes[route]
    check_payment(table, turn, RULE, entry.length + extra)
    printed = table.rules.route_letters[route]
    if printed is not None and turn.color not in {None, printed}:
        name = words.route(table.rules, route)
        raise RuleError(RULE, f"{name} was paid in {words.color_name(table.rules, turn.color)}, not in its color")
    if (turn.wilds or 0) < entry.locomotives:
        raise RuleError("ferries", f"{turn.wilds} wilds were paid for a ferry with {entry.locomotives} locomotives")


def _check_wanted_by(table: Table, turn: TurnRow) -> None:
    """Only seats whose bots publish plans can have wanted the route."""
    if turn.wanted_by is None or turn.wanted_by & ~table.planners:
        table.note("log", f"wanted_by is {shown(turn.wanted_by)}, but only mask {table.planners} publishes plans")


def _place_trains(table: Table, seat: int, route: int) -> None:
    entry = table.edition.routes[route]
    state = table.seats[seat]
    table.owner[route] = seat
    state.trains -= entry.length
    state.routes.append(route)
    state.network.join(entry.a, entry.b)
    if table.edition.route_scores is not None and not table.edition.is_race:
        state.public_score += table.edition.route_scores[entry.length - 1]
