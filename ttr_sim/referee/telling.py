"""A logged game retold in sentences, and the trains that each ticket still needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from ttr_sim.log import SCORE_PARTS
from ttr_sim.referee.claims import why_closed
from ttr_sim.referee.log import SETUP, GameLog, TicketRow, TurnRow
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import ORDINALS, Ends, Rulebook, capitalized, listed, numbered, player_name

END_WORDS = {
    "trains": "The trains ran out",
    "tickets": "The ticket race was won",
    "stalled": "Nobody could do anything anymore",
    "capped": "The game was cut off at the turn limit",
}
Steps = dict[int, list[tuple[int, int, int]]]  # by city: (other city, trains to place, route)
Offers = dict[tuple[int, int], list[TicketRow]]  # by turn and seat
Seats = Container[int]
ALL_SEATS = range(len(ORDINALS))


def tell(rules: Rulebook, log: GameLog) -> Iterator[str]:
    """Yield the game's lines."""
    names = player_names(log)
    yield f"Game {log.game.game} on {rules.edition.title}: {listed(names)}."
    yield ""
    yield from tell_setup(rules, log)
    yield ""
    for turn, lines in zip(log.turns, tell_turns(rules, log), strict=True):
        yield f"{turn.turn:>4}  {lines[0]}"
        yield from (f"      {line}" for line in lines[1:])
    yield ""
    yield from tell_end(rules, log, names)


def player_names(log: GameLog) -> list[str]:
    return [f"{player_name(row.seat)} ({row.bot})" for row in log.seats]


def _offers(log: GameLog) -> Offers:
    offers: Offers = defaultdict(list)
    for ticket in log.tickets:
        offers[ticket.turn, ticket.seat].append(ticket)
    return offers


def tell_setup(rules: Rulebook, log: GameLog, open_to: Seats = ALL_SEATS) -> Iterator[str]:
    """Yield the deal. Only amounts for hands that are not open."""
    offers = _offers(log)
    for row, name in zip(log.seats, player_names(log), strict=True):
        seen = row.seat in open_to
        hand = rules.cards_text(row.hand) if seen else numbered(len(row.hand), "card")
        yield f"{capitalized(name)} is dealt {hand}; tickets: {_tickets(rules, offers[SETUP, row.seat], seen)}."
    if log.game.fill is not None:
        yield f"Face up: {rules.cards_text(log.turns[0].row or '')}."
    if log.game.passengers is not None:
        cities = enumerate(log.game.passengers.split(","))
        placed = [f"{rules.city_name(city)} {rules.cards_text(letters)}" for city, letters in cities if letters]
        yield f"Passengers: {'; '.join(placed)}."


def tell_turns(rules: Rulebook, log: GameLog, open_to: Seats = ALL_SEATS) -> Iterator[list[str]]:
    """Yield the lines of each turn. Only public facts for hands that are not open."""
    names, offers = player_names(log), _offers(log)
    completed: Offers = defaultdict(list)
    for ticket in log.tickets:
        if ticket.completed_turn is not None:
            completed[ticket.completed_turn, ticket.seat].append(ticket)
    shown_when_completed = rules.edition.instant_tickets is not None
    last_trains, final_round = rules.edition.end.trains_left, False
    for turn in log.turns:
        seen, offer = turn.seat in open_to, offers[turn.turn, turn.seat]
        lines = [f"{names[turn.seat]} {_turn(rules, turn, offer, seen)}"]
        tickets = completed[turn.turn, turn.seat]
        if tickets and (seen or shown_when_completed):
            lines.append(f"Completed: {listed([rules.ticket_name(row.ticket) for row in tickets])}.")
        if turn.action == "claim" and offer:
            lines.append(f"New tickets: {_tickets(rules, offer, seen)}.")
        if not final_round and last_trains is not None and turn.trains <= last_trains:
            final_round = True
            lines.append(f"{numbered(turn.trains, 'train')} left: everyone gets one more turn.")
        yield lines


