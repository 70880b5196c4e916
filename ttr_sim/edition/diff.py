"""The changes between two editions, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ttr_sim.edition.canonical import NOT_CONTENT, route_keys, ticket_keys
from ttr_sim.edition.model import Edition, Passengers

Ends = dict[Any, tuple[str, str]]  # by key, as the file orders them
Facts = Mapping[str, object]
Things = dict[tuple[Any, ...], Facts]

MOST_LISTED = 15  # beyond that, things of a kind that are gone, or new, are only counted
NO_RULES = frozenset((*NOT_CONTENT, "cities", "routes", "tickets"))
WRITTEN_AS = {  # in edition.toml, where the name differs from the Edition's
    "ticket_rules": "tickets",
    "wilds": "wilds.cards",
    "closed_up_to_players": "parallel.closed_up_to_players",
    "source": "from",
    "target": "to",
}


def differences(old: Edition, new: Edition) -> list[str]:
    """One sentence for each change of the map or the rules, not of names, titles or the drawing."""
    cities, routes, tickets, rules = _things(old)
    new_cities, new_routes, new_tickets, new_rules = _things(new)
    # The color is part of a route's key, so a repainted route would be one gone and one new.
    added = [key for key in new_routes if key not in routes]
    repainted: Things = {}
    for key, facts in routes.items():
        twin = next((other for other in added if key not in new_routes and other[:2] == key[:2]), None)
        if twin:
            added.remove(twin)
        repainted[twin or key] = facts
    return [
        *_sentences("city", cities, new_cities),
        *_sentences("route", repainted, new_routes, route_ends(new) | route_ends(old)),
        *_sentences("ticket", tickets, new_tickets, ticket_ends(new) | ticket_ends(old)),
        *_sentences("rule", rules, new_rules),
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


def _things(edition: Edition) -> tuple[Things, Things, Things, Things]:
    """Cities, routes, tickets and rules, each with its facts. A plain key of edition.toml is its own block."""
    cities: Things = {(city.name,): _facts_of(city, "country", "region", "passengers") for city in edition.cities}
    routes: Things = {}
    for key, route in zip(route_keys(edition), edition.routes, strict=True):
        routes[key] = {"color": key[2], **_facts_of(route, "length", "kind", "locomotives", "merchandise")}
    tickets: Things = {}
    for key, ticket in zip(ticket_keys(edition), edition.tickets, strict=True):
        tickets[key] = _facts_of(ticket, "points")
    rules: Things = {}
    for name in (field.name for field in fields(edition) if field.name not in NO_RULES):
        value = getattr(edition, name)
        if name in ("colors", "decks"):
            rules |= {(f"{name}.{entry.name}",): _facts_of(entry) for entry in value}
        # The model holds numbers of colors, a designer reads names.
        elif isinstance(value, Passengers):
            names = tuple(edition.colors[number].name for number in value.colors)
            rules[name,] = {**_facts_of(value), "colors": names}
        elif is_dataclass(value):
            rules[WRITTEN_AS.get(name, name),] = _facts_of(value)
        elif value is not None and value is not False:
            rules[WRITTEN_AS.get(name, name),] = {} if value is True else {"": value}
    return cities, routes, tickets, rules


def _facts_of(thing: Any, *names: str) -> Facts:
    """The named fields of a record, or all of them."""
    names = names or tuple(field.name for field in fields(thing) if field.name != "name")
    return {WRITTEN_AS.get(name, name): getattr(thing, name) for name in names}


def _sentences(kind: str, old: Things, new: Things, ends: Ends | None = None) -> Iterator[str]:
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
                changes.append(f"{fact} {_shown(new[key].get(fact))} instead of {_shown(value)}".strip())
        if changes:
            yield f"{names[key]}: {', '.join(changes)}"
    added = []
    for key in (key for key in new if key not in old):
        facts = [f"{fact} {_shown(value)}".strip() for fact, value in new[key].items() if value is not None]
        added.append(f"{names[key]} is new" + (f": {', '.join(facts)}" if facts else ""))
    yield from added if len(added) <= MOST_LISTED else [f"{len(added)} {plural} are new"]


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {_shown(entry)}" for key, entry in value.items())
    return '""' if value == "" else str(value)
