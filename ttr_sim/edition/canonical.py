"""Line-independent identities of routes and tickets, canonical order, fingerprints, locks, and differences in words.

A route is identified by its ends, its color and its number among the parallel routes of that color, a ticket by its
ends, its deck and its number among equal tickets. Equals are numbered by all their other facts, so that
only indistinguishable ones are numbered by line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from itertools import permutations
from typing import Any

from ttr_sim.edition.map_tables import GRAY
from ttr_sim.edition.model import City, Edition, Route, Ticket
from ttr_sim.edition.schema import Key as SchemaKey
from ttr_sim.edition.schema import blocks_of, keys_of, marked_fields, shown
from ttr_sim.errors import UserError, did_you_mean

Key = tuple[str, str, str, int]  # ends in alphabetical order, color or deck, number among equals
Pair = frozenset[str]

Facts = Mapping[str, object]
Things = dict[tuple[Any, ...], tuple[str, Facts]]

CITY_FACTS = ("country", "region", "passengers", "attraction")
ROUTE_FACTS = ("length", "kind", "locomotives", "merchandise")
MOST_LISTED = 15  # beyond that, things of a kind that are gone, or new, are only counted

DASHES = re.compile("[-\u2010-\u2015]")  # the hyphen, and the dashes that texts have in its place
HEX_DIGITS = 16
NOT_CONTENT = ("name", "title", "provenance", "targets", "fingerprint", "folder", "files")


@dataclass(frozen=True, slots=True)
class Canonical:
    """An edition in canonical order. Each of its cities, routes and tickets as a row of the files."""

    edition: Edition
    city_rows: tuple[int, ...]
    route_rows: tuple[int, ...]
    ticket_rows: tuple[int, ...]


def in_canonical_order(edition: Edition) -> Canonical:
    """Sort cities by name, routes and tickets by identity, and the ends of each by name."""
    identities: tuple[list[Any], ...] = (
        [city.name for city in edition.cities],
        route_keys(edition),
        ticket_keys(edition),
    )
    city_rows, route_rows, ticket_rows = (tuple(sorted(range(len(ids)), key=ids.__getitem__)) for ids in identities)
    places = {row: place for place, row in enumerate(city_rows)}

    # Groups and copies are numbered again in the new order, as if the files had been sorted.
    groups: dict[int, int] = {}
    copies: Counter[int] = Counter()
    routes = []
    for row in route_rows:
        route = edition.routes[row]
        a, b = sorted((places[route.a], places[route.b]))
        group = groups.setdefault(route.group, len(groups))
        routes.append(replace(route, a=a, b=b, group=group, copy=copies[group]))
        copies[group] += 1

    tickets = []
    for row in ticket_rows:
        ticket = edition.tickets[row]
        (a_name, a_cities), (b_name, b_cities) = sorted(((ticket.a, ticket.a_cities), (ticket.b, ticket.b_cities)))
        first, second = (tuple(sorted(places[city] for city in cities)) for cities in (a_cities, b_cities))
        tickets.append(replace(ticket, a=a_name, b=b_name, a_cities=first, b_cities=second))

    cities = tuple(edition.cities[row] for row in city_rows)
    ordered = replace(edition, cities=cities, routes=tuple(routes), tickets=tuple(tickets))
    return Canonical(ordered, city_rows, route_rows, ticket_rows)


def route_ends(edition: Edition) -> list[tuple[str, str]]:
    """Names of the ends in each row of routes.csv."""
    return [(edition.cities[route.a].name, edition.cities[route.b].name) for route in edition.routes]


def route_keys(edition: Edition) -> list[Key]:
    """Identity of each row of routes.csv."""
    rows = zip(route_ends(edition), edition.routes, strict=True)
    kinds = [(*ends, color_name(edition, route)) for ends, route in rows]
    facts = [(route.length, route.kind, route.locomotives, route.merchandise) for route in edition.routes]
    return _numbered(kinds, facts)


def ticket_keys(edition: Edition) -> list[Key]:
    """Identity of each row of tickets.csv."""
    kinds = [(ticket.a, ticket.b, edition.decks[ticket.deck].name) for ticket in edition.tickets]
    return _numbered(kinds, [ticket.points for ticket in edition.tickets])


def color_name(edition: Edition, route: Route) -> str:
    return GRAY if route.color is None else edition.colors[route.color].name


def _numbered(kinds: Sequence[tuple[str, str, str]], facts: Sequence[Any]) -> list[Key]:
    """Number rows of the same ends and kind in the order of their facts."""
    alike = [(min(a, b), max(a, b), kind) for a, b, kind in kinds]
    counts: Counter[tuple[str, str, str]] = Counter()
    numbers = {}
    # Equal rows in another order get equal keys, because only facts decide their numbers.
    for row in sorted(range(len(kinds)), key=lambda row: facts[row]):
        numbers[row] = counts[alike[row]]
        counts[alike[row]] += 1
    return [(*same, numbers[row]) for row, same in enumerate(alike)]


def fingerprint_of(edition: Edition) -> str:
    """Hash the rules and the map, the same however the files are laid out."""
    # Runs store this hash and are refused when it differs: never change it for existing editions.
    content = json.dumps(_without_defaults(edition), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:HEX_DIGITS]


def _without_defaults(value: Any) -> Any:
    """Convert to plain values, without fields at their default: a new key changes no older fingerprint."""
    if is_dataclass(value):
        content = {}
        for field in fields(value):
            entry = getattr(value, field.name)
            is_ignored = isinstance(value, Edition) and field.name in NOT_CONTENT
            if not is_ignored and (field.default is MISSING or entry != field.default):
                content[field.name] = _without_defaults(entry)
        return content
    if isinstance(value, (tuple, list)):
        return [_without_defaults(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _without_defaults(entry) for key, entry in value.items()}
    return value


def known_pairs(cities: Sequence[City], routes: Iterable[Route], tickets: Iterable[Ticket]) -> set[Pair]:
    """Ends of all tickets and routes, in no order."""
    of_routes = {frozenset((cities[route.a].name, cities[route.b].name)) for route in routes}
    return of_routes | {frozenset((ticket.a, ticket.b)) for ticket in tickets}


def find_lock(written: str, decks: Collection[str], pairs: Collection[Pair]) -> str | Pair:
    """Find the deck or the pair of ends that a lock names."""
    if written.strip() in decks:
        return written.strip()
    for dash in DASHES.finditer(written):  # any of them may separate the ends: names have hyphens, too
        pair = frozenset((written[: dash.start()].strip(), written[dash.end() :].strip()))
        if pair in pairs:
            return pair
    known = [*decks, *("–".join(ends) for pair in pairs for ends in permutations(sorted(pair)))]
    raise UserError(
        f"the lock {shown(written)} is neither a deck nor the two ends of a ticket or route, "
        f"as in A–B{did_you_mean(written, known)}"
    )


def locked(edition: Edition, written: Iterable[str]) -> tuple[frozenset[int], frozenset[int]]:
    """Rows of the tickets and of the routes named by these locks and the edition's own."""
    decks = [deck.name for deck in edition.decks]
    pairs = known_pairs(edition.cities, edition.routes, edition.tickets)
    locks = {find_lock(lock, decks, pairs) for lock in (*edition.targets.locked, *written)}
    tickets = (
        row
        for row, ticket in enumerate(edition.tickets)
        if decks[ticket.deck] in locks or frozenset((ticket.a, ticket.b)) in locks
    )
    routes = (row for row, ends in enumerate(route_ends(edition)) if frozenset(ends) in locks)
    return frozenset(tickets), frozenset(routes)


