"""Edition folders: find one by name, check it, load it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from ttr_sim.edition import model
from ttr_sim.edition.canonical import fingerprint_of
from ttr_sim.edition.checks import check_map, check_rules, check_together
from ttr_sim.edition.map_tables import MapTables, color_key, numbered, read_cities, read_routes, read_tickets
from ttr_sim.edition.problems import BOTS_FILE, FILE_ORDER, RULES_FILE, CheckResult, Problems, decode, read_bytes
from ttr_sim.edition.rules import BLOCKS, Rules, read_rules
from ttr_sim.errors import UserError, did_you_mean, not_a_folder

PACKAGED = Path(__file__).parents[1] / "data"
CHECKOUT = Path(__file__).parents[2] / "data"
SKELETON = Path(__file__).parent / "skeleton"  # the start of `new --empty`
OFFICIAL_ORDER = ("usa", "europe", "germany", "amsterdam", "first_journey")
BLOCK_OF_KIND = {"tunnel": "tunnels", "ferry": "ferries"}
RECORDS = {  # blocks whose keys are the fields of a record
    "row": model.RowRules,
    "longest_path": model.LongestPath,
    "globetrotter": model.Globetrotter,
    "stations": model.Stations,
    "tunnels": model.Tunnels,
    "instant_tickets": model.InstantTickets,
}


@cache
def data_folder() -> Path:
    """Folder of the official editions and variants: in the installed package, or in the checkout."""
    return PACKAGED if PACKAGED.is_dir() else CHECKOUT


@cache
def variants() -> dict[str, str]:
    """Editions that are an official one with other tickets or rules, each with its base."""
    bases = {}
    for file in sorted(data_folder().glob(f"*/{RULES_FILE}")):
        try:
            base = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("variant_of")
        except (OSError, ValueError):  # being edited; its problems are reported where the edition is loaded
            continue
        if base is not None:
            bases[file.parent.name] = base
    return bases


def official_names() -> tuple[str, ...]:
    found = {path.parent.name for path in data_folder().glob(f"*/{RULES_FILE}")}.difference(variants())
    known = [name for name in OFFICIAL_ORDER if name in found]
    return (*known, *sorted(found.difference(known)))


def edition_names() -> tuple[str, ...]:
    """All names of editions: the official ones, then their variants."""
    return (*official_names(), *variants())


def known_name(name_or_folder: str) -> str:
    """Spell the name of an edition as it is known (`USA` is usa), unless a folder is called so."""
    known = {name.casefold(): name for name in edition_names()}
    name = known.get(name_or_folder.casefold(), name_or_folder)
    return name_or_folder if name != name_or_folder and Path(name_or_folder).exists() else name


def find_folder(name_or_folder: str | Path) -> Path:
    """Find the folder of an official edition, of a variant or of a path."""
    names = edition_names()
    if isinstance(name_or_folder, str) and (name := known_name(name_or_folder)) in names:
        return data_folder() / name
    folder = Path(name_or_folder)
    try:
        is_folder, is_file = bool(name_or_folder) and folder.is_dir(), folder.is_file()
    except OSError:  # a name that is too long, or a parent folder without permission
        is_folder = is_file = False
    if is_folder:
        if (folder / "run.json").is_file():
            raise UserError(f"{folder} is a run, not an edition; the edition it played is {folder / 'edition'}")
        return folder
    if is_file:
        raise not_a_folder(folder)
    own = sorted(file.parent.name for file in Path().glob(f"*/{RULES_FILE}"))
    raise UserError(
        f'there is no edition or folder "{name_or_folder}"{did_you_mean(str(name_or_folder), (*own, *names))}; '
        f"the editions are {', '.join(names)}"
    )


def check_folder(path: Path) -> CheckResult:
    """Collect every error and warning of a folder."""
    problems = Problems()
    rules, tables, files = _read(path, {}, problems)
    if rules is not None and not problems.errors:
        from ttr_sim.edition.advice import advise  # compares with the official editions, which are loaded from here

        advise(_build(rules, tables, path, files), rules, tables, problems)
    return problems.result()


def load_edition(name_or_folder: str | Path, overrides: Mapping[str, str] | None = None) -> model.Edition:
    """Load an edition, with dotted keys set to TOML values. All its errors are one UserError."""
    folder = find_folder(name_or_folder)
    problems = Problems()
    rules, tables, files = _read(folder, overrides or {}, problems)
    if rules is None or problems.errors:
        errors = [str(error) for error in problems.result().errors]
        lines = f" {errors[0]}" if len(errors) == 1 else "".join(f"\n  {error}" for error in errors)
        raise UserError(f"the edition {folder} cannot be played:{lines}")
    return _build(rules, tables, folder, files)


def as_typed(edition: model.Edition) -> str:
    """Name or folder of an edition as a user types it. FOLDER where only a run's copy is known."""
    folder = edition.folder
    # A run keeps a copy of its edition, and the path of that copy would be odd to type again.
    if folder.parent == data_folder():
        return folder.name
    if not (folder.parent / "run.json").is_file():
        return str(folder)
    try:
        is_known = load_edition(edition.name).fingerprint == edition.fingerprint
    except UserError:
        is_known = False
    return edition.name if is_known else "FOLDER"


