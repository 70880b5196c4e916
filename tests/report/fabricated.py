"""An Analysis with plausible made-up numbers, so that pages can be tested without playing games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ttr_sim.analysis.analysis import Analysis, RunInfo
from ttr_sim.analysis.findings import Finding
from ttr_sim.analysis.tables import TABLES, Table, TableColumn
from ttr_sim.edition.model import Edition

BOTS = ("planner", "racer", "hoarder", "random")
SIZES = {
    "share": (0.05, 0.6, 0.01),
    "points": (-12.0, 40.0, 0.8),
    "rounds": (3.0, 20.0, 0.4),
    "number": (0.5, 9.0, 0.2),
    "change": (-0.12, 0.12, 0.01),
    "rating": (-180.0, 180.0, 12.0),
}
PARTS = ("route", "ticket", "ticket_penalty", "longest")
MEASURES = ("turns", "rounds", "margin", "lead_changes", "decided", "hidden", "shared")
TEXTS = {
    "bots": ",".join(BOTS),
    "log": "full",
    "verdict": "",
    "stands_out": "",
    "grade": "",
    "holds": "strong",
    "field": "strong",
    "cycle": "planner, racer, hoarder",
    "run": "runs/made-up",
    "examples": "17,230,4711",
}


def fabricated(edition: Edition, players: tuple[int, ...] = (2, 3, 4, 5), seed: int = 1) -> Analysis:
    """Every table filled, for each player count; ticket values for all together too."""
    chance = np.random.default_rng(seed)
    counts = tuple(count for count in players if edition.players[0] <= count <= edition.players[1])
    tables = {
        name: _table(table, edition, (0, *counts) if name == "ticket_value" else counts, chance)
        for name, table in TABLES.items()
    }
    return Analysis(edition, _runs(edition, counts), tables, {}, _findings(tables))


def _runs(edition: Edition, counts: tuple[int, ...]) -> tuple[RunInfo, ...]:
    record: dict[str, Any] = {
        "fingerprint": edition.fingerprint,
        "plan_hash": "0123456789abcdef",
        "digest": "ab" * 32,
        "digest_turns": "cd" * 32,
        "command": f"ttr-sim study {edition.name}",
        "versions": {"ttr_sim": "0.1.0", "python": "3.11"},
        "timings": {"play": 12.5},
        "set": [],
    }
    return tuple(
        RunInfo(Path(f"runs/{edition.name}-{n}p"), n, 40_000, 40_000, 10_000, 1, BOTS, "full", "strong", record)
        for n in counts
    )


def _table(table: Table, edition: Edition, counts: tuple[int, ...], chance: np.random.Generator) -> pd.DataFrame:
    rows = [{"players": players, **key} for players in counts for key in _keys(table.name, edition, players)]
    frame = pd.DataFrame(rows)
    for column in table.columns:
        _fill(frame, column, chance)
    return frame[table.column_names]


def _fill(frame: pd.DataFrame, column: TableColumn, chance: np.random.Generator) -> None:
    if column.name in frame:
        return
    if column.name in TEXTS:
        frame[column.name] = TEXTS[column.name]
    elif column.interval:
        low, high, half = SIZES[column.unit]
        value = chance.uniform(low, high, len(frame))
        for name, shift in zip(column.names, (0, -half, half), strict=True):
            frame[name] = value + shift
    elif column.unit in ("p", "share"):
        frame[column.name] = chance.uniform(0, 1, len(frame))
    else:
        frame[column.name] = chance.integers(1, 5_000, len(frame))


def _keys(name: str, edition: Edition, players: int) -> list[dict[str, Any]]:
    seats = range(players or 5)
    fair = 1 / (players or 3)
    listed: dict[str, list[dict[str, Any]]] = {
        "overview": [{}],
        "strategies": [{"bot": bot, "plans": bot != "random", "fair": fair} for bot in BOTS],
        "rewards": [{"variant": bot, "bot": bot, "fair": fair} for bot in BOTS],
        "matchups": [{"bot": a, "opponent": b} for a in BOTS for b in BOTS if a != b],
        "cycles": [{}],
        "seats": [{"seat": seat, "fair": fair} for seat in seats],
        "seats_by_bot": [{"bot": bot, "seat": seat} for bot in BOTS for seat in seats],
        "score_parts": [{"bot": bot, "part": part} for bot in ("", *BOTS) for part in PARTS],
        "pace": [{"measure": measure} for measure in MEASURES],
        "shape": [{}],
        "shape_course": [{"part": part / 10} for part in range(11)],
        "shape_chances": [{"low": low / 10, "high": low / 10 + 0.1, "chance": low / 10 + 0.05} for low in range(10)],
        "actions": [{"action": action} for action in ("draw", "claim", "tickets", "pass")],
        "oddities": [{"kind": kind} for kind in ("stalled", "capped", "stuck_row")],
    }
    if name in ("scores", "distributions"):
        return _counted(name)
    return listed[name] if name in listed else _map_keys(name, edition)


def _counted(name: str) -> list[dict[str, Any]]:
    bell = [(value, int(4000 * np.exp(-(((value - 110) / 30) ** 2)))) for value in range(30, 190, 2)]
    if name == "scores":
        return [{"bot": bot, "score": value, "n": n} for bot in BOTS for value, n in bell]
    return [{"measure": m, "value": v / 4, "n": n} for m in ("turns", "margin", "lead_changes") for v, n in bell]


def _map_keys(name: str, edition: Edition) -> list[dict[str, Any]]:
    cities = edition.cities
    if name in ("tickets", "ticket_value", "ticket_value_by_bot"):
        decks = [deck.name for deck in edition.decks]
        return [
            {
                "ticket": i,
                "from": t.a,
                "to": t.b,
                "deck": decks[t.deck],
                "points": t.points,
                "class": "low",
                "bot": "planner",
            }
            for i, t in enumerate(edition.tickets)
        ]
    if name == "cities":
        return [{"city": i, "name": city.name} for i, city in enumerate(cities)]
    colors = [color.name for color in edition.colors]
    routes = [
        {
            "route": i,
            "from": cities[r.a].name,
            "to": cities[r.b].name,
            "length": r.length,
            "color": "gray" if r.color is None else colors[r.color],
            "kind": r.kind,
            "group": r.group,
            "copy": r.copy,
        }
        for i, r in enumerate(edition.routes)
    ]
    if name == "routes":
        return routes
    return [{key: r[key] for key in ("group", "from", "to", "length")} for r in routes if r["copy"] == 0]


def _findings(tables: dict[str, pd.DataFrame]) -> tuple[Finding, ...]:
    def row(table: str, place: int) -> int:
        return int(tables[table].index[place])

    return (
        Finding("seat", (2,), "The first player wins 54.1 %.", True, "seats", row("seats", 1), about="board"),
        Finding(
            *("ticket_stingy", (), "Ticket 0 gives 3.1 too little.", True, "ticket_value", 0),
            *(-3.1, -3.4, -2.8, "board"),
            holds="all",
        ),
        Finding(
            *("denied_route", (), "Route 3 is fought over.", True, "routes", 3, 0.41, 0.40, 0.42, "board"),
            holds="depends",
        ),
        Finding("dead_city", (), "A city is hardly ever visited.", True, "cities", 5, 0.01, 0.0, 0.02, "board"),
        Finding("oddities", (), "No game stalled.", False, "oddities", about="board"),
    )
