"""Rows, games and positions made by hand, for all that real play hardly ever reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.referee.log import GameLog, GameRow, LogRow, SeatRow, TicketRow, TurnRow
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import Rulebook

RULES = """\
schema = 1
name = "tiny"
title = "Tiny"
players = [2, 2]
trains = 3
hand = 2
route_scores = [1, 2, 4]
tie_breaks = ["tickets", "longest_path"]
[colors]
red = { letter = "r", cards = 6 }
blue = { letter = "b", cards = 6 }
[wilds]
cards = 2
[parallel]
closed_up_to_players = 0
[decks.only]
deal = 1
draw = 1
[tickets]
keep_at_start = 1
[end]
trains_left = 0
[longest_path]
points = 10
"""
CITIES = "name,x,y\nAsh,0,0\nBay,1,0\nCove,0,1\n"
ROUTES = "from,to,length,color\nAsh,Bay,2,red\nBay,Cove,1,gray\nAsh,Cove,3,blue\n"
TICKETS = "from,to,points,deck\nAsh,Bay,5,only\nAsh,Cove,4,only\nBay,Cove,3,only\n"


def make_row(make: type[LogRow], /, **cells: Any) -> Any:
    """Make a row with null in every other column, and 0 for the game."""
    return changed(make((0, *(None for _ in make.columns[1:]))), **cells)


def changed(row: Any, /, **cells: Any) -> Any:
    """Return the row with other values in these cells."""
    make: type[LogRow] = type(row)
    assert cells.keys() <= set(make.columns)
    return make(cells.get(name, value) for name, value in zip(make.columns, row, strict=True))


def game_log(players: int, tickets: list[TicketRow] | None = None, **game: Any) -> GameLog:
    """A log with empty seats and no turns."""
    seats = [make_row(SeatRow, seat=seat, plans=False) for seat in range(players)]
    return GameLog(make_row(GameRow, players=players, **game), seats, [], tickets or [])


def built(edition: Edition | str, log: GameLog, hand: str = "", deck: str = "") -> Position:
    """The first turn of seat 0, with these cards in hand and in the deck and no others in play."""
    rules = Rulebook(load_edition(edition) if isinstance(edition, str) else edition)
    position = Position(rules, log)
    position.turn = position.seat = 0
    position.seats[0].hand = {letter: hand.count(letter) for letter in rules.letters}
    position.piles.deck = {letter: deck.count(letter) for letter in rules.letters}
    position.piles.deck_size = len(deck)
    return position


def turn(action: str, **cells: Any) -> TurnRow:
    """Seat 0's first turn."""
    row: TurnRow = make_row(TurnRow, turn=0, seat=0, action=action, **cells)
    return row


def ticket_row(number: int, order: int, **cells: Any) -> TicketRow:
    """A ticket offered at setup and kept, unless cells say otherwise."""
    row: TicketRow = make_row(
        TicketRow, **{"seat": 0, "turn": -1, "kept": True, **cells, "order": order, "ticket": number}
    )
    return row


def messages(position: Position) -> list[str]:
    return [violation.message for violation in position.violations]


def tiny_rules(folder: Path, more_rules: str = "") -> Rulebook:
    folder.mkdir(exist_ok=True)
    files = {"edition.toml": RULES + more_rules, "cities.csv": CITIES, "routes.csv": ROUTES, "tickets.csv": TICKETS}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return Rulebook(load_edition(folder))


def tiny_game() -> GameLog:
    """Each seat completes its ticket and joins three trains: 18 to 18, shared."""
    return GameLog(
        game=make_row(GameRow, turns=6, players=2, end="trains", winners=0b11, reshuffles=0, lead_changes=1, margin=0),
        seats=[
            _seat(0, hand="rr", route_points=3, ticket_points=5, routes=2),
            _seat(1, hand="bb", route_points=4, ticket_points=4, routes=1),
        ],
        turns=[
            _claim(0, route=0, color="r", cards=2, score=2, trains=1),
            _draw(1, "b", "r", score=0, trains=3),
            _draw(2, "*", "b", score=2, trains=1),
            _claim(3, route=2, color="b", cards=3, score=4, trains=0),
            _claim(4, route=1, color="b", cards=1, score=3, trains=0),
            _draw(5, "r", "r", score=4, trains=0),
        ],
        tickets=[
            make_row(TicketRow, order=0, seat=0, ticket=0, turn=-1, kept=True, completed=True, completed_turn=0),
            make_row(TicketRow, order=1, seat=1, ticket=1, turn=-1, kept=True, completed=True, completed_turn=3),
        ],
    )


def _seat(seat: int, **cells: Any) -> Any:
    """What both seats have in common: an 18, shared."""
    cells |= {"bot": "hand", "plans": False, "score": 18, "rank": 1, "win_share": 0.5, "ticket_penalty": 0}
    cells |= {"longest_points": 10, "tickets_completed": 1, "tickets_failed": 0, "longest_path": 3}
    return make_row(SeatRow, seat=seat, trains_left=0, turns=3, **cells)


def _claim(turn: int, **cells: Any) -> Any:
    return make_row(TurnRow, turn=turn, seat=turn % 2, action="claim", wilds=0, claimed=True, wanted_by=0, **cells)


def _draw(turn: int, first: str, second: str, **cells: Any) -> Any:
    sources = {"card1": first, "card1_from": "deck", "card2": second, "card2_from": "deck"}
    return make_row(TurnRow, turn=turn, seat=turn % 2, action="draw", **sources, **cells)
