"""Tiny logs written out by hand, so that every number can be worked out on paper."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.analysis.synthetic import write_record, write_table
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.write import write_folder
from ttr_sim.log import TABLES
from ttr_sim.run.lineups import RunSize
from ttr_sim.run.plan import FULL

Rows = Sequence[Mapping[str, Any]]


def changed_usa(folder: Path, file: str, old: str, new: str) -> Path:
    """The edition in which one text of one file is another."""
    write_folder(load_edition("usa"), folder)
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), "utf-8")
    return folder


def write_log(
    folder: Path, bots: Sequence[str], players: int, tables: Mapping[str, Rows], edition: str = "usa", log: str = FULL
) -> Path:
    """A run of one part; a column that no row names is null, empty or 0."""
    shutil.copytree(find_folder(edition), folder / "edition")
    games = len(tables["games"])
    plan = write_record(folder, bots, players, 1, log, RunSize(games, games, 1))
    for table in plan.tables:
        rows = tables.get(table, ())
        names = [column.name for column in TABLES[table] if any(column.name in row for row in rows)]
        write_table(folder, plan, 0, table, {"game": [], **{name: [row.get(name) for row in rows] for name in names}})
    return folder


def game(number: int, block: int, winners: int, **columns: Any) -> dict[str, Any]:
    known = {"players": 2, "turns": 40, "end": "trains", "margin": 0, "lead_changes": 0}
    return {"game": number, "deal": block, "block": block, "winners": winners, **known, **columns}


def seat(number: int, place: int, bot: str, score: int, win_share: float, **columns: Any) -> dict[str, Any]:
    known = {"game": number, "seat": place, "bot": bot, "score": score, "win_share": win_share}
    return {**known, "plans": True, "hand": "", **columns}


def claim(number: int, turn: int, place: int, route: int, wanted_by: Sequence[int], **columns: Any) -> dict[str, Any]:
    wants = sum(1 << other for other in wanted_by)
    taken = {"action": "claim", "claimed": True, "wanted_by": wants}
    return {"game": number, "turn": turn, "seat": place, "route": route, **taken, **columns}


def offer(number: int, order: int, place: int, ticket: int, **columns: Any) -> dict[str, Any]:
    known = {"turn": -1, "kept": True, "completed": True, "completed_turn": 10}
    return {"game": number, "order": order, "seat": place, "ticket": ticket, **known, **columns}


def duel() -> dict[str, Rows]:
    """Two blocks of two games, A against B; A wins three of four, seat 0 wins three of four."""
    return {
        "games": [
            game(0, 0, 1, margin=20, lead_turn=19),
            game(1, 0, 1, margin=10, lead_turn=None),
            game(2, 1, 1, margin=30, turns=60, lead_turn=29),
            game(3, 1, 2, margin=40, turns=60, lead_turn=59),
        ],
        "seats": [
            seat(0, 0, "A", 120, 1.0, route_points=70, ticket_points=50, ticket_penalty=0),
            seat(0, 1, "B", 100, 0.0, route_points=60, ticket_points=50, ticket_penalty=-10),
            seat(1, 0, "B", 110, 1.0, route_points=60, ticket_points=50, ticket_penalty=0),
            seat(1, 1, "A", 100, 0.0, route_points=60, ticket_points=60, ticket_penalty=-20),
            seat(2, 0, "A", 130, 1.0, route_points=90, ticket_points=40, ticket_penalty=0),
            seat(2, 1, "B", 100, 0.0, route_points=60, ticket_points=40, ticket_penalty=0),
            seat(3, 0, "B", 90, 0.0, route_points=50, ticket_points=40, ticket_penalty=0),
            seat(3, 1, "A", 130, 1.0, route_points=90, ticket_points=40, ticket_penalty=0),
        ],
        "turns": [
            {"game": 0, "turn": 0, "seat": 0, "action": "draw", "card1": "r", "card2": "b"},
            claim(0, 1, 1, 0, [1]),
            {"game": 1, "turn": 0, "seat": 0, "action": "draw", "card1": "r", "card2": None},
            claim(2, 0, 0, 0, [0]),
        ],
        "tickets": [
            offer(0, 0, 0, 0),
            offer(0, 1, 1, 1, completed=False, completed_turn=None),
            offer(1, 0, 0, 1),
            offer(1, 1, 1, 0, kept=False, completed=None, completed_turn=None),
            offer(2, 0, 0, 0, completed_turn=20),
            offer(2, 1, 1, 1),
            offer(3, 0, 0, 1, completed=False, completed_turn=None),
            offer(3, 1, 1, 0),
            offer(3, 2, 1, 2, turn=10, completed_turn=30),
        ],
    }
