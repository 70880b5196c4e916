"""The final reckoning in words, seat by seat, best first."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_sim.referee import words
from ttr_sim.referee.rows import GameLog, SeatRow, TicketRow
from ttr_sim.referee.rulebook import Rulebook

END_WORDS = {
    "trains": "The trains ran out",
    "tickets": "The race for tickets is won",
    "stalled": "Nobody could do anything any more",
    "capped": "The game was cut off at the limit of turns",
}
PARTS = {
    "route_points": "routes",
    "ticket_points": "completed tickets",
    "ticket_penalty": "failed tickets",
    "longest_points": "longest path",
    "globetrotter_points": "globetrotter",
    "station_points": "unused stations",
    "passenger_points": "passengers",
    "merchandise_points": "merchandise",
}


def tell_end(rules: Rulebook, log: GameLog, names: list[str]) -> Iterator[str]:
    """Why it ended, the seats by rank, who won."""
    yield f"{END_WORDS.get(log.game.end, log.game.end)} after {words.numbered(log.game.turns, 'turn')}."
    for row in sorted(log.seats, key=lambda seat: (seat.rank, seat.seat)):
        yield f"{row.rank}. {names[row.seat]}: {row.score} = {_parts(row)}."
        yield from (f"   {line}" for line in _details(rules, log, row))
    winners = [name for row, name in zip(log.seats, names, strict=True) if row.rank == 1]
    yield f"{words.sentence(words.listed(winners))} {'wins' if len(winners) == 1 else 'share the win'}{_how(log)}."


def _parts(row: SeatRow) -> str:
    """`routes 60 + completed tickets 30 - failed tickets 5`; of a race, tickets and bonus ticket."""
    points = [(name, getattr(row, column)) for column, name in PARTS.items() if getattr(row, column) is not None]
    if not points:
        points = [("completed tickets", row.tickets_completed), ("bonus ticket", int(bool(row.bonus_ticket)))]
    first, *rest = points
    told = f"{first[0]} {first[1]}"
    for name, value in rest:
        told += f" {'-' if value < 0 or name == PARTS['ticket_penalty'] else '+'} {name} {abs(value)}"
    return told


def _details(rules: Rulebook, log: GameLog, row: SeatRow) -> Iterator[str]:
    own = _tickets_at_end(log, row.seat)
    for done, title in ((True, "Completed"), (False, "Not completed")):
        tickets = [words.ticket(rules, ticket.ticket) for ticket in own if ticket.completed is done]
        if tickets:
            yield f"{title}: {words.listed(tickets)}."
    if row.lent:
        yield f"Its stations lend {_lent(rules, row.lent)}."
    if row.longest_path is not None:
        yield f"Its longest path has {words.numbered(row.longest_path, 'train')}."
    if row.passengers:
        yield f"Its passengers are {words.cards(rules, row.passengers)}."
    if row.merchandise:
        yield f"It holds {words.numbered(row.merchandise, 'merchandise card')}."


def _tickets_at_end(log: GameLog, seat: int) -> list[TicketRow]:
    """What it kept, without what it put away later."""
    kept = [ticket for ticket in log.tickets if ticket.seat == seat and ticket.kept]
    put_away = [turn.turn for turn in log.turns if turn.seat == seat and turn.action == "discard"]
    return [ticket for ticket in kept if ticket.completed or not put_away or ticket.turn >= put_away[-1]]


def _lent(rules: Rulebook, lent: str) -> str:
    pairs = [pair.split(":") for pair in lent.split(",")]
    return words.listed(
        [f"{words.route(rules, int(route))} into {words.city(rules, int(city))}" for city, route in pairs]
    )


def _how(log: GameLog) -> str:
    if log.game.margin:
        return f" by {log.game.margin}"
    return " by tie-break" if sum(row.rank == 1 for row in log.seats) == 1 else ""
