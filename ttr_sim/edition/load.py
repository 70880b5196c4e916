"""Edition folders: find one by name, check it, load it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from ttr_sim.edition.canonical import fingerprint_of
from ttr_sim.edition.checks import check_map, check_rules, check_together
from ttr_sim.edition.map_tables import MapTables, color_key, numbered, read_cities, read_routes, read_tickets
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE, FILE_ORDER, RULES_FILE, Problems, decode, read_bytes
from ttr_sim.edition.rules import Rules, read_rules
from ttr_sim.edition.schema import blocks_of, keys_of
from ttr_sim.errors import UserError, did_you_mean, not_a_folder

PACKAGED = Path(__file__).parents[1] / "data"
CHECKOUT = Path(__file__).parents[2] / "data"
SKELETON = Path(__file__).parent / "skeleton"  # the start of `new --empty`
OFFICIAL_ORDER = ("usa", "europe", "germany", "amsterdam", "first_journey", "new_york", "london", "india")


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


def check_folder(path: Path) -> Problems:
    """Collect every error and warning of a folder."""
    problems = Problems()
    rules, tables, files = read_folder(path, {}, problems)
    if rules is not None and not problems.errors:
        from ttr_sim.edition.advice import advise  # compares with the official editions, which are loaded from here

        advise(build_edition(rules, tables, path, files), rules, tables, problems)
    return problems


def load_edition(name_or_folder: str | Path, overrides: Mapping[str, str] | None = None) -> Edition:
    """Load an edition, with dotted keys set to TOML values. All its errors are one UserError."""
    folder = find_folder(name_or_folder)
    problems = Problems()
    rules, tables, files = read_folder(folder, overrides or {}, problems)
    problems.refuse(f"the edition {folder} cannot be played")
    assert rules is not None, "else its file has errors"
    return build_edition(rules, tables, folder, files)


def as_typed(edition: Edition) -> str:
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


def read_folder(
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
    known = {name: numbered(rules.values[name]) for name in ("colors", "decks") if rules and name in rules.values}
    read_cities(texts.get("cities.csv"), tables, problems)
    read_routes(texts.get("routes.csv"), known.get("colors"), tables, problems)
    read_tickets(texts.get("tickets.csv"), known.get("decks"), tables, problems)
    check_map(tables, problems)
    if rules is not None:
        check_rules(rules)
        check_together(rules, tables, problems)
    return rules, tables, files


def build_edition(rules: Rules, tables: MapTables, folder: Path, files: Mapping[str, bytes]) -> Edition:
    """Combine rules and map of a folder without errors. A column without its block plays no part."""
    values = {name: key.load(rules.values[name]) for name, key in keys_of(Edition).items()}
    for name, (field, block) in blocks_of(Edition).items():
        values[field] = block.load(rules.get(name))
    if passengers := values["passengers"]:
        # They name colors of the cards, in any spelling of their case.
        numbers = numbered(color_key(color.name) for color in values["colors"])
        chosen = tuple(numbers[color_key(name)] for name in passengers.colors)
        values["passengers"] = replace(passengers, colors=chosen)
    plain = {kind for kind, block in (("tunnel", "tunnels"), ("ferry", "ferries")) if not values[block]}
    routes = []
    for route in tables.routes:
        played = replace(route, kind="plain", locomotives=0) if route.kind in plain else route
        routes.append(played if values["merchandise"] else replace(played, merchandise=False))
    edition = Edition(
        **values,
        cities=tuple(
            replace(
                city,
                passengers=city.passengers if passengers else 0,
                attraction=city.attraction and values["attractions"] is not None,
            )
            for city in tables.cities
        ),
        routes=tuple(routes),
        tickets=tuple(tables.tickets),
        fingerprint="",
        folder=folder,
        files=files,
    )
    return replace(edition, fingerprint=fingerprint_of(edition))