def differences(old: Edition, new: Edition) -> list[str]:
    """One sentence for each change of the map or the rules, not of names, titles or the drawing."""
    before, after = things_of(old), things_of(new)
    # The color is part of a route's key, so a repainted route would be one gone and one new.
    added = [key for key in after["routes"] if key not in before["routes"]]
    routes: Things = {}
    for key, (name, facts) in before["routes"].items():
        twin = next((other for other in added if key not in after["routes"] and other[:2] == key[:2]), None)
        if twin:
            added.remove(twin)
        routes[twin or key] = after["routes"][twin][0] if twin else name, facts
    before["routes"] = routes

    sentences = []
    for plural, old_things in before.items():
        new_things = after[plural]
        gone = [f"{name} is gone" for key, (name, _) in old_things.items() if key not in new_things]
        # A different map takes one line, not hundreds.
        sentences += gone if len(gone) <= MOST_LISTED else [f"{len(gone)} {plural} are gone"]
        for key in (key for key in old_things if key in new_things):
            (name, facts), (_, new_facts) = old_things[key], new_things[key]
            changed = [fact for fact, value in facts.items() if new_facts.get(fact) != value]
            changes = [f"{fact} {written(new_facts.get(fact))} instead of {written(facts[fact])}" for fact in changed]
            if changes:
                sentences.append(f"{name}: {', '.join(changes).strip()}")
        fresh = []
        for name, facts in (thing for key, thing in new_things.items() if key not in old_things):
            listed = [f"{fact} {written(value)}".strip() for fact, value in facts.items() if value is not None]
            fresh.append(f"{name} is new" + (f": {', '.join(listed)}" if listed else ""))
        sentences += fresh if len(fresh) <= MOST_LISTED else [f"{len(fresh)} {plural} are new"]
    return sentences