def _read(
    folder: Path, overrides: Mapping[str, str], problems: Problems
) -> tuple[Rules | None, MapTables, dict[str, bytes]]:
    """Read and check all files of a folder. Broken ones leave gaps and problems."""
    names = (*FILE_ORDER, BOTS_FILE) if (folder / BOTS_FILE).exists() else FILE_ORDER
    contents = {name: read_bytes(folder / name, problems) for name in names}
    files = {name: data for name, data in contents.items() if data is not None}
    texts = {name: decode(data, name, problems) for name, data in files.items()}
    rules = None if (text := texts.get(RULES_FILE)) is None else read_rules(text, overrides, problems)

    # A broken edition.toml still lets the tables be read, only colors and decks stay unchecked.
    tables = MapTables()
    colors = numbered(rules["colors"]) if rules and "colors" in rules else None
    decks = numbered(rules["decks"]) if rules and "decks" in rules else None
    if (text := texts.get("cities.csv")) is not None:
        read_cities(text, tables, problems)
    if (text := texts.get("routes.csv")) is not None:
        read_routes(text, colors, tables, problems)
    if (text := texts.get("tickets.csv")) is not None:
        read_tickets(text, decks, tables, problems)
    check_map(tables, problems)
    if rules is not None:
        check_rules(rules)
        check_together(rules, tables, problems)
    return rules, tables, files


def _build(rules: Rules, tables: MapTables, folder: Path, files: Mapping[str, bytes]) -> model.Edition:
    """Combine rules and map of a folder without errors. A column without its block plays no part."""
    values = rules.values
    colors = tuple(model.Color(name, **color) for name, color in values["colors"].items())
    passengers = merchandise = bonus_ticket = None
    if block := values.get("passengers"):
        # Passengers name colors of the cards, in any spelling of their case.
        numbers = {color_key(color.name): number for number, color in enumerate(colors)}
        passengers = model.Passengers(**block | {"colors": tuple(numbers[color_key(name)] for name in block["colors"])})
    if block := values.get("merchandise"):
        points = {int(players): tuple(ranks) for players, ranks in block["points"].items()}
        merchandise = model.Merchandise(block["cards"], points)
    if block := values.get("bonus_ticket"):
        bonus_ticket = model.BonusTicket(block["from"], block["to"], block["count"])
    routes = []
    for route in tables.routes:
        is_absent = route.kind != "plain" and BLOCK_OF_KIND[route.kind] not in values
        played = replace(route, kind="plain", locomotives=0) if is_absent else route
        routes.append(played if merchandise else replace(played, merchandise=False))
    tickets = values["tickets"]
    targets = values.get("targets") or {name: key.default for name, key in BLOCKS["targets"].items()}
    edition = model.Edition(
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
        wilds=rules.get("wilds", "cards") or 0,
        closed_up_to_players=rules.get("parallel", "closed_up_to_players") or 0,
        decks=tuple(model.Deck(name, deck["deal"] or 0, deck["draw"] or 0) for name, deck in values["decks"].items()),
        ticket_rules=model.TicketRules(
            **tickets | {total: tickets[total] or 0 for total in ("deal_total", "draw_total")}
        ),
        end=model.End(**values["end"]),
        **{name: record(**values[name]) if name in values else None for name, record in RECORDS.items()},
        ferries="ferries" in values,
        passengers=passengers,
        merchandise=merchandise,
        bonus_ticket=bonus_ticket,
        cities=tuple(city if passengers else replace(city, passengers=0) for city in tables.cities),
        routes=tuple(routes),
        tickets=tuple(tables.tickets),
        targets=model.Targets(**targets | {"locked": tuple(targets["locked"])}),
        fingerprint="",
        folder=folder,
        files=files,
    )
    return replace(edition, fingerprint=fingerprint_of(edition))
