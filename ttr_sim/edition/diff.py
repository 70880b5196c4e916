"""The changes between two editions, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any

from ttr_sim.edition.canonical import NOT_CONTENT, route_keys, ticket_keys
from ttr_sim.edition.model import Edition
from ttr_sim.edition.schema import Key, blocks_of, keys_of, marked_fields

Ends = dict[Any, tuple[str, str]]  # by key, as the file orders them
Facts = Mapping[str, object]
Things = dict[tuple[Any, ...], Facts]

CITY_FACTS = ("country", "region", "passengers")
ROUTE_FACTS = ("length", "kind", "locomotives", "merchandise")
MOST_LISTED = 15  # beyond that, things of a kind that are gone, or new, are only counted


def differences(old: Edition, new: Edition) -> list[str]:
    """One sentence for each change of the map or the rules, not of names, titles or the drawing."""
    cities, routes, tickets, rules = things_of(old)
    new_cities, new_routes, new_tickets, new_rules = things_of(new)
    # The color is part of a route's key, so a repainted route would be one gone and one new.
    added = [key for key in new_routes if key not in routes]
    repainted: Things = {}
    for key, facts in routes.items():
        twin = next((other for other in added if key not in new_routes and other[:2] == key[:2]), None)
        if twin:
            added.remove(twin)
        repainted[twin or key] = facts
    return [
        *sentences("city", cities, new_cities),
        *sentences("route", repainted, new_routes, route_ends(new) | route_ends(old)),
        *sentences("ticket", tickets, new_tickets, ticket_ends(new) | ticket_ends(old)),
        *sentences("rule", rules, new_rules),
    ]


def route_ends(edition: Edition) -> Ends:
    """Ends of each route by its key, in the file's order."""
    names = [city.name for city in edition.cities]
    pairs = ((names[route.a], names[route.b]) for route in edition.routes)
    return dict(zip(route_keys(edition), pairs, strict=True))


def ticket_ends(edition: Edition) -> Ends:
    """Ends of each ticket by its key, in the file's order."""
    pairs = ((ticket.a, ticket.b) for ticket in edition.tickets)
    return dict(zip(ticket_keys(edition), pairs, strict=True))


def renamed_cities(old: Edition, new: Edition) -> list[tuple[str, str]]:
    """Old and new names of cities at the same position under another name."""
    old_names, new_names = ({city.name for city in edition.cities} for edition in (old, new))
    added = {(city.x, city.y): city.name for city in new.cities if city.name not in old_names}
    removed = [city for city in old.cities if city.name not in new_names]
    return [(city.name, added[city.x, city.y]) for city in removed if (city.x, city.y) in added]


def things_of(edition: Edition) -> tuple[Things, Things, Things, Things]:
    """Cities, routes, tickets and rules, each with its facts. A plain key of edition.toml is its own block."""
    cities: Things = {(city.name,): {name: getattr(city, name) for name in CITY_FACTS} for city in edition.cities}
    routes: Things = {}
    for key, route in zip(route_keys(edition), edition.routes, strict=True):
        routes[key] = {"color": key[2], **{name: getattr(route, name) for name in ROUTE_FACTS}}
    tickets: Things = {}
    for key, ticket in zip(ticket_keys(edition), edition.tickets, strict=True):
        tickets[key] = {"points": ticket.points}
    plain = {name: getattr(edition, name) for name in keys_of(Edition) if name not in NOT_CONTENT}
    rules: Things = {(name,): {"": value} for name, value in plain.items() if value is not None}
    for name, (field, block) in blocks_of(Edition).items():
        value = getattr(edition, field)
        if block.named:
            rules |= {(f"{name}.{entry.name}",): facts_of(entry) for entry in value}
        elif is_dataclass(value) and field not in NOT_CONTENT:
            rules[name,] = facts_of(value)
        elif isinstance(value, int) and value is not False:
            rules[".".join((name, *block.keys)),] = {} if value is True else {"": value}
    if edition.passengers:  # the model holds numbers of colors, a designer reads names
        names = tuple(edition.colors[number].name for number in edition.passengers.colors)
        rules["passengers",] = {**rules["passengers",], "colors": names}
    return cities, routes, tickets, rules


def facts_of(record: object) -> Facts:
    """Values of the keys that a record of rules has in edition.toml."""
    cls: Any = type(record)
    keys = marked_fields(cls, Key)
    return {key.name or name: getattr(record, name) for name, key in keys.items()}


def sentences(kind: str, old: Things, new: Things, ends: Ends | None = None) -> Iterator[str]:
    names = {}
    for key in (*old, *new):
        names[key] = str(key[0]) if kind == "rule" else f"{kind} {key[0]}"
        if ends:
            number = f", no. {key[3] + 1}" if key[3] else ""
            names[key] = f"{kind} {ends[key][0]}–{ends[key][1]} ({key[2]}{number})"
    plural = "cities" if kind == "city" else f"{kind}s"
    gone = [f"{names[key]} is gone" for key in old if key not in new]
    # A different map takes one line, not hundreds.
    yield from gone if len(gone) <= MOST_LISTED else [f"{len(gone)} {plural} are gone"]
    for key in old:
        changes = []
        for fact, value in old[key].items() if key in new else ():
            if new[key].get(fact) != value:
                changes.append(f"{fact} {written(new[key].get(fact))} instead of {written(value)}".strip())
        if changes:
            yield f"{names[key]}: {', '.join(changes)}"
    added = []
    for key in (key for key in new if key not in old):
        facts = [f"{fact} {written(value)}".strip() for fact, value in new[key].items() if value is not None]
        added.append(f"{names[key]} is new" + (f": {', '.join(facts)}" if facts else ""))
    yield from added if len(added) <= MOST_LISTED else [f"{len(added)} {plural} are new"]


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
