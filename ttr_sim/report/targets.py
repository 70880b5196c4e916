"""What a row of a table points at on the maps: `route-3`, `city-7`, several with blanks between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics import Statics

OF_TICKETS = ("tickets", "ticket_value", "ticket_value_by_bot")


@dataclass(frozen=True, slots=True)
class HoverTargets:
    """The routes of each connection, and of each ticket's shortest ways."""

    edition: Edition
    lanes: Mapping[int, str]
    ways: tuple[str, ...]

    @classmethod
    def of(cls, board: Statics) -> HoverTargets:
        edition = board.edition
        members: dict[int, list[int]] = {}
        for number, route in enumerate(edition.routes):
            members.setdefault(route.group, []).append(number)
        lanes = {group: _joined("route", routes) for group, routes in members.items()}
        ways = tuple(" ".join(lanes[connection] for connection in sorted(ways.shortest)) for ways in board.ways)
        return cls(edition, lanes, ways)

    def of_row(self, table: str, record: Mapping[Any, Any]) -> str:
        if table == "routes":
            return f"route-{record['route']}"
        if table in ("connections", "shape_loads"):
            return self.lanes.get(int(record["group"]), "")
        if table == "cities":
            return f"city-{record['city']}"
        if table in OF_TICKETS:
            ticket = self.edition.tickets[int(record["ticket"])]
            return _joined("city", (*ticket.a_cities, *ticket.b_cities))
        return ""

    def way(self, table: str, record: Mapping[Any, Any]) -> str:
        """Return the routes on which a ticket's shortest ways run."""
        return self.ways[int(record["ticket"])] if table in OF_TICKETS else ""


def _joined(kind: str, numbers: Iterable[int]) -> str:
    return " ".join(f"{kind}-{number}" for number in numbers)
