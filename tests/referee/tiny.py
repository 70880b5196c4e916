"""A tiny edition, and a game on it small enough to be checked by eye."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.referee.rows import make_row
from ttr_sim.edition import load_edition
from ttr_sim.referee.log import GameLog, GameRow, SeatRow, TicketRow, TurnRow
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
    common = {
        "bot": "hand",
        "plans": False,
        "score": 18,
        "rank": 1,
        "win_share": 0.5,
        "ticket_penalty": 0,
        "longest_points": 10,
        "tickets_completed": 1,
        "tickets_failed": 0,
        "longest_path": 3,
        "trains_left": 0,
        "turns": 3,
    }
    return make_row(SeatRow, seat=seat, **common, **cells)


def _claim(turn: int, **cells: Any) -> Any:
    return make_row(TurnRow, turn=turn, seat=turn % 2, action="claim", wilds=0, claimed=True, wanted_by=0, **cells)


def _draw(turn: int, first: str, second: str, **cells: Any) -> Any:
    sources = {"card1": first, "card1_from": "deck", "card2": second, "card2_from": "deck"}
    return make_row(TurnRow, turn=turn, seat=turn % 2, action="draw", **sources, **cells)
