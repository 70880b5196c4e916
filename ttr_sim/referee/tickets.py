"""Tickets: their decks, dealing and drawing them, completing them, putting them away for new ones."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ttr_sim.referee import words
from ttr_sim.referee.log import TicketRow, TurnRow
from ttr_sim.referee.rulebook import Rulebook, RuleError

if TYPE_CHECKING:  # a position holds these decks
    from ttr_sim.referee.position import Choice, Holding, Position, SeatState

DECK_RULE = "ticket decks"
DRAWING_RULE = "drawing tickets"


class TicketDeck:
    """A ticket deck: an unknown order on top, and below it what was put back, in a known order."""

    __slots__ = ("_bottom", "_name", "_rules", "_shuffled")

    def __init__(self, rules: Rulebook, number: int) -> None:
        tickets = rules.edition.tickets
        self._rules = rules
        self._name = rules.edition.decks[number].name
        self._shuffled = {ticket for ticket, entry in enumerate(tickets) if entry.deck == number}
        self._bottom: deque[int] = deque()

    def __len__(self) -> int:
        return len(self._shuffled) + len(self._bottom)

    def draw(self, ticket: int) -> None:
        """Draw the top ticket, which the log says is this one."""
        if ticket in self._shuffled:
            self._shuffled.remove(ticket)
        elif self._shuffled or ticket not in self._bottom:
            raise RuleError(
                DECK_RULE, f"{self._words(ticket)} was drawn, but was not in the {self._name} deck or not on top"
            )
        elif self._bottom[0] != ticket:
            due = self._words(self._bottom[0])
            raise RuleError(DECK_RULE, f"{self._words(ticket)} was drawn, though {due} was on top of the deck")
        else:
            self._bottom.popleft()

    def put_under(self, ticket: int) -> None:
        self._bottom.append(ticket)

    def shuffle_in(self, tickets: Iterable[int]) -> None:
        self._shuffled.update(tickets)

    def clear(self) -> None:
        self._shuffled.clear()
        self._bottom.clear()

    def _words(self, ticket: int) -> str:
        return words.ticket(self._rules, ticket)


def deal_tickets(position: Position) -> None:
    """Deal to all seats; then all choose; then what is not kept goes back, by seat."""
    rules = position.edition.ticket_rules
    returned = []
    for seat in range(position.players):
        position.seat = seat
        returned += _keep(position, _draw_deal(position), rules.keep_at_start)
    position.seat = None
    _return_at_start(position, returned)
    position.no_more_tickets()


def can_draw_tickets(position: Position) -> bool:
    rules = position.edition.ticket_rules
    if rules.mix:
        return rules.draw_total > 0 and any(position.decks)
    return any(deck and entry.draw for deck, entry in zip(position.decks, position.edition.decks, strict=True))


def draw_tickets(position: Position, turn: TurnRow) -> None:
    """Draw, keep some, put the others under their decks in the order drawn."""
    rules = position.edition.ticket_rules
    counts = [deck.draw for deck in position.edition.decks]
    offer = _draw_mix(position, rules.draw_total) if rules.mix else _draw_each(position, counts)
    if not offer:
        raise RuleError(DRAWING_RULE, "tickets were drawn, though the decks they come from were empty")
    for row in _keep(position, offer, rules.keep):
        position.decks[position.edition.tickets[row.ticket].deck].put_under(row.ticket)
    complete_tickets(position, turn.seat)


def _draw_deal(position: Position) -> list[TicketRow]:
    rules = position.edition.ticket_rules
    if rules.mix:
        return _draw_mix(position, rules.deal_total)
    return _draw_each(position, [deck.deal for deck in position.edition.decks])


def _draw_each(position: Position, counts: list[int]) -> list[TicketRow]:
    """Draw this many from each deck, or what is left there, deck by deck."""
    return [
        position.draw_ticket(number)
        for number, count in enumerate(counts)
        for _ in range(min(count, len(position.decks[number])))
    ]


def _draw_mix(position: Position, total: int) -> list[TicketRow]:
    """Draw as many as the decks can serve up to the total, any mix, deck by deck."""
    offer = [position.draw_ticket() for _ in range(min(total, sum(len(deck) for deck in position.decks)))]
    decks = [position.edition.tickets[row.ticket].deck for row in offer]
    if decks != sorted(decks):
        position.note(DRAWING_RULE, "a mix is drawn deck by deck, but the log alternates between decks")
    return offer


def _keep(position: Position, offer: list[TicketRow], least: int) -> list[TicketRow]:
    """Let the seat hold what it kept; return the others."""
    position.offer(lambda: _keep_choices(len(offer), least))
    kept = [row for row in offer if row.kept]
    if len(kept) < min(least, len(offer)):
        raise RuleError(
            DRAWING_RULE, f"{len(kept)} of {len(offer)} tickets were kept, at least {min(least, len(offer))} must be"
        )
    for row in kept:
        position.hold(row)
    return [row for row in offer if not row.kept]


def _keep_choices(offered: int, least: int) -> Iterator[Choice]:
    """Yield the sets of offered tickets that may be kept, as masks."""
    return (("keep", mask) for mask in range(1 << offered) if mask.bit_count() >= min(least, offered))


def _return_at_start(position: Position, returned: list[TicketRow]) -> None:
    how = position.edition.ticket_rules.returned_at_start
    for row in returned:
        deck = position.decks[position.edition.tickets[row.ticket].deck]
        if how == "bottom":
            deck.put_under(row.ticket)
        elif how == "shuffled":
            deck.shuffle_in([row.ticket])
    if how == "removed":
        _remove_undealt(position)


def _remove_undealt(position: Position) -> None:
    """Along with the tickets not kept, decks that are dealt from at setup alone leave the game."""
    rules = position.edition.ticket_rules
    for deck, entry in zip(position.decks, position.edition.decks, strict=True):
        if not rules.mix and not entry.draw:
            deck.clear()


def complete_tickets(position: Position, seat: int) -> None:
    """Complete connected tickets, oldest first, each replaced before the next is looked at; winning a race ends it."""
    state = position.seats[seat]
    ends = position.rules.ticket_ends
    number = 0
    while number < len(state.held) and not race_is_won(position, state):
        if not state.network.connects(ends[state.held[number].ticket]):
            number += 1
            continue
        holding = state.held.pop(number)
        holding.completed, holding.completed_turn = True, position.turn
        state.completed.append(holding)
        if not race_is_won(position, state):
            _replace(position, state, holding)


def race_is_won(position: Position, state: SeatState) -> bool:
    goal = position.edition.end.race_tickets
    return goal is not None and state.tickets_and_bonus >= goal


def _replace(position: Position, state: SeatState, holding: Holding) -> None:
    """Draw from the completed ticket's deck, if it has any left and the seat holds fewer than the rule says."""
    instant = position.edition.instant_tickets
    deck = position.edition.tickets[holding.ticket].deck
    if instant and len(state.held) < instant.hold and position.decks[deck]:
        position.hold(position.draw_ticket(deck))


def check_completion(position: Position) -> None:
    """Compare each ticket's `completed` and `completed_turn` with what the networks connected."""
    for row in position.log.tickets:
        position.seat = row.seat
        holding = position.holdings.get(row.order)
        completed, turn = (holding.completed, holding.completed_turn) if holding else (None, None)
        name = words.ticket(position.rules, row.ticket)
        position.expect("completed tickets", f"completed of {name}", row.completed, completed)
        position.expect("completed tickets", f"completed_turn of {name}", row.completed_turn, turn)
    position.seat = None


def can_discard(position: Position, seat: int) -> bool:
    """Return whether the full number is held and the decks can replace every one of them."""
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
    old, state.held = state.held, []
    decks = [position.edition.tickets[holding.ticket].deck for holding in old]
    for row in [position.draw_ticket(deck) for deck in decks]:
        position.hold(row)
    for deck, holding in zip(decks, old, strict=True):
        position.decks[deck].put_under(holding.ticket)
    complete_tickets(position, turn.seat)
