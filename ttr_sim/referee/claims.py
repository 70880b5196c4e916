"""Claiming routes, with tunnels, passengers, merchandise and the bonus ticket. Building stations and lending.

Final points for all of these are in scoring.py.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.cards import can_pay, check_payment, pay
from ttr_sim.referee.log import TurnRow
from ttr_sim.referee.position import Holding, Position
from ttr_sim.referee.rulebook import RuleError, cell_text, numbered
from ttr_sim.referee.tickets import complete_tickets

RULE = "claiming routes"
STATION_RULE = "stations"
LENDING_RULE = "lending stations"

Bridge = tuple[int, int]  # two parts of the own network, or cities beyond it, that a lent route joins
LendingValue = tuple[int, int, int]  # ticket points, tickets completed, minus the routes lent


def can_claim_any(position: Position, seat: int) -> bool:
    rules, state = position.rules, position.seats[seat]
    return any(
        why_closed(position, seat, number) is None
        and can_pay(position, state, route.length, rules.route_letters[number], route.locomotives)
        for number, route in enumerate(position.edition.routes)
    )


def claim_route(position: Position, turn: TurnRow) -> None:
    """Claim one route, whole, at once. A tunnel may be given up when it costs extra cards."""
    route = turn.route
    if route is None or not 0 <= route < len(position.owner):
        raise RuleError(RULE, f"there is no route {cell_text(route)}")
    closed = why_closed(position, turn.seat, route)
    if closed:
        raise RuleError(RULE, f"{position.rules.route_name(route)} {closed}")
    # Only bots with published plans can have planned the route.
    if turn.wanted_by is None or turn.wanted_by & ~position.planners:
        wanted = cell_text(turn.wanted_by)
        position.note("log", f"wanted_by is {wanted}, but the mask of seats that publish plans is {position.planners}")
    if turn.claimed is None:
        raise RuleError(RULE, "the log does not say whether the route was claimed")
    _pay_for_route(position, turn, route)

    state, entry = position.seats[turn.seat], position.edition.routes[route]
    if turn.claimed:
        position.owner[route] = turn.seat
        state.trains -= entry.length
        state.routes.append(route)
        # The network is all that tickets need: lengths do not matter to them.
        state.network.join(entry.a, entry.b)
        if position.edition.route_scores is not None and not position.edition.is_race:
            state.public_score += position.edition.route_scores[entry.length - 1]
    _take_passengers(position, turn, route)

    # A route with the cart symbol earns one card, while any is left.
    merchandise = None
    if position.edition.merchandise is not None:
        merchandise = bool(turn.claimed) and entry.merchandise and position.merchandise_left > 0
    position.expect("merchandise", "merchandise", turn.merchandise, merchandise)
    if merchandise:
        position.merchandise_left -= 1
        state.merchandise += 1

    # Earned by the first claim after which the network joins both regions, while any is left.
    bonus = None
    if ends := position.rules.bonus_ends:
        is_available = not state.bonus_ticket and position.bonus_tickets_left > 0
        bonus = bool(turn.claimed) and is_available and state.network.connects(ends)
    position.expect("bonus ticket", "bonus_ticket", turn.bonus_ticket, bonus)
    if bonus:
        position.bonus_tickets_left -= 1
        state.bonus_ticket = True
    if turn.claimed:
        complete_tickets(position, turn.seat)


def why_closed(position: Position, seat: int, route: int) -> str | None:
    """Reason why this seat cannot claim the route, apart from cards."""
    if position.owner[route] is not None:
        return "was already claimed"
    # Nobody may own two parallel routes, at any number of players.
    owners = [position.owner[twin] for twin in position.rules.groups[route]]
    if seat in owners:
        return "is parallel to a route of the same seat"
    if position.players <= position.edition.closed_up_to_players and any(owner is not None for owner in owners):
        return f"is closed with {position.players} players once a parallel route is claimed"
    if position.seats[seat].trains < position.edition.routes[route].length:
        return f"is longer than the {position.seats[seat].trains} trains left"
    return None


def _pay_for_route(position: Position, turn: TurnRow, route: int) -> None:
    """Pay the cards, or take them back from a tunnel that was given up."""
    revealed, extra = turn.tunnel_cards, 0
    if position.rules.is_tunnel(route):
        if revealed is None:
            raise RuleError("tunnels", "a tunnel was tried, but no cards were revealed for it")
        assert position.edition.tunnels is not None
        due = min(position.edition.tunnels.reveal, position.piles.size)
        if len(revealed) != due:
            raise RuleError("tunnels", f"{len(revealed)} cards were revealed, {due} should have been")
        # Taken before those laid down are discarded, so that these cannot be among them.
        for letter in revealed:
            position.piles.take(letter)
        extra = sum(letter in {WILD_LETTER, turn.color} for letter in revealed)
        position.expect("tunnels", "tunnel_cost", turn.tunnel_cost, extra)
    else:
        position.expect("tunnels", "tunnel_cards of a route that is not a tunnel", revealed, None)
        position.expect("tunnels", "tunnel_cost of a route that is not a tunnel", turn.tunnel_cost, None)
        revealed = ""
    if extra:
        position.decide("tunnel", turn, extra)
    if not turn.claimed and not extra:
        raise RuleError("tunnels", "a route was given up, though it cost no extra cards")

    # A card per space and extra card, in the route's color, a ferry's locomotives as wilds.
    entry = position.edition.routes[route]
    check_payment(position, turn, RULE, entry.length + (extra if turn.claimed else 0))
    # Wilds alone pay for any color.
    printed = position.rules.route_letters[route]
    if printed is not None and turn.color not in {None, printed}:
        name, color = position.rules.route_name(route), position.rules.color_name(turn.color)
        raise RuleError(RULE, f"{name} was paid in {color}, not in its own color")
    if turn.wilds < entry.locomotives:
        raise RuleError("ferries", f"{turn.wilds} wilds were paid for a ferry with {entry.locomotives} locomotives")
    if turn.claimed:
        pay(position, turn)
    for letter in revealed or "":
        position.piles.discard(letter)


def set_out_passengers(position: Position) -> None:
    """Check each city's number, a country's sum on its first spot, and the supply of each color."""
    logged = position.log.game.passengers
    rule = position.edition.passengers
    if rule is None:
        position.expect("passengers", "passengers", logged, None)
        return
    placed = ("" if logged is None else logged).split(",")
    numbers = [0] * len(position.edition.cities)
    for city, entry in enumerate(position.edition.cities):
        numbers[position.rules.passenger_home[city]] += entry.passengers
    if [len(letters) for letters in placed] != numbers:
        raise RuleError("passengers", "the numbers of passengers placed differ from cities.csv")
    colors = Counter("".join(placed))
    allowed = {position.edition.colors[color].letter for color in rule.colors}
    for letter, count in colors.items():
        if letter not in allowed or count > rule.each:
            name = position.rules.color_name(letter)
            raise RuleError("passengers", f"{count} {name} passengers were placed, more than there are")
    for city, letters in enumerate(placed):
        for letter in letters:
            position.city_passengers[city][letter] += 1


def _take_passengers(position: Position, turn: TurnRow, route: int) -> None:
    """Take one from each end where there is one. None when the route was given up."""
    if not turn.claimed or position.edition.passengers is None:
        position.expect("passengers", "passenger1", turn.passenger1, None)
        position.expect("passengers", "passenger2", turn.passenger2, None)
        return
    entry = position.edition.routes[route]
    ends = ((entry.a, turn.passenger1), (entry.b, turn.passenger2))
    # The order of the ends in the file means nothing, so they are asked in the order of their names.
    for city, letter in sorted(ends, key=lambda end: position.rules.city_name(end[0])):
        waiting = position.city_passengers[position.rules.passenger_home[city]]
        position.decide("passenger", waiting)
        name = position.rules.city_name(city)
        if letter is None:
            if any(waiting.values()):
                raise RuleError("passengers", f"no passenger was taken in {name}, though some were waiting")
            continue
        if not waiting.get(letter):
            color = position.rules.color_name(letter)
            raise RuleError("passengers", f"{name} had no {color} passenger to take")
        waiting[letter] -= 1
        position.seats[turn.seat].passengers[letter] += 1


def can_build_station(position: Position, seat: int) -> bool:
    rule = position.edition.stations
    state = position.seats[seat]
    if rule is None or len(state.stations) >= rule.count:
        return False
    if len(position.station_cities) == len(position.edition.cities):
        return False
    return can_pay(position, state, len(state.stations) + 1, None)


def build_station(position: Position, turn: TurnRow) -> None:
    """The first costs one card, the second two of one color, and so on."""
    state = position.seats[turn.seat]
    city = turn.city
    if position.edition.stations is None or len(state.stations) >= position.edition.stations.count:
        raise RuleError(STATION_RULE, "a station was built by a seat that had none left")
    if city is None or not 0 <= city < len(position.edition.cities):
        raise RuleError(STATION_RULE, f"there is no city {cell_text(city)}")
    if city in position.station_cities:
        raise RuleError(STATION_RULE, f"a second station was built in {position.rules.city_name(city)}")
    check_payment(position, turn, STATION_RULE, len(state.stations) + 1)
    pay(position, turn)
    state.stations.append(city)
    position.station_cities.add(city)


def settle_lending(position: Position, seat: int) -> list[Holding]:
    """Check the routes that the seat's stations lend, and list the held tickets they complete."""
    lent, state = position.log.seats[seat].lent, position.seats[seat]
    if position.edition.stations is None:
        position.expect(LENDING_RULE, "lent", lent, None)
        return []
    if lent is None:
        position.note(LENDING_RULE, "the log does not say what the stations lend")
        return []
    network, stations = state.network.copy(), set(state.stations)
    pairs = lent.split(",") if lent else []
    for pair in pairs:
        city, _, number = pair.partition(":")
        why_not = None
        if not city.isdecimal() or int(city) not in stations:
            why_not = "this seat has no station there, or none that has not lent yet"
        elif not number.isdecimal() or int(number) >= len(position.owner):
            why_not = "there is no such route"
        else:
            entry, name = position.edition.routes[int(number)], position.rules.route_name(int(number))
            if int(city) not in {entry.a, entry.b}:
                why_not = f"{name} does not lead into {position.rules.city_name(int(city))}"
            elif position.owner[int(number)] in {None, seat}:
                why_not = f"{name} does not belong to another seat"
        if why_not:
            position.note(LENDING_RULE, f"{cell_text(pair)} was lent, but {why_not}")
            return []
        stations.remove(int(city))
        network.join(entry.a, entry.b)
    # The race ended at once, so no station lends anything.
    if position.over == "tickets":
        position.expect(LENDING_RULE, "lent, with the race won by its last ticket,", lent, "")
        return []
    ends = position.rules.ticket_ends
    completed = [holding for holding in state.held if network.connects(ends[holding.ticket])]
    value = (sum(_worth(position, holding) for holding in completed), len(completed), -len(pairs))
    best = _best_value(position, seat)
    if value != best:
        logged, right = (
            f"{numbered(points, 'point')} from {numbered(number, 'ticket')} with {numbered(-spared, 'route')}"
            for points, number, spared in (value, best)
        )
        position.note(LENDING_RULE, f"the routes lent bring {logged}, the best choice {right}")
    return completed


