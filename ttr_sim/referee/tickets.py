"""Tickets: their decks, dealing, drawing, completing and trading them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ttr_sim.referee.log import TicketRow, TurnRow
from ttr_sim.referee.rulebook import Rulebook, RuleError

if TYPE_CHECKING:  # a position holds these decks
    from ttr_sim.referee.position import Position, SeatState

DECK_RULE = "ticket decks"
DRAWING_RULE = "drawing tickets"


class TicketDeck:
    """A ticket deck: an unknown order on top, and below it returned tickets in a known order."""

    def __init__(self, rules: Rulebook, number: int) -> None:
        tickets = rules.edition.tickets
        self._rules = rules
        self._name = rules.edition.decks[number].name
        self._shuffled = {ticket for ticket, entry in enumerate(tickets) if entry.deck == number}
        self._bottom: deque[int] = deque()

    def __len__(self) -> int:
        return len(self._shuffled) + len(self._bottom)

    def draw(self, ticket: int) -> None:
        """Draw this ticket, by the log, from the top."""
        if ticket in self._shuffled:
            self._shuffled.remove(ticket)
        elif self._shuffled or ticket not in self._bottom:
            name = self._rules.ticket_name(ticket)
            raise RuleError(DECK_RULE, f"{name} was drawn, but was not in the {self._name} deck or not on top")
        elif self._bottom[0] != ticket:
            name, due = self._rules.ticket_name(ticket), self._rules.ticket_name(self._bottom[0])
            raise RuleError(DECK_RULE, f"{name} was drawn, though {due} was on top of the deck")
        else:
            self._bottom.popleft()

    def put_under(self, ticket: int) -> None:
        self._bottom.append(ticket)

    def shuffle_in(self, tickets: Iterable[int]) -> None:
        self._shuffled.update(tickets)

    def clear(self) -> None:
        self._shuffled.clear()
        self._bottom.clear()


def deal_tickets(position: Position) -> None:
    """Deal to all seats and let them choose. Returned tickets go back seat by seat."""
    rules = position.edition.ticket_rules
    returned = []
    for seat in range(position.players):
        position.seat = seat
        returned += _keep(position, _draw(position, "deal"), rules.keep_at_start)
    position.seat = None
    for row in returned:
        deck = position.decks[position.edition.tickets[row.ticket].deck]
        if rules.returned_at_start == "bottom":
            deck.put_under(row.ticket)
        elif rules.returned_at_start == "shuffled":
            deck.shuffle_in([row.ticket])
    if rules.returned_at_start == "removed" and not rules.mix:
        # Decks that are dealt from at setup alone leave the game along with the returned tickets.
        for deck, entry in zip(position.decks, position.edition.decks, strict=True):
            if not entry.draw:
                deck.clear()
    position.no_more_tickets()


def can_draw_tickets(position: Position) -> bool:
    rules = position.edition.ticket_rules
    if rules.mix:
        return rules.draw_total > 0 and any(position.decks)
    return any(deck and entry.draw for deck, entry in zip(position.decks, position.edition.decks, strict=True))


def draw_tickets(position: Position, turn: TurnRow) -> None:
    """Draw, keep some, put the others under their decks in the order drawn."""
    rules = position.edition.ticket_rules
    offer = _draw(position, "draw")
    if not offer:
        raise RuleError(DRAWING_RULE, "tickets were drawn, though the decks they come from were empty")
    for row in _keep(position, offer, rules.keep):
        position.decks[position.edition.tickets[row.ticket].deck].put_under(row.ticket)
    complete_tickets(position, turn.seat)


def _draw(position: Position, when: str) -> list[TicketRow]:
    """Draw from each deck its number or the rest of it. With a mix, the total from any, deck by deck."""
    rules = position.edition.ticket_rules
    if not rules.mix:
        counts = [getattr(deck, when) for deck in position.edition.decks]
        numbers = [
            number for number, count in enumerate(counts) for _ in range(min(count, len(position.decks[number])))
        ]
        return [position.draw_ticket(number) for number in numbers]
    total = min(getattr(rules, f"{when}_total"), sum(len(deck) for deck in position.decks))
    offer = [position.draw_ticket() for _ in range(total)]
    decks = [position.edition.tickets[row.ticket].deck for row in offer]
    if decks != sorted(decks):
        position.note(DRAWING_RULE, "a mix is drawn deck by deck, but the log alternates between decks")
    return offer


def _keep(position: Position, offer: list[TicketRow], least: int) -> list[TicketRow]:
    """Let the seat hold the kept tickets, and return the others."""
    position.decide("keep", len(offer), least)
    kept = [row for row in offer if row.kept]
    if len(kept) < min(least, len(offer)):
        required = f"at least {min(least, len(offer))} must be"
        raise RuleError(DRAWING_RULE, f"{len(kept)} of {len(offer)} tickets were kept, {required}")
    for row in kept:
        position.hold(row)
    return [row for row in offer if not row.kept]


def complete_tickets(position: Position, seat: int) -> None:
    """Complete connected tickets, oldest first, each replaced before the next. Winning a race ends it."""
    state = position.seats[seat]
    ends = position.rules.ticket_ends
    number = 0
    # A replacement may be complete at once, and is looked at in its turn.
    while number < len(state.held) and not race_is_won(position, state):
        if not state.network.connects(ends[state.held[number].ticket]):
            number += 1
            continue
        holding = state.held.pop(number)
        holding.completed, holding.completed_turn = True, position.turn
        state.completed.append(holding)
        # With instant tickets, a new one from the same deck, while the seat holds fewer than the rule says.
        instant, deck = position.edition.instant_tickets, position.edition.tickets[holding.ticket].deck
        is_replaced = instant is not None and len(state.held) < instant.hold and len(position.decks[deck]) > 0
        if is_replaced and not race_is_won(position, state):
            position.hold(position.draw_ticket(deck))


def race_is_won(position: Position, state: SeatState) -> bool:
    goal = position.edition.end.race_tickets
    return goal is not None and state.tickets_and_bonus >= goal


def check_completion(position: Position) -> None:
    """Compare each ticket's `completed` and `completed_turn` with the networks."""
    for row in position.log.tickets:
        position.seat = row.seat
        holding = position.holdings.get(row.order)
        completed, turn = (holding.completed, holding.completed_turn) if holding else (None, None)
        name = position.rules.ticket_name(row.ticket)
        position.expect("completed tickets", f"completed of {name}", row.completed, completed)
        position.expect("completed tickets", f"completed_turn of {name}", row.completed_turn, turn)
    position.seat = None


def can_discard(position: Position, seat: int) -> bool:
    """Check that the full number is held and that the decks can replace all of them."""
    instant = position.edition.instant_tickets
    held = position.seats[seat].held
    if instant is None or not instant.discard or len(held) != instant.hold:
        return False
    needed = Counter(position.edition.tickets[holding.ticket].deck for holding in held)
    return all(len(position.decks[deck]) >= count for deck, count in needed.items())


def discard_tickets(position: Position, turn: TurnRow) -> None:
    """Draw new tickets for all held ones, then put the old ones under their decks, oldest first."""
    if not can_discard(position, turn.seat):
        raise RuleError("discarding tickets", "tickets were discarded, though the rules did not allow it")
    state = position.seats[turn.seat]
    # New tickets are drawn before the old ones go under, so none comes straight back.
    old, state.held = state.held, []
    decks = [position.edition.tickets[holding.ticket].deck for holding in old]
    for row in [position.draw_ticket(deck) for deck in decks]:
        position.hold(row)
    for deck, holding in zip(decks, old, strict=True):
        position.decks[deck].put_under(holding.ticket)
    complete_tickets(position, turn.seat)
