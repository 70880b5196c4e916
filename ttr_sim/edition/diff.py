"""What changed between two editions, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from ttr_sim.edition.canonical import route_keys, ticket_keys
from ttr_sim.edition.fingerprint import NOT_CONTENT, TEXTS
from ttr_sim.edition.model import Edition, Passengers

Ends = dict[Any, tuple[str, str]]  # by key, as the file orders them
Facts = Mapping[str, object]
Things = Mapping[tuple[Any, ...], Facts]

MOST_LISTED = 15  # beyond that, things of a kind that are gone, or new, are only counted
CITY_FACTS = ("country", "region", "passengers")
ROUTE_FACTS = ("length", "kind", "locomotives", "merchandise")
NO_RULES = frozenset((*TEXTS, *NOT_CONTENT, "cities", "routes", "tickets"))
WRITTEN_AS = {  # in edition.toml, where the name differs from the Edition's
    "ticket_rules": "tickets",
    "wilds": "wilds.cards",
    "closed_up_to_players": "parallel.closed_up_to_players",
    "source": "from",
    "target": "to",
}


def differences(old: Edition, new: Edition) -> list[str]:
    """Return a sentence for each change of cities, routes, tickets and rules, not of names, titles or the drawing."""
    routes, new_routes = _routes(old), _routes(new)
    return [
        *_sentences("city", _cities(old), _cities(new)),
        *_sentences("route", _repainted(routes, new_routes), new_routes, route_ends(new) | route_ends(old)),
        *_sentences("ticket", _tickets(old), _tickets(new), ticket_ends(new) | ticket_ends(old)),
        *_sentences("rule", _rules(old), _rules(new)),
    ]


def route_ends(edition: Edition) -> Ends:
    """Return the ends of each route by its key, in the file's order."""
    names = [city.name for city in edition.cities]
    pairs = ((names[route.a], names[route.b]) for route in edition.routes)
    return dict(zip(route_keys(edition), pairs, strict=True))


def ticket_ends(edition: Edition) -> Ends:
    """Return the ends of each ticket by its key, in the file's order."""
    pairs = ((ticket.a, ticket.b) for ticket in edition.tickets)
    return dict(zip(ticket_keys(edition), pairs, strict=True))


def renamed_cities(old: Edition, new: Edition) -> list[tuple[str, str]]:
    """Return the old and the new name of each city that stands where it stood under another name."""
    names = {city.name for city in old.cities}
    came = {(city.x, city.y): city.name for city in new.cities if city.name not in names}
    stayed = {city.name for city in new.cities}
    gone = [city for city in old.cities if city.name not in stayed]
    return [(city.name, came[city.x, city.y]) for city in gone if (city.x, city.y) in came]


def _cities(edition: Edition) -> Things:
    return {(city.name,): _facts(city, CITY_FACTS) for city in edition.cities}


def _routes(edition: Edition) -> Things:
    return {
        key: {"color": key[2], **_facts(route, ROUTE_FACTS)}
        for key, route in zip(route_keys(edition), edition.routes, strict=True)
    }


def _tickets(edition: Edition) -> Things:
    keyed = zip(ticket_keys(edition), edition.tickets, strict=True)
    return {key: {"points": ticket.points} for key, ticket in keyed}


def _rules(edition: Edition) -> Things:
    """Return keys and values by block of edition.toml; a plain key is its own block."""
    rules: dict[tuple[str], Facts] = {}
    for name in (field.name for field in fields(edition) if field.name not in NO_RULES):
        value = getattr(edition, name)
        if name in ("colors", "decks"):
            rules |= {(f"{name}.{entry.name}",): _facts_of(entry) for entry in value}
        elif isinstance(value, Passengers):
            names = tuple(edition.colors[number].name for number in value.colors)
            rules[name,] = {**_facts_of(value), "colors": names}
        elif is_dataclass(value):
            rules[WRITTEN_AS.get(name, name),] = _facts_of(value)
        elif value is not None and value is not False:
            rules[WRITTEN_AS.get(name, name),] = {} if value is True else {"": value}
    return rules


def _facts_of(block: Any) -> dict[str, object]:
    facts = {WRITTEN_AS.get(field.name, field.name): getattr(block, field.name) for field in fields(block)}
    return {name: value for name, value in facts.items() if name != "name"}


def _repainted(old: Things, new: Things) -> Things:
    """Return the old routes, with those that only changed color under the new route's key."""
    come = [key for key in new if key not in old]
    routes: dict[tuple[Any, ...], Facts] = {}
    for key, facts in old.items():
        twin = next((other for other in come if key not in new and other[:2] == key[:2]), None)
        if twin:
            come.remove(twin)
        routes[twin or key] = facts
    return routes


def _sentences(kind: str, old: Things, new: Things, ends: Ends | None = None) -> Iterator[str]:
    names = {key: _named(kind, key, (ends or {}).get(key)) for key in (*old, *new)}
    yield from _counted(kind, "gone", [f"{names[key]} is gone" for key in old if key not in new])
    for key in (key for key in old if key in new):
        if changes := ", ".join(_changes(old[key], new[key])):
            yield f"{names[key]}: {changes}"
    yield from _counted(kind, "new", [_introduced(names[key], new[key]) for key in new if key not in old])


def _counted(kind: str, what: str, sentences: list[str]) -> list[str]:
    """Count the sentences when there are many: a different map takes one line, not hundreds."""
    plural = "cities" if kind == "city" else f"{kind}s"
    return sentences if len(sentences) <= MOST_LISTED else [f"{len(sentences)} {plural} are {what}"]


def _changes(old: Facts, new: Facts) -> Iterator[str]:
    for name, value in old.items():
        if new.get(name) != value:
            yield f"{name} {_shown(new.get(name))} instead of {_shown(value)}".strip()


def _introduced(name: str, facts: Facts) -> str:
    listed = ", ".join(f"{name} {_shown(value)}".strip() for name, value in facts.items() if value is not None)
    return f"{name} is new" + (f": {listed}" if listed else "")


def _named(kind: str, key: tuple[Any, ...], ends: tuple[str, str] | None) -> str:
    if kind == "rule":
        return str(key[0])
    if ends is None:
        return f"{kind} {key[0]}"
    number = f", no. {key[3] + 1}" if key[3] else ""
    return f"{kind} {ends[0]}–{ends[1]} ({key[2]}{number})"


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {_shown(entry)}" for key, entry in value.items())
    return f'"{value}"' if value == "" else str(value)


def _facts(thing: object, names: Sequence[str]) -> dict[str, object]:
    return {name: getattr(thing, name) for name in names}