def renamed_cities(old: Edition, new: Edition) -> list[tuple[str, str]]:
    """Old and new names of cities at the same position under another name."""
    old_names, new_names = ({city.name for city in edition.cities} for edition in (old, new))
    added = {(city.x, city.y): city.name for city in new.cities if city.name not in old_names}
    removed = [city for city in old.cities if city.name not in new_names]
    return [(city.name, added[city.x, city.y]) for city in removed if (city.x, city.y) in added]


def things_of(edition: Edition) -> dict[str, Things]:
    """Name and facts of all cities, routes, tickets and rules. A plain key of edition.toml is its own block."""
    cities: Things = {}
    for city in edition.cities:
        cities[city.name,] = f"city {city.name}", {fact: getattr(city, fact) for fact in CITY_FACTS}
    routes: Things = {}
    for key, ends, route in zip(route_keys(edition), route_ends(edition), edition.routes, strict=True):
        routes[key] = name_of("route", ends, key), {"color": key[2]} | {f: getattr(route, f) for f in ROUTE_FACTS}
    tickets: Things = {}
    for key, ticket in zip(ticket_keys(edition), edition.tickets, strict=True):
        tickets[key] = name_of("ticket", (ticket.a, ticket.b), key), {"points": ticket.points}

    plain = {name: getattr(edition, name) for name in keys_of(Edition) if name not in NOT_CONTENT}
    rules: dict[str, Facts] = {name: {"": value} for name, value in plain.items() if value is not None}
    for name, (field, block) in blocks_of(Edition).items():
        value = getattr(edition, field)
        if block.named:
            rules |= {f"{name}.{entry.name}": facts_of(entry) for entry in value}
        elif is_dataclass(value) and field not in NOT_CONTENT:
            rules[name] = facts_of(value)
        elif isinstance(value, int) and value is not False:
            rules[".".join((name, *block.keys))] = {} if value is True else {"": value}
    if edition.passengers:  # the model holds numbers of colors, a designer reads names
        names = tuple(edition.colors[number].name for number in edition.passengers.colors)
        rules["passengers"] = {**rules["passengers"], "colors": names}
    by_key: Things = {(name,): (name, facts) for name, facts in rules.items()}
    return {"cities": cities, "routes": routes, "tickets": tickets, "rules": by_key}


def name_of(kind: str, ends: tuple[str, str], key: Key) -> str:
    number = f", no. {key[3] + 1}" if key[3] else ""
    return f"{kind} {'–'.join(ends)} ({key[2]}{number})"


def facts_of(record: object) -> Facts:
    """Values of the keys that a record of rules has in edition.toml."""
    cls: Any = type(record)
    return {key.name or name: getattr(record, name) for name, key in marked_fields(cls, SchemaKey).items()}


def written(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {written(entry)}" for key, entry in value.items())
    return '""' if value == "" else str(value)
