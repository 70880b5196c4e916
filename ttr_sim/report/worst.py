"""The worst places of a board, numbered on its picture: what a designer would look at first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from ttr_sim.analysis.words import ends, per_hundred, percent, wins
from ttr_sim.report.columns import in_words
from ttr_sim.report.figures import SVG
from ttr_sim.report.numbers import players_words

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.findings import Finding
    from ttr_sim.edition.model import Edition
    from ttr_sim.report.board.layout import Layout

MOST = 3
# By how much each rule says of a place; the routes lock out and are fought over in the same places.
RULES = (
    ("ticket_generous", "ticket_stingy"),
    ("denied_route",),
    ("dead_connection", "dead_city"),
    ("contested_connection",),
    ("ticket_stingy",),
)
RADIUS = 11.0


@dataclass(frozen=True, slots=True)
class WorstPlace:
    """Words, where its number stands, and what is marked: the middle of routes, or cities, with a line between two."""

    words: str
    table: str
    row: int
    routes: tuple[int, ...] = ()
    cities: tuple[int, ...] = ()


def worst_places(analysis: Analysis) -> list[WorstPlace]:
    """Return one place for each kind of trouble that the findings name, at most three."""
    places: list[WorstPlace] = []
    for rules in RULES:
        found = [f for f in analysis.findings if f.notable and f.rule in rules and f.row is not None]
        for finding in sorted(found, key=lambda finding: -abs(finding.value or 0.0))[:1]:
            place = _place(analysis, finding)
            if not any(_same(place, other) for other in places):
                places.append(place)
    return places[:MOST]


def _same(one: WorstPlace, other: WorstPlace) -> bool:
    return bool(set(one.routes) & set(other.routes)) or (bool(one.cities) and one.cities == other.cities)


def _place(analysis: Analysis, finding: Finding) -> WorstPlace:
    row = analysis.tables[finding.table].loc[finding.row].to_dict()
    table, label = finding.table, int(str(finding.row))
    edition = analysis.edition
    if table == "ticket_value":
        ticket = edition.tickets[int(row["ticket"])]
        cities = (ticket.a_cities[0], ticket.b_cities[0])
        return WorstPlace(_of_ticket(row, edition), table, label, cities=cities)
    if table == "cities":
        return WorstPlace(f"{row['name']}: hardly ever visited", table, label, cities=(int(row["city"]),))
    return WorstPlace(_of_route(row, finding), table, label, tuple(_routes(edition, table, row)))


def _of_ticket(row: Mapping[Any, Any], edition: Edition) -> str:
    points = "" if edition.is_race else f" ({row['points']:.0f})"
    return f"{ends(row)}{points}: {in_words('verdict', row['verdict'])}, {wins(row, 'excess')} compared with its class"


def _of_route(row: Mapping[Any, Any], finding: Finding) -> str:
    players = players_words(int(row["players"]))
    if finding.rule == "denied_route":
        return f"{ends(row)}: locks somebody out in {percent(row, 'denial')} of the games with {players}"
    if finding.rule == "dead_connection":
        return f"{ends(row)}: hardly ever claimed, {per_hundred(row, 'claims')}"
    return f"{ends(row)}: fought over, {per_hundred(row, 'contention')} with {players}"


def _routes(edition: Edition, table: str, row: Mapping[Any, Any]) -> Iterator[int]:
    if table == "routes":
        yield int(row["route"])
    elif table == "connections":
        yield from (n for n, route in enumerate(edition.routes) if route.group == int(row["group"]))


def mark_places(svg: ET.Element, layout: Layout, places: list[WorstPlace]) -> None:
    """Draw each place's number on the board, and a dashed line between the ends of a ticket."""
    for number, place in enumerate(places, 1):
        group = ET.SubElement(svg, f"{{{SVG}}}g", {"class": "place"})
        spots = [layout.places[city] for city in place.cities]
        spots += [layout.lanes[route].cars[:, :2].mean(axis=0) for route in place.routes[:1]]
        if len(place.cities) == 2:
            path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
            ET.SubElement(group, f"{{{SVG}}}path", {"d": path})
        for x, y in spots:
            spot = {"transform": f"translate({x:.1f} {y:.1f})"}
            ET.SubElement(group, f"{{{SVG}}}circle", {"r": str(RADIUS), **spot})
            text = ET.SubElement(group, f"{{{SVG}}}text", {"dy": ".36em", **spot})
            text.text = str(number)
