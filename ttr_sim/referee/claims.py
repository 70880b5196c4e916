"""Claiming a route: open to the claimer, trains enough, paid as printed; then what the claim earns.

Tunnels, passengers, merchandise and the bonus ticket are here too; what they score is in scoring.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee import words
from ttr_sim.referee.cards import can_pay, check_payment, pay
from ttr_sim.referee.log import TurnRow
from ttr_sim.referee.position import Choice, Position
from ttr_sim.referee.rulebook import RuleError
from ttr_sim.referee.tickets import complete_tickets

RULE = "claiming routes"


def can_claim_any(position: Position, seat: int) -> bool:
    rules, state = position.rules, position.seats[seat]
    return any(
        why_closed(position, seat, number) is None
        and can_pay(position, state, route.length, rules.route_letters[number], route.locomotives)
        for number, route in enumerate(position.edition.routes)
    )


def claim_route(position: Position, turn: TurnRow) -> None:
    """Claim one route, whole, at once; a tunnel may be given up when it costs extra cards."""
    route = turn.route
    if route is None or not 0 <= route < len(position.owner):
        raise RuleError(RULE, f"there is no route {words.cell(route)}")
    closed = why_closed(position, turn.seat, route)
    if closed:
        raise RuleError(RULE, f"{words.route(position.rules, route)} {closed}")
    _check_wanted_by(position, turn)
    if turn.claimed is None:
        raise RuleError(RULE, "the log does not say whether the route was claimed")
    _lay_down(position, turn, route)
    if turn.claimed:
        _place_trains(position, turn.seat, route)
    _take_passengers(position, turn, route)
    _earn_merchandise(position, turn, route)
    _earn_bonus_ticket(position, turn)
    if turn.claimed:
        complete_tickets(position, turn.seat)


def why_closed(position: Position, seat: int, route: int) -> str | None:
    """Return why this seat cannot claim the route, cards aside."""
    if position.owner[route] is not None:
        return "was already claimed"
    owners = [position.owner[twin] for twin in position.rules.groups[route]]
    if seat in owners:
        return "is parallel to a route of the same seat"
    if position.players <= position.edition.closed_up_to_players and any(owner is not None for owner in owners):
        return f"is closed with {position.players} players once a parallel route is claimed"
    if position.seats[seat].trains < position.edition.routes[route].length:
        return f"is longer than the {position.seats[seat].trains} trains left"
    return None


def _lay_down(position: Position, turn: TurnRow, route: int) -> None:
    """Pay the cards, or take them back from a tunnel that was given up."""
    extra = 0
    if position.rules.is_tunnel(route):
        extra = _reveal(position, turn)
    else:
        position.expect("tunnels", "tunnel_cards of a route that is not a tunnel", turn.tunnel_cards, None)
        position.expect("tunnels", "tunnel_cost of a route that is not a tunnel", turn.tunnel_cost, None)
    if extra:
        position.offer(lambda: _tunnel_choices(position, turn, route, extra))
    if not turn.claimed and not extra:
        raise RuleError("tunnels", "a route was given up, though it cost no extra cards")
    _check_price(position, turn, route, extra if turn.claimed else 0)
    if turn.claimed:
        pay(position, turn)
    if position.rules.is_tunnel(route):
        for letter in turn.tunnel_cards or "":
            position.piles.discard(letter)


def _reveal(position: Position, turn: TurnRow) -> int:
    """Take the revealed cards from the deck, before those laid down are discarded; return the extra cards due."""
    tunnels = position.edition.tunnels
    assert tunnels is not None
    revealed = turn.tunnel_cards
    if revealed is None:
        raise RuleError("tunnels", "a tunnel was tried, but no cards were revealed for it")
    due = min(tunnels.reveal, position.piles.size)
    if len(revealed) != due:
        raise RuleError("tunnels", f"{len(revealed)} cards were revealed, {due} should have been")
    for letter in revealed:
        position.piles.take(letter)
    extra = sum(letter in {WILD_LETTER, turn.color} for letter in revealed)
    position.expect("tunnels", "tunnel_cost", turn.tunnel_cost, extra)
    return extra


def _tunnel_choices(position: Position, turn: TurnRow, route: int, extra: int) -> Iterator[Choice]:
    """Yield how many of all cards paid may be wilds, from the fewest: what was laid down stays as it is."""
    yield ("give up",)
    hand = position.seats[turn.seat].hand
    length = position.edition.routes[route].length
    laid_wilds = length if turn.color is None else wilds_laid(turn)
    colored = 0 if turn.color is None else hand[turn.color] - (length - laid_wilds)
    for wilds in range(extra + 1):
        if wilds <= hand[WILD_LETTER] - laid_wilds and extra - wilds <= colored:
            yield ("pay", wilds)


def wilds_laid(turn: TurnRow) -> int:
    """Return the fewest wilds that can have been laid down; the log has their sum with the extra ones."""
    wilds: int = turn.wilds
    return max(0, wilds - turn.tunnel_cost) if turn.claimed and turn.tunnel_cost else wilds


def _check_price(position: Position, turn: TurnRow, route: int, extra: int) -> None:
    """Expect a card per space and extra card, in the route's color, a ferry's locomotives as wilds."""
    entry = position.edition.routes[route]
    check_payment(position, turn, RULE, entry.length + extra)
    printed = position.rules.route_letters[route]
    if printed is not None and turn.color not in {None, printed}:
        name, color = words.route(position.rules, route), words.color_name(position.rules, turn.color)
        raise RuleError(RULE, f"{name} was paid in {color}, not in its own color")
    if turn.wilds < entry.locomotives:
        raise RuleError("ferries", f"{turn.wilds} wilds were paid for a ferry with {entry.locomotives} locomotives")


def _check_wanted_by(position: Position, turn: TurnRow) -> None:
    """Only seats whose bots publish plans can have wanted the route."""
    if turn.wanted_by is None or turn.wanted_by & ~position.planners:
        wanted = words.cell(turn.wanted_by)
        position.note("log", f"wanted_by is {wanted}, but the mask of seats that publish plans is {position.planners}")


def _place_trains(position: Position, seat: int, route: int) -> None:
    entry = position.edition.routes[route]
    state = position.seats[seat]
    position.owner[route] = seat
    state.trains -= entry.length
    state.routes.append(route)
    state.network.join(entry.a, entry.b)
    if position.edition.route_scores is not None and not position.edition.is_race:
        state.public_score += position.edition.route_scores[entry.length - 1]


def set_out_passengers(position: Position) -> None:
    """At setup each city gets its number, a country its sum on its first spot, out of equally many of each color."""
    logged = position.log.game.passengers
    rule = position.edition.passengers
    if rule is None:
        position.expect("passengers", "passengers", logged, None)
        return
    placed = ("" if logged is None else logged).split(",")
    if [len(letters) for letters in placed] != _passengers_by_city(position):
        raise RuleError("passengers", "the numbers of passengers placed differ from cities.csv")
    colors = Counter("".join(placed))
    allowed = {position.edition.colors[color].letter for color in rule.colors}
    for letter, count in colors.items():
        if letter not in allowed or count > rule.each:
            name = words.color_name(position.rules, letter)
            raise RuleError("passengers", f"{count} {name} passengers were placed, more than there are")
    for city, letters in enumerate(placed):
        for letter in letters:
            position.city_passengers[city][letter] += 1


def _passengers_by_city(position: Position) -> list[int]:
    numbers = [0] * len(position.edition.cities)
    for city, entry in enumerate(position.edition.cities):
        numbers[position.rules.passenger_home[city]] += entry.passengers
    return numbers


def _take_passengers(position: Position, turn: TurnRow, route: int) -> None:
    """Take one from each end where there is one; none when the route was given up.

    Which end the file names first means nothing, so they are asked in the order of their names.
    """
    if not turn.claimed or position.edition.passengers is None:
        position.expect("passengers", "passenger1", turn.passenger1, None)
        position.expect("passengers", "passenger2", turn.passenger2, None)
        return
    entry = position.edition.routes[route]
    ends = ((entry.a, turn.passenger1), (entry.b, turn.passenger2))
    for city, letter in sorted(ends, key=lambda end: words.city(position.rules, end[0])):
        _take_passenger(position, turn.seat, city, letter)


def _take_passenger(position: Position, seat: int, city: int, letter: str | None) -> None:
    waiting = position.city_passengers[position.rules.passenger_home[city]]
    position.offer(lambda: (("passenger", letter) for letter, count in waiting.items() if count))
    name = words.city(position.rules, city)
    if letter is None:
        if any(waiting.values()):
            raise RuleError("passengers", f"no passenger was taken in {name}, though some were waiting")
        return
    if not waiting.get(letter):
        raise RuleError("passengers", f"{name} had no {words.color_name(position.rules, letter)} passenger to take")
    waiting[letter] -= 1
    position.seats[seat].passengers[letter] += 1


def _earn_merchandise(position: Position, turn: TurnRow, route: int) -> None:
    """A route with the cart symbol earns one card, whatever its length, while any is left."""
    if position.edition.merchandise is None:
        position.expect("merchandise", "merchandise", turn.merchandise, None)
        return
    earned = bool(turn.claimed) and position.edition.routes[route].merchandise and position.merchandise_left > 0
    position.expect("merchandise", "merchandise", turn.merchandise, earned)
    if earned:
        position.merchandise_left -= 1
        position.seats[turn.seat].merchandise += 1


def _earn_bonus_ticket(position: Position, turn: TurnRow) -> None:
    """East to West: earned by the first claim after which the seat's network joins both regions, while any is left."""
    ends = position.rules.bonus_ends
    if ends is None:
        position.expect("bonus ticket", "bonus_ticket", turn.bonus_ticket, None)
        return
    state = position.seats[turn.seat]
    available = not state.bonus_ticket and position.bonus_tickets_left > 0
    earned = bool(turn.claimed) and available and state.network.connects(ends)
    position.expect("bonus ticket", "bonus_ticket", turn.bonus_ticket, earned)
    if earned:
        position.bonus_tickets_left -= 1
        state.bonus_ticket = True