def _worth(position: Position, holding: Holding) -> int:
    """Points of a ticket. In a race every ticket is worth one."""
    return 1 if position.edition.is_race else position.edition.tickets[holding.ticket].points


def _best_value(position: Position, seat: int) -> LendingValue:
    """Try every choice of routes that join parts of the own network or reach beyond it."""
    state = position.seats[seat]
    if not state.held:
        return 0, 0, 0
    root, ends = state.network.root, position.rules.ticket_ends
    tickets = []
    for holding in state.held:
        ones, others = ({root(city) for city in end} for end in ends[holding.ticket])
        tickets.append((ones, others, _worth(position, holding)))
    choices: list[list[Bridge | None]] = []  # of each station: pairs of network parts that it would join, or none
    for city in state.stations:
        bridges_here: set[Bridge] = set()
        for number, route in enumerate(position.edition.routes):
            if city in {route.a, route.b} and position.owner[number] not in {None, seat}:
                a, b = root(route.a), root(route.b)
                if a != b:
                    bridges_here.add((min(a, b), max(a, b)))
        choices.append([None, *sorted(bridges_here)])
    best = (0, 0, 0)
    for choice in product(*choices):
        bridges = [bridge for bridge in choice if bridge]
        worths = []
        for ones, others, worth in tickets:
            reached = set(ones)
            for _ in bridges:  # each pass may make the next bridge reachable
                for a, b in bridges:
                    if a in reached or b in reached:
                        reached.update((a, b))
            if not reached.isdisjoint(others):
                worths.append(worth)
        best = max(best, (sum(worths), len(worths), -len(bridges)))
    return best