def _turn(rules: Rulebook, turn: TurnRow, offer: list[TicketRow], seen: bool) -> str:
    """Verb phrase of a turn's action, without the player's name."""
    match turn.action:
        case "draw":
            text = f"{_card(rules, turn.card1, turn.card1_from, seen)}{_fill(rules, turn.fill1)}"
            if turn.card2 is not None:
                text += f", then {_card(rules, turn.card2, turn.card2_from, seen)}"
        case "claim":
            name, tunnel = f"{rules.ends_name(turn.route)} ({rules.spaces_text(turn.route)})", ""
            paid = rules.payment_text(turn.color, turn.cards, turn.wilds)
            if turn.tunnel_cards is not None:
                cost = numbered(turn.tunnel_cost, "extra card") if turn.tunnel_cost else "nothing extra"
                tunnel = f"; the tunnel reveals {rules.cards_text(turn.tunnel_cards)} and costs {cost}"
            riders = (turn.passenger1 or "") + (turn.passenger2 or "")
            gains = [f"{rules.cards_text(riders)} passenger{'s' if len(riders) > 1 else ''}"] if riders else []
            if turn.merchandise:
                gains.append("a merchandise card")
            if turn.bonus_ticket:
                gains.append("the bonus ticket")
            takes = f"; takes {listed(gains)}" if gains else ""
            score = numbered(turn.score, "ticket" if rules.edition.is_race else "point")
            text = f"claims {name} for {paid}{tunnel}{takes}; now {score} and {numbered(turn.trains, 'train')} left"
            if not turn.claimed:
                text = f"tries {name} with {paid}{tunnel}; gives it up"
        case "station":
            paid = rules.payment_text(turn.color, turn.cards, turn.wilds)
            text = f"builds a station in {rules.city_name(turn.city)} for {paid}"
        case "tickets":
            text = f"draws tickets: {_tickets(rules, offer, seen)}"
        case "discard":
            text = f"trades its tickets for {_tickets(rules, offer, seen)}"
        case _:
            text = "passes"
    return f"{text}{_fill(rules, turn.fill2)}."


def _tickets(rules: Rulebook, offer: list[TicketRow], seen: bool) -> str:
    """List offered tickets and the kept ones, if not all. Only counts when not seen."""
    if not seen:
        kept_count = sum(row.kept for row in offer)
        return str(len(offer)) if kept_count == len(offer) else f"{len(offer)}; keeps {kept_count}"
    text = listed([rules.ticket_name(row.ticket) for row in offer])
    kept = [rules.ticket_name(row.ticket) for row in offer if row.kept]
    return text if len(kept) == len(offer) else f"{text}; keeps {listed(kept)}"


def _card(rules: Rulebook, letter: str | None, source: str | None, seen: bool) -> str:
    card = rules.card_name(letter) if seen or source == "row" else "a card"
    return f"takes {card} from the row" if source == "row" else f"draws {card} from the deck"


def _fill(rules: Rulebook, fill: str | None) -> str:
    """Cards turned up. More than the row holds mean that it was replaced."""
    if not fill or rules.edition.row is None:
        return ""
    reset = " (row replaced: too many wilds)" if len(fill) > rules.edition.row.size else ""
    return f", turning up {rules.cards_text(fill)}{reset}"


