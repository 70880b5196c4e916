"""Make an edition folder from the editor's files, with rules from an edition or from defaults."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from ttr_sim.edition.load import load_edition
from ttr_sim.edition.map_editor.format import LONG
from ttr_sim.edition.map_editor.layout import with_positions
from ttr_sim.edition.map_editor.reading import CityLine, MapLines, RouteLine, TicketLine, read_map
from ttr_sim.edition.map_editor.sheets import read_tables
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE, RULES_FILE, Problems
from ttr_sim.edition.toml_positions import key_places, replaced
from ttr_sim.edition.write import toml_value, write_folder
from ttr_sim.errors import UserError

DEFAULT_RULES = "usa"
LONG_SCORES = (1, 2, 4, 7, 10, 15, 18, 21)  # the printed scores, for maps with routes longer than the default's
LONG_DECK = "\n[decks.long]\ndeal = 1\ndraw = 0                                 # the long tickets come at setup only\n"
TUNNELS = "\n[tunnels]\nreveal = 3                               # cards turned up for every tunnel\n"
FERRIES = "\n[ferries]                                # routes that ask for wilds: `locomotives` in routes.csv\n"
FROM_FILES = "Read from files of the map editor; edited by you."


def import_map(sources: Sequence[Path], base: Edition | None, folder: Path) -> list[str]:
    """Write an edition folder and return in sentences what the files did not hold and where it came from."""
    tables = read_tables(sources)
    _refuse_errors(tables.problems)
    lines = read_map(tables, base)
    _refuse_errors(tables.problems)
    _refuse_missing(lines, base)
    if lines.cities is not None:
        lines.cities = with_positions(lines.cities, lines.routes or _routes_of(base), lines.notes)
    rules = base or load_edition(DEFAULT_RULES)
    write_folder(rules, folder)
    (folder / BOTS_FILE).unlink(missing_ok=True)  # tuned for another map
    _write_map(lines, folder)
    _change_rules(folder / RULES_FILE, lines, base)
    return [*lines.notes, _about_rules(base, lines)]


def _refuse_errors(problems: Problems) -> None:
    errors = [str(error) for error in problems.errors]
    if len(errors) == 1:
        raise UserError(f"the map cannot be read: {errors[0]}")
    if errors:
        raise UserError("\n".join(["the map cannot be read:", *(f"  {error}" for error in errors)]))


def _refuse_missing(lines: MapLines, base: Edition | None) -> None:
    for name, found in (("routes", lines.routes), ("tickets", lines.tickets)):
        if found is None and base is None:
            raise UserError(f"no file holds {name}; name one with --from, or an edition whose {name} are to be kept")
    if lines.cities is None and lines.routes is None and lines.tickets is None:
        raise UserError("no file holds stops, routes or tickets")


def _routes_of(base: Edition | None) -> list[RouteLine]:
    if base is None:
        return []
    cities = base.cities
    return [RouteLine(cities[r.a].name, cities[r.b].name, r.length, "", r.kind, 0, 0) for r in base.routes]


def _write_map(lines: MapLines, folder: Path) -> None:
    if lines.cities is not None:
        _write(folder / "cities.csv", _city_rows(lines.cities))
    if lines.routes is not None:
        _write(folder / "routes.csv", _route_rows(lines.routes))
    if lines.tickets is not None:
        _write(folder / "tickets.csv", _ticket_rows(lines.tickets))


def _write(path: Path, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def _city_rows(lines: Sequence[CityLine]) -> Iterable[Sequence[object]]:
    """Yield headings and rows, without the columns that are empty throughout."""
    own = [name for name in ("country", "region", "passengers") if any(getattr(line, name) for line in lines)]
    yield ("name", "x", "y", *own)
    for line in lines:
        x, y = line.at or (0.0, 0.0)
        yield (line.name, x, y, *(getattr(line, name) for name in own))


def _route_rows(lines: Sequence[RouteLine]) -> Iterable[Sequence[object]]:
    own = ["merchandise"] if any(line.merchandise for line in lines) else []
    yield ("from", "to", "length", "color", "kind", "locomotives", *own)
    for line in lines:
        row = (line.source, line.target, line.length, line.color, line.kind, line.locomotives)
        yield (*row, line.merchandise) if own else row


def _ticket_rows(lines: Sequence[TicketLine]) -> Iterable[Sequence[object]]:
    yield ("from", "to", "points", "deck")
    for line in lines:
        yield (line.source, line.target, line.points, line.deck)


def _change_rules(path: Path, lines: MapLines, base: Edition | None) -> None:
    """Say where the map came from; default rules also get what the map asks for."""
    text = path.read_text(encoding="utf-8-sig")
    if ("provenance",) in key_places(text):
        text = replaced(text, ("provenance",), toml_value(FROM_FILES))
    path.write_text(text if base else _fitted(text, lines), encoding="utf-8")


def _fitted(text: str, lines: MapLines) -> str:
    """Return default rules with the blocks, scores and number of players that a map needs."""
    rules = load_edition(DEFAULT_RULES)
    routes, tickets = lines.routes or [], lines.tickets or []
    kinds = {route.kind for route in routes}
    if max(route.length for route in routes) > len(rules.route_scores or ()):
        text = replaced(text, ("route_scores",), toml_value(list(LONG_SCORES)))
    players = min(rules.players[1], _full_tables(rules, tickets))
    if players < rules.players[1]:
        text = replaced(text, ("players",), toml_value([rules.players[0], players]))
    if any(ticket.deck == LONG for ticket in tickets):
        text += LONG_DECK
    return text + (TUNNELS if "tunnel" in kinds else "") + (FERRIES if "ferry" in kinds else "")


def _full_tables(rules: Edition, tickets: Sequence[TicketLine]) -> int:
    """Return how many players setup can deal to, and the fewest of the rules when it cannot even do that."""
    long = sum(ticket.deck == LONG for ticket in tickets)
    players = (len(tickets) - long) // rules.decks[0].deal
    return max(rules.players[0], min(players, long) if long else players)


def _about_rules(base: Edition | None, lines: MapLines) -> str:
    """Return what filled the place of rules and of all else that the editor does not hold."""
    if base is None:
        kinds = {route.kind for route in lines.routes or ()}
        added = [words for kind, words in (("tunnel", "tunnels"), ("ferry", "ferries")) if kind in kinds]
        added += ["a long deck"] if any(ticket.deck == LONG for ticket in lines.tickets or ()) else []
        also = f" with {', '.join(added)} added" if added else ""
        return f"The files hold no rules: edition.toml is that of {DEFAULT_RULES}{also}; --from EDITION brings others."
    features = (
        ("countries", any(city.country for city in base.cities)),
        ("regions", any(city.region for city in base.cities)),
        ("passengers", any(city.passengers for city in base.cities)),
        ("merchandise", any(route.merchandise for route in base.routes)),
    )
    carried = ", ".join(words for words, present in features if present)
    also = f", and so are {carried} of cities and routes that it has too" if carried else ""
    return f"The files hold no rules: edition.toml is that of {base.name}{also}."
