"""A game in words, turn by turn, as one would tell it who had sat at the table and seen all hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ttr_sim.referee import words
from ttr_sim.referee.rows import GameLog, TicketRow
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.referee.table import SETUP
from ttr_sim.referee.telling_end import tell_end
from ttr_sim.referee.telling_turns import tell_tickets, tell_turn


def tell(rules: Rulebook, log: GameLog) -> Iterator[str]:
    """The lines of the tale."""
    game = log.game
    names = [f"seat {row.seat} ({row.bot})" for row in log.seats]
    yield f"Game {game.game} on {rules.edition.title}: {words.listed(names)}."
    yield ""
    offers = defaultdict(list)
    for ticket in log.tickets:
        offers[ticket.turn, ticket.seat].append(ticket)
    yield from _tell_setup(rules, log, names, offers)
    yield ""
    completed = _completed_by_turn(log)
    final_round = False
    for turn in log.turns:
        yield f"{turn.turn:>4}  {names[turn.seat]} {tell_turn(rules, turn, offers[turn.turn, turn.seat])}"
        yield from _tell_completed(rules, completed[turn.turn, turn.seat])
        if turn.action == "claim" and offers[turn.turn, turn.seat]:
            yield f"      New tickets: {tell_tickets(rules, offers[turn.turn, turn.seat])}."
        if not final_round and _begins_final_round(rules, turn.trains):
            final_round = True
            yield f"      {words.sentence(words.numbered(turn.trains, 'train'))} left: everyone has one more turn."
    yield ""
    yield from tell_end(rules, log, names)


def _tell_setup(
    rules: Rulebook, log: GameLog, names: list[str], offers: dict[tuple[int, int], list[TicketRow]]
) -> Iterator[str]:
    for row, name in zip(log.seats, names, strict=True):
        tickets = tell_tickets(rules, offers[SETUP, row.seat])
        yield f"{words.sentence(name)} is dealt {words.cards(rules, row.hand)}; the tickets {tickets}."
    if log.game.fill is not None:
        yield f"Face up: {words.cards(rules, log.turns[0].row or '')}."
    if log.game.passengers is not None:
        yield f"Passengers: {_passengers(rules, log.game.passengers)}."


def _turned_over(log: GameLog) -> str:
    """More cards turned up at setup than lie there."""
    return ", after too many wilds at first" if len(log.game.fill or "") > len(log.turns[0].row or "") else ""


def _passengers(rules: Rulebook, placed: str) -> str:
    """`Berlin 2 red and blue, ...` for every city that has some."""
    cities = enumerate(placed.split(","))
    return "; ".join(f"{words.city(rules, city)} {words.cards(rules, letters)}" for city, letters in cities if letters)


def _completed_by_turn(log: GameLog) -> dict[tuple[int, int], list[TicketRow]]:
    completed = defaultdict(list)
    for ticket in log.tickets:
        if ticket.completed_turn is not None:
            completed[ticket.completed_turn, ticket.seat].append(ticket)
    return completed


def _tell_completed(rules: Rulebook, tickets: list[TicketRow]) -> Iterator[str]:
    if tickets:
        yield f"      Completed: {words.listed([words.ticket(rules, row.ticket) for row in tickets])}."


def _begins_final_round(rules: Rulebook, trains: int) -> bool:
    limit = rules.edition.end.trains_left
    return limit is not None and trains <= limit