def tell_end(rules: Rulebook, log: GameLog, names: list[str]) -> Iterator[str]:
    """Yield the reason for the end, the seats by rank, and the winner."""
    yield f"{END_WORDS.get(log.game.end, log.game.end)} after {numbered(log.game.turns, 'turn')}."
    for row in sorted(log.seats, key=lambda seat: (seat.rank, seat.seat)):
        points = [(part.label, value) for part in SCORE_PARTS if (value := getattr(row, part.column)) is not None]
        if not points:  # a race scores its tickets
            points = [("completed tickets", row.tickets_completed), ("bonus ticket", int(bool(row.bonus_ticket)))]
        items = f"{points[0][0]} {points[0][1]}"
        for name, value in points[1:]:
            items += f" {'-' if value < 0 or name == 'failed tickets' else '+'} {name} {abs(value)}"
        yield f"{row.rank}. {names[row.seat]}: {row.score} = {items}."
        # Kept tickets, without those traded for others later.
        kept = [ticket for ticket in log.tickets if ticket.seat == row.seat and ticket.kept]
        traded = [turn.turn for turn in log.turns if turn.seat == row.seat and turn.action == "discard"]
        own = [ticket for ticket in kept if ticket.completed or not traded or ticket.turn >= traded[-1]]
        for done, title in ((True, "Completed"), (False, "Not completed")):
            tickets = [rules.ticket_name(ticket.ticket) for ticket in own if ticket.completed is done]
            if tickets:
                yield f"   {title}: {listed(tickets)}."
        if row.lent:
            pairs = [map(int, pair.split(":")) for pair in row.lent.split(",")]
            lent = [f"{rules.route_name(route)} into {rules.city_name(city)}" for city, route in pairs]
            yield f"   Lent by stations: {listed(lent)}."
        if row.longest_path is not None:
            yield f"   Longest path: {numbered(row.longest_path, 'train')}."
        if row.passengers:
            yield f"   Passengers: {rules.cards_text(row.passengers)}."
        if row.merchandise:
            yield f"   Merchandise: {numbered(row.merchandise, 'card')}."
    winners = [name for row, name in zip(log.seats, names, strict=True) if row.rank == 1]
    how = f" by {log.game.margin}" if log.game.margin else " by tie-break" if len(winners) == 1 else ""
    yield f"{capitalized(listed(winners))} {'wins' if len(winners) == 1 else 'share the win'}{how}."


class Way(NamedTuple):
    trains: int
    routes: tuple[int, ...]  # those still to claim


def shortest_way(steps: Steps, ends: Ends) -> Way | None:
    """Find the cheapest way from any city of one end to any of the other."""
    sources, targets = ends
    heap: list[tuple[int, tuple[int, ...], int]] = [(0, (), city) for city in sorted(sources)]
    seen: set[int] = set()
    # Routes stand before the city, so that of equally cheap ways always the same one is found.
    while heap:
        trains, routes, city = heappop(heap)
        if city in targets:
            return Way(trains, routes)
        if city in seen:
            continue
        seen.add(city)
        for other, cost, route in steps[city]:
            if other not in seen:
                heappush(heap, (trains + cost, (*routes, route) if cost else routes, other))
    return None


class OpenRoutes:
    """Routes of a seat, at no cost, and routes open to it, at their length, followed through a game.

    Claims of others only close routes, so a shortest way that uses none of these stays the shortest.
    """

    def __init__(self, position: Position, seat: int) -> None:
        self._seat = seat
        self._steps: Steps = {}
        self._ways: dict[int, Way | None] = {}  # by ticket
        self._look(position)

    def after_claims(self, position: Position, routes: Sequence[int]) -> None:
        """Update for new claims. Own ones change everything, as trains and routes do."""
        # Own claims add free steps and spend trains, which may close any route.
        if any(position.owner[route] == self._seat for route in routes):
            self._look(position)
            return
        for route in routes:
            for twin in position.rules.groups[route]:
                if position.owner[twin] != self._seat and why_closed(position, self._seat, twin):
                    entry = position.edition.routes[twin]
                    for city in (entry.a, entry.b):
                        self._steps[city] = [step for step in self._steps[city] if step[2] != twin]
                    self._ways = {row: way for row, way in self._ways.items() if way is None or twin not in way.routes}

    def way(self, position: Position, ticket: int) -> Way | None:
        """Cheapest way that completes a ticket, if any."""
        if ticket not in self._ways:
            self._ways[ticket] = shortest_way(self._steps, position.rules.ticket_ends[ticket])
        return self._ways[ticket]

    def _look(self, position: Position) -> None:
        self._ways = {}
        self._steps = defaultdict(list)
        for number, route in enumerate(position.edition.routes):
            own = position.owner[number] == self._seat
            if own or why_closed(position, self._seat, number) is None:
                cost = 0 if own else route.length
                self._steps[route.a].append((route.b, cost, number))
                self._steps[route.b].append((route.a, cost, number))
