"""An Analysis with plausible made-up numbers, so that pages can be tested without playing games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ttr_sim.analysis.analysis import Analysis, RunInfo
from ttr_sim.analysis.findings import Finding
from ttr_sim.analysis.official import official_ranges
from ttr_sim.analysis.tables import TABLES, Table
from ttr_sim.analysis.verdict import Verdict
from ttr_sim.edition.model import Edition

BOTS = ("planner", "racer", "hoarder", "random")
PARTS = ("route", "ticket", "ticket_penalty", "longest")
MEASURES = ("turns", "rounds", "margin", "lead_changes", "decided", "hidden", "shared")
SIZES = {  # lowest and highest estimate of a unit, and half its interval
    "share": (0.05, 0.6, 0.01),
    "points": (-12.0, 40.0, 0.8),
    "rounds": (3.0, 20.0, 0.4),
    "number": (0.5, 9.0, 0.2),
    "change": (-0.12, 0.12, 0.01),
    "rating": (-180.0, 180.0, 12.0),
}
TEXTS = {
    "bots": ",".join(BOTS),
    "log": "full",
    **dict.fromkeys(("verdict", "stands_out", "state", "side"), ""),
    "field": "strong",
    "holds": "rivals=same, racer=unsure",
    "cycle": "planner, racer, hoarder",
    "run": "runs/made-up",
    "examples": "17,230,4711",
}
RECORD: dict[str, Any] = {
    "plan_hash": "0123456789abcdef",
    "digest": "ab" * 32,
    "digest_turns": "cd" * 32,
    "command": "ttr-sim study",
    "versions": {"ttr_sim": "0.1.0", "python": "3.11"},
    "timings": {"play": 12.5},
    "set": [],
}


def fabricated(edition: Edition, players: tuple[int, ...] = (2, 3, 4, 5), seed: int = 1) -> Analysis:
    """Every table filled, for each player count; ticket values for all together too."""
    chance = np.random.default_rng(seed)
    counts = tuple(count for count in players if edition.players[0] <= count <= edition.players[1])
    tables = {
        name: _table(table, edition, (0, *counts) if name == "ticket_value" else counts, chance)
        for name, table in TABLES.items()
    }
    name, rest = edition.name, (40_000, 40_000, 10_000, 1, BOTS, "full", "strong", RECORD)
    runs = tuple(RunInfo(Path(f"runs/{name}-{count}p"), count, *rest) for count in counts)
    verdict = Verdict.of(edition, tables, official_ranges(edition))
    return Analysis(edition, runs, tables, {}, _findings(tables), verdict)


def _table(table: Table, edition: Edition, counts: tuple[int, ...], chance: np.random.Generator) -> pd.DataFrame:
    frame = pd.DataFrame([{"players": count, **key} for count in counts for key in _keys(table.name, edition, count)])
    for column in table.columns:
        size = len(frame)
        if column.name in frame:
            continue
        if column.name in TEXTS:
            frame[column.name] = TEXTS[column.name]
        elif column.interval:
            low, high, half = SIZES[column.unit]
            value = chance.uniform(low, high, size)
            for name, shift in zip(column.names, (0, -half, half), strict=True):
                frame[name] = value + shift
        elif column.unit in ("p", "share"):
            frame[column.name] = chance.uniform(0, 1, size)
        else:
            frame[column.name] = chance.integers(1, 5_000, size)
    return frame[table.column_names]


def _keys(name: str, edition: Edition, players: int) -> list[dict[str, Any]]:
    """The rows of a table: its key columns, for one player count."""
    seats, fair = range(players or 5), 1 / (players or 3)
    cities, colors = edition.cities, [color.name for color in edition.colors]
    tenths = [part / 10 for part in range(11)]
    bell = [(value, int(4000 * np.exp(-(((value - 110) / 30) ** 2)))) for value in range(30, 190, 2)]
    if name in ("tickets", "ticket_value", "ticket_value_by_bot"):
        rows = [(number, t, edition.decks[t.deck].name) for number, t in enumerate(edition.tickets)]
        rest = {"trains": 8, "bot": "planner"}
        return [{"ticket": n, "from": t.a, "to": t.b, "deck": deck, "points": t.points, **rest} for n, t, deck in rows]
    if name in ("routes", "connections", "shape_loads"):
        routes = []
        for number, r in enumerate(edition.routes):
            about = {"group": r.group, "from": cities[r.a].name, "to": cities[r.b].name, "length": r.length}
            color = "gray" if r.color is None else colors[r.color]
            if name == "routes":
                about |= {"route": number, "color": color, "kind": r.kind, "copy": r.copy}
            if name == "routes" or r.copy == 0:
                routes.append(about)
        return routes
    listed: dict[str, list[dict[str, Any]]] = {
        "strategies": [{"bot": bot, "plans": bot != "random", "fair": fair} for bot in BOTS],
        "rewards": [{"variant": bot, "bot": bot, "fair": fair} for bot in BOTS],
        "matchups": [{"bot": a, "opponent": b} for a in BOTS for b in BOTS if a != b],
        "seats": [{"seat": seat, "fair": fair} for seat in seats],
        "seats_by_bot": [{"bot": bot, "seat": seat} for bot in BOTS for seat in seats],
        "score_parts": [{"bot": bot, "part": part} for bot in ("", *BOTS) for part in PARTS],
        "pace": [{"measure": measure} for measure in MEASURES],
        "shape_course": [{"part": part} for part in tenths],
        "shape_chances": [{"low": low, "high": low + 0.1, "chance": low + 0.05} for low in tenths[:-1]],
        "actions": [{"action": action} for action in ("draw", "claim", "tickets", "pass")],
        "oddities": [{"kind": kind} for kind in ("stalled", "capped", "stuck_row")],
        "cities": [{"city": number, "name": city.name} for number, city in enumerate(cities)],
        "scores": [{"bot": bot, "score": value, "n": n} for bot in BOTS for value, n in bell],
        "distributions": [
            {"measure": m, "value": v / 4, "n": n} for m in ("turns", "margin", "lead_changes") for v, n in bell
        ],
    }
    return listed.get(name, [{}])


def _findings(tables: dict[str, pd.DataFrame]) -> tuple[Finding, ...]:
    route, city = int(tables["routes"].index[3]), int(tables["cities"].index[5])
    ticket = ("ticket_stingy", (), "Ticket 0 gives 3.1 too little.", True, "ticket_value", 0, -3.1, -3.4, -2.8, "board")
    denied = ("denied_route", (), "Route 3 is fought over.", True, "routes", route, 0.41, 0.40, 0.42, "board")
    return (
        Finding("seat", (2,), "The first player wins 54.1 %.", True, "seats", 1, about="board"),
        Finding(*ticket, holds={"rivals": "same"}),
        Finding(*denied, holds={"rivals": "reversed"}),
        Finding("dead_city", (), "A city is hardly visited.", True, "cities", city, 0.01, 0.0, 0.02, "board"),
        Finding("oddities", (), "No game stalled.", False, "oddities", about="board"),
    )
