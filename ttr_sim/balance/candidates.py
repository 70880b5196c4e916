"""Candidate edits of routes: what might mend a missed target that points do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from ttr_sim.balance.edits import ADD, CELL, COLOR, LENGTH, REMOVE, ROUTES, Edit
from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, TICKET, Target, route_name, ticket_name
from ttr_sim.edition.board import GRAY
from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.model import Edition
from ttr_sim.edition.paths import roads, routes_on_shortest_paths

LENGTHS, COLORS, DOUBLES = "lengths", "colors", "doubles"
MOST = 6  # candidates that race
PER_TICKET = 4  # of them for one ticket: the longest routes on its way


@dataclass(frozen=True)
class Allowed:
    """Kinds of edits, and the rows of routes that are not to be touched."""

    kinds: frozenset[str]
    locked: frozenset[int]


def candidates(edition: Edition, missed: Iterable[Target], edits: Collection[Edit], allowed: Allowed) -> list[Edit]:
    """Return what may mend the missed targets, of routes that no edit has touched: first what serves most of them, by
    how far they are beyond their limits."""
    touched = {edit.row for edit in edits if edit.file == ROUTES} | allowed.locked
    served: dict[Edit, float] = {}
    for target in missed:
        for edit in dict.fromkeys(_for(edition, target, allowed.kinds)):
            if edit.row not in touched:
                served[edit] = served.get(edit, 0.0) + target.beyond
    return sorted(served, key=lambda edit: -round(served[edit], 9))[:MOST]


def _for(edition: Edition, target: Target, kinds: frozenset[str]) -> Iterator[Edit]:
    if target.measure == TICKET:
        yield from _on_the_way(edition, target, kinds)
        return
    named = (row for row in range(len(edition.routes)) if route_name(edition, row) == target.name)
    for row in named:
        if target.measure == CLAIMED:
            yield from _livelier(edition, row, kinds)
        elif target.measure in (FOUGHT_OVER, LOCKED_OUT) and DOUBLES in kinds and len(_group(edition, row)) == 1:
            yield _double(edition, row)


def _livelier(edition: Edition, row: int, kinds: frozenset[str]) -> Iterator[Edit]:
    """Yield what makes a dead connection easier or worth more, or leaves less of it."""
    route = edition.routes[row]
    for after in (route.length - 1, route.length + 1) if LENGTHS in kinds else ():  # short is easy, long scores well
        if max(route.locomotives, 1) <= after <= max(other.length for other in edition.routes):
            yield _length(row, after)
    if COLORS in kinds and route.color is not None:
        yield Edit(ROUTES, row, CELL, COLOR, GRAY)
    if DOUBLES in kinds and len(_group(edition, row)) > 1:
        yield Edit(ROUTES, _group(edition, row)[-1], REMOVE)


def _on_the_way(edition: Edition, target: Target, kinds: frozenset[str]) -> Iterator[Edit]:
    """Yield changes of the way between a ticket's ends: easier for a stingy ticket, harder for a generous one."""
    row = next(row for row in range(len(edition.tickets)) if ticket_name(edition, row) == target.name)
    way = routes_on_shortest_paths(edition, roads(len(edition.cities), edition.routes), edition.tickets[row])
    first_of_group = {edition.routes[row].group: row for row in reversed(way)}.values()
    generous = target.value > 0
    most = max(route.length for route in edition.routes)
    for place in sorted(first_of_group, key=lambda row: (-edition.routes[row].length, row))[:PER_TICKET]:
        route, group = edition.routes[place], _group(edition, place)
        after = route.length + (1 if generous else -1)
        is_detour = generous and len(group) > 1  # a longer route beside another that stays as short changes little
        if LENGTHS in kinds and max(route.locomotives, 1) <= after <= most and not is_detour:
            yield _length(place, after)
        if DOUBLES in kinds and generous and len(group) > 1:
            yield Edit(ROUTES, group[-1], REMOVE)
        if DOUBLES in kinds and not generous and len(group) == 1:
            yield _double(edition, place)


def _length(row: int, after: int) -> Edit:
    return Edit(ROUTES, row, CELL, LENGTH, str(after))


def _double(edition: Edition, row: int) -> Edit:
    """Return a second route beside a single one: gray beside gray, else the color that the board has least of."""
    route = edition.routes[row]
    if route.color is None:
        return Edit(ROUTES, row, ADD, COLOR, GRAY)
    spaces: Counter[str] = Counter({color.name: 0 for color in edition.colors})
    for other in edition.routes:
        spaces[color_name(edition, other)] += other.length
    own = color_name(edition, route)
    rarest = min((name for name in spaces if name not in (own, GRAY)), key=lambda name: (spaces[name], name))
    return Edit(ROUTES, row, ADD, COLOR, rarest)


def _group(edition: Edition, row: int) -> list[int]:
    group = edition.routes[row].group
    return [other for other, route in enumerate(edition.routes) if route.group == group]
