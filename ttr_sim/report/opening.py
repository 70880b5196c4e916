"""The first screen: worst places of the board, and five sentences on its play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from markupsafe import Markup, escape

from ttr_sim.analysis.official import LOCKED_OUT_MOST, Ranges
from ttr_sim.analysis.standings import clearly_off
from ttr_sim.analysis.targets import TICKET, TICKETS
from ttr_sim.analysis.text import decimal, ends, per_hundred, percent, ranked, wins
from ttr_sim.report.figures import SVG
from ttr_sim.report.glance import CLAIMS, FIRST_PLAYER, HIDDEN, MARGIN, ROUNDS, RangedNumber, Strip, find
from ttr_sim.report.numbers import ordinal, players_words

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.findings import Finding
    from ttr_sim.report.board.layout import Layout

NUMBER = re.compile(r"((?<![\w.])\d[\d.,]*(?: of \d+| %)?(?! players))")
MOST_PLACES = 3
# Rules whose findings name a place, in the order of their places. Where routes lock out they are fought over, too.
RULES = (
    ("ticket_generous", "ticket_stingy"),
    ("denied_route",),
    ("dead_connection", "dead_city"),
    ("contested_connection",),
    ("ticket_stingy",),
)
RADIUS = 11.0  # of a place's number on the board


@dataclass(frozen=True, slots=True)
class OpeningSentence:
    """A sentence with its link, and its number next to the official range."""

    sentence: str
    anchor: str
    strip: Strip | None = None

    @property
    def marked(self) -> Markup:
        """The sentence with its number, the one on the strip, set off."""
        return Markup(NUMBER.sub(r"<b>\1</b>", str(escape(self.sentence)), count=1))


def sentences(analysis: Analysis, players: int, ranges: Ranges) -> list[OpeningSentence]:
    """Say how the board plays: turn order, tickets, routes, length, closeness."""
    makers = (_turn_order, _tickets, _routes, _pace)
    return [sentence for make in makers for sentence in make(analysis, players, ranges)]


def _turn_order(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[OpeningSentence]:
    seats = analysis.tables["seats"]
    rows = seats[seats["players"] == players].sort_values("seat")
    if rows.empty:
        return
    first, best = rows.iloc[0], ranked(rows.assign(clear=clearly_off(rows)), "win_share").iloc[0]
    is_first = best["seat"] == first["seat"] or not best["clear"]
    best_words = "" if is_first else f"; the {ordinal(int(best['seat']))} does best"
    sentence = (
        f"The first player wins {decimal(first['win_share'] * 100)} % of the games with {players_words(players)}, "
        f"where {decimal(100 / players)} % is fair{best_words}."
    )
    found = find(analysis, FIRST_PLAYER, players, ranges)
    yield OpeningSentence(sentence, "seats", found.strip() if found else None)


def _tickets(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[OpeningSentence]:
    targets = [target for target in analysis.verdict.targets if target.measure == TICKET and target.state]
    if not targets:
        return
    card = next(card for card in analysis.verdict.cards if card.topic == TICKETS)
    yield OpeningSentence(f"{card.sentence[0].upper()}{card.sentence[1:]}.", "tickets", None)


def _routes(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[OpeningSentence]:
    routes = analysis.tables["routes"]
    known = routes[routes["players"] == players].dropna(subset=["denial_low"])
    if known.empty:
        return
    row = ranked(known, "denial").iloc[0]
    number = (float(row["denial"]), float(row["denial_low"]), float(row["denial_high"]))
    sentence = (
        f"{ends(row)} is the route that locks others out most: in {decimal(number[0] * 100)} % of the games with "
        f"{players_words(players)} somebody who wanted it finds no other."
    )
    usual = ranges.of_headline(LOCKED_OUT_MOST, players)
    yield OpeningSentence(sentence, "routes", RangedNumber(number, usual, "share").strip())


def _pace(analysis: Analysis, players: int, ranges: Ranges) -> Iterator[OpeningSentence]:
    found = (find(analysis, measure, players, ranges) for measure in (ROUNDS, CLAIMS, MARGIN, HIDDEN))
    rounds, claims, margin, hidden = (number if number and number.is_known else None for number in found)
    if rounds:
        each = f", in which each player claims {decimal(claims.number[0])} routes" if claims else ""
        yield OpeningSentence(f"A game takes {decimal(rounds.number[0])} rounds{each}.", "shape", rounds.strip())
    if not margin:
        return
    # A race shows its tickets as they are met, so nothing is hidden.
    is_race = analysis.edition.is_race
    sentence = f"The winner leads by {decimal(margin.number[0])} {'tickets' if is_race else 'points'} at the end"
    if hidden and not is_race:
        sentence += f", and in {decimal(hidden.number[0] * 100)} % of the games was not in front in open points"
    strip = (margin if is_race else replace(margin, unit="points")).strip()
    yield OpeningSentence(f"{sentence}.", "shape", strip)


@dataclass(frozen=True, slots=True)
class WorstPlace:
    """A place on the board: its words, its row, and the routes or cities to mark."""

    words: str
    table: str
    row: int
    routes: tuple[int, ...] = ()
    cities: tuple[int, ...] = ()


def worst_places(analysis: Analysis) -> list[WorstPlace]:
    """Choose a place for each kind of trouble in the findings, at most three."""
    places: list[WorstPlace] = []
    for rules in RULES:
        found = [f for f in analysis.findings if f.notable and f.rule in rules and f.row is not None]
        if not found:
            continue
        place = _place(analysis, max(found, key=lambda finding: abs(finding.value or 0.0)))
        share_routes = any(set(place.routes) & set(other.routes) for other in places)
        if not share_routes and not any(place.cities and place.cities == other.cities for other in places):
            places.append(place)
    return places[:MOST_PLACES]


def _place(analysis: Analysis, finding: Finding) -> WorstPlace:
    edition, table, label = analysis.edition, finding.table, int(str(finding.row))
    row = analysis.tables[table].loc[finding.row].to_dict()
    players = players_words(int(row["players"]))
    if table == "ticket_value":
        ticket = edition.tickets[int(row["ticket"])]
        points = "" if edition.is_race else f" ({row['points']:.0f})"
        verdict = f"too {row['side']}, {wins(row, 'excess')} beyond tickets as long"
        ends_of_ticket = (ticket.a_cities[0], ticket.b_cities[0])
        return WorstPlace(f"{ends(row)}{points}: {verdict}", table, label, cities=ends_of_ticket)
    if table == "cities":
        return WorstPlace(f"{row['name']}: hardly ever visited", table, label, cities=(int(row["city"]),))
    if finding.rule == "denied_route":
        words = f"locks somebody out in {percent(row, 'denial')} of the games with {players}"
    elif finding.rule == "dead_connection":
        words = f"hardly ever claimed, {per_hundred(row, 'claims')}"
    else:
        words = f"fought over, {per_hundred(row, 'contention')} with {players}"
    routes = [int(row["route"])] if table == "routes" else []
    if table == "connections":
        routes = [number for number, route in enumerate(edition.routes) if route.group == int(row["group"])]
    return WorstPlace(f"{ends(row)}: {words}", table, label, tuple(routes))


def mark_places(svg: ET.Element, layout: Layout, places: list[WorstPlace]) -> None:
    """Draw the numbers of places, and a dashed line between a ticket's ends."""
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
