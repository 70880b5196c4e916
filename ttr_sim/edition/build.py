"""Combine clean rules and a clean board into one Edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ttr_sim.edition.board import Board, color_key
from ttr_sim.edition.fingerprint import with_fingerprint
from ttr_sim.edition.model import (
    BonusTicket,
    City,
    Color,
    Deck,
    Edition,
    End,
    Globetrotter,
    InstantTickets,
    LongestPath,
    Merchandise,
    Passengers,
    Route,
    RowRules,
    Stations,
    Targets,
    TicketRules,
    Tunnels,
)
from ttr_sim.edition.rules import Rules
from ttr_sim.edition.schema import BLOCKS

PLAIN = "plain"


def build(rules: Rules, board: Board, folder: Path, files: Mapping[str, bytes]) -> Edition:
    """Return the Edition of a folder without errors."""
    values = rules.values
    colors = tuple(Color(name, **color) for name, color in values["colors"].items())
    edition = Edition(
        name=values["name"],
        title=values["title"].strip(),
        provenance=values["provenance"].strip(),
        players=tuple(values["players"]),
        trains=values["trains"],
        hand=values["hand"],
        route_scores=None if values["route_scores"] is None else tuple(values["route_scores"]),
        tie_breaks=tuple(values["tie_breaks"]),
        max_turns=values["max_turns"],
        colors=colors,
        wilds=values["wilds"]["cards"] if "wilds" in values else 0,
        row=_block(values, "row", RowRules),
        closed_up_to_players=values["parallel"]["closed_up_to_players"] if "parallel" in values else 0,
        decks=tuple(Deck(name, deck["deal"] or 0, deck["draw"] or 0) for name, deck in values["decks"].items()),
        ticket_rules=_ticket_rules(values["tickets"]),
        end=End(**values["end"]),
        longest_path=_block(values, "longest_path", LongestPath),
        globetrotter=_block(values, "globetrotter", Globetrotter),
        stations=_block(values, "stations", Stations),
        tunnels=_block(values, "tunnels", Tunnels),
        ferries="ferries" in values,
        passengers=_passengers(values, colors),
        merchandise=_merchandise(values),
        instant_tickets=_block(values, "instant_tickets", InstantTickets),
        bonus_ticket=_bonus_ticket(values),
        cities=tuple(_city(city, values) for city in board.cities),
        routes=tuple(_route(route, values) for route in board.routes),
        tickets=tuple(board.tickets),
        targets=_targets(values),
        fingerprint="",
        folder=folder,
        files=files,
    )
    return with_fingerprint(edition)


def _block(values: dict[str, Any], name: str, kind: Any) -> Any:
    return kind(**values[name]) if name in values else None


def _ticket_rules(block: dict[str, Any]) -> TicketRules:
    totals = {"deal_total": block["deal_total"] or 0, "draw_total": block["draw_total"] or 0}
    return TicketRules(**{**block, **totals})


def _targets(values: dict[str, Any]) -> Targets:
    block = values.get("targets") or {name: key.default for name, key in BLOCKS["targets"].keys.items()}
    return Targets(**{**block, "locked": tuple(block["locked"])})


def _passengers(values: dict[str, Any], colors: tuple[Color, ...]) -> Passengers | None:
    if "passengers" not in values:
        return None
    numbers = {color_key(color.name): number for number, color in enumerate(colors)}
    block = values["passengers"]
    return Passengers(**{**block, "colors": tuple(numbers[color_key(name)] for name in block["colors"])})


def _merchandise(values: dict[str, Any]) -> Merchandise | None:
    if "merchandise" not in values:
        return None
    block = values["merchandise"]
    return Merchandise(block["cards"], {int(players): tuple(block["points"][players]) for players in block["points"]})


def _bonus_ticket(values: dict[str, Any]) -> BonusTicket | None:
    block = values.get("bonus_ticket")
    return BonusTicket(block["from"], block["to"], block["count"]) if block else None


def _city(city: City, values: dict[str, Any]) -> City:
    """Return the city, as a plain one when the edition lacks the feature its column asks for."""
    return city if "passengers" in values else replace(city, passengers=0)


def _route(route: Route, values: dict[str, Any]) -> Route:
    """Return the route, as a plain one when the edition lacks the feature its columns ask for."""
    if "merchandise" not in values:
        route = replace(route, merchandise=False)
    absent = (route.kind == "tunnel" and "tunnels" not in values) or (route.kind == "ferry" and "ferries" not in values)
    return replace(route, kind=PLAIN, locomotives=0) if absent else route
