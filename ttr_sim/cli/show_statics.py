"""The part of `ttr-sim show` about the board before anyone plays: text and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ttr_sim.cli.text import aligned, paragraph
from ttr_sim.edition.statics import ComparedMeasure, Statics, shown

TOP = 12  # rows of the tables of connections and of tickets


def text_of_statics(board: Statics, rows: list[ComparedMeasure]) -> Iterator[str]:
    """Write the measures beside the official boards, and what they are made of."""
    players = board.edition.players[1]
    yield f"Before anyone plays, with {players} players and the tickets that setup deals\n" + aligned(
        ("measure", "value", "official boards", "in"),
        [(row.measure.name, shown(row.value), _range(row), row.measure.unit) for row in rows],
    )
    yield _shape(board)
    yield _most_wanted(board)
    yield _near_duplicates(board)


def _range(row: ComparedMeasure) -> str:
    return f"{shown(row.low)} to {shown(row.high)}"


def _shape(board: Statics) -> str:
    name, shape = board.net.name, board.shape
    lines = (
        ("Connections whose loss cuts the board in two", [_ends(board, number) for number in shape.bridges]),
        ("Dead ends", [name(city) for city in shape.dead_ends]),
        ("Regions reached through one or two cities", [", ".join(map(name, region)) for region in shape.regions]),
    )
    return "\n".join(paragraph(f"{words}: {'; '.join(found) or 'none'}", "", "  ") for words, found in lines)


def _most_wanted(board: Statics) -> str:
    loads = sorted(enumerate(board.loads), key=lambda load: -load[1].per_lane)[:TOP]
    rows = []
    for number, load in loads:
        connection = board.net.connections[number]
        ends = (board.net.name(connection.a), board.net.name(connection.b))
        rows.append((*ends, connection.length, connection.lanes, load.tickets, load.per_lane, _mark(load.crowded)))
    return f"The {len(rows)} connections with the highest load per lane\n" + aligned(
        ("from", "to", "length", "lanes", "tickets", "per lane", ""), rows
    )


def _mark(crowded: bool) -> str:
    return "crowded" if crowded else ""


def _near_duplicates(board: Statics) -> str:
    pairs = board.near_duplicates
    if not pairs:
        return "No two tickets want nearly the same routes."
    tickets = board.edition.tickets
    rows = []
    for pair in pairs[:TOP]:
        first, second = tickets[pair.first], tickets[pair.second]
        rows.append((f"{first.a}–{first.b}", f"{second.a}–{second.b}", f"{100 * pair.overlap:.0f} %"))
    heading = f"Pairs of tickets that want nearly the same routes: the {len(rows)} most alike of {len(pairs)}"
    return heading + "\n" + aligned(("ticket", "ticket", "in common"), rows)


def json_of_statics(board: Statics, rows: list[ComparedMeasure]) -> dict[str, Any]:
    """Return the same for scripts, with every connection and every near-duplicate."""
    name, shape = board.net.name, board.shape
    return {
        "measures": [_measure_json(row) for row in rows],
        "connections": [_connection_json(board, number) for number in range(len(board.loads))],
        "bridges": [_ends_json(board, number) for number in shape.bridges],
        "cut_cities": [name(city) for city in shape.cut_cities],
        "dead_ends": [name(city) for city in shape.dead_ends],
        "regions": [[name(city) for city in region] for region in shape.regions],
        "tickets_by_place": dict(board.tickets_by_place),
        "near_duplicates": [
            {"tickets": [_ticket_json(board, row) for row in (pair.first, pair.second)], "overlap": pair.overlap}
            for pair in board.near_duplicates
        ],
    }


def _measure_json(row: ComparedMeasure) -> dict[str, Any]:
    about = {"name": row.measure.name, "definition": row.measure.definition, "unit": row.measure.unit}
    return {**about, "value": row.value, "official": [row.low, row.high]}


def _connection_json(board: Statics, number: int) -> dict[str, Any]:
    connection, load = board.net.connections[number], board.loads[number]
    return {
        **_ends_json(board, number),
        "length": connection.length,
        "lanes": connection.lanes,
        "tickets": load.tickets,
        "per_lane": load.per_lane,
        "crowded": load.crowded,
        "needed": load.needed,
    }


def _ends_json(board: Statics, number: int) -> dict[str, str]:
    connection = board.net.connections[number]
    return {"from": board.net.name(connection.a), "to": board.net.name(connection.b)}


def _ticket_json(board: Statics, row: int) -> dict[str, str]:
    ticket = board.edition.tickets[row]
    return {"from": ticket.a, "to": ticket.b, "deck": board.edition.decks[ticket.deck].name}


def _ends(board: Statics, number: int) -> str:
    return "–".join(_ends_json(board, number).values())
