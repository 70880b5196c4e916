"""Edition folders: find one by name, check it, load it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from ttr_sim.edition import limits
from ttr_sim.edition.board import (
    CITY_COLUMNS,
    ROUTE_COLUMNS,
    TICKET_COLUMNS,
    Board,
    numbered,
    read_cities,
    read_routes,
    read_tickets,
)
from ttr_sim.edition.board_checks import check_board, check_together
from ttr_sim.edition.build import build
from ttr_sim.edition.files import decode, read_bytes
from ttr_sim.edition.map_advice import advise_on_map
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE, FILE_ORDER, RULES_FILE, CheckResult, Problem, Problems
from ttr_sim.edition.rule_advice import advise_on_rules
from ttr_sim.edition.rule_checks import check_rules
from ttr_sim.edition.rules import Rules, read_rules
from ttr_sim.edition.table import CsvTable, read_table
from ttr_sim.errors import UserError, did_you_mean, not_a_folder

PACKAGED = Path(__file__).parents[1] / "data"
CHECKOUT = Path(__file__).parents[2] / "data"
SKELETON = Path(__file__).parent / "skeleton"  # what `new --empty` starts from
OFFICIAL_ORDER = ("usa", "europe", "germany", "amsterdam", "first_journey")


@cache
def data_folder() -> Path:
    """Return where the official editions and their variants are: in the installed package, or in the checkout."""
    return PACKAGED if PACKAGED.is_dir() else CHECKOUT


@cache
def variants() -> dict[str, str]:
    """Return the editions that are an official one with other tickets or rules, and which one."""
    bases = {file.parent.name: _variant_of(file) for file in sorted(data_folder().glob(f"*/{RULES_FILE}"))}
    return {name: base for name, base in bases.items() if base is not None}


def _variant_of(file: Path) -> str | None:
    try:
        base: str | None = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("variant_of")
    except (OSError, ValueError):  # somebody edits the file; its problems are reported where the edition is loaded
        return None
    return base


def official_names() -> tuple[str, ...]:
    found = {path.parent.name for path in data_folder().glob(f"*/{RULES_FILE}")}.difference(variants())
    known = [name for name in OFFICIAL_ORDER if name in found]
    return (*known, *sorted(found.difference(known)))


def edition_names() -> tuple[str, ...]:
    """Return all names that stand for an edition: the official ones, then their variants."""
    return (*official_names(), *variants())


def find_folder(name_or_folder: str | Path) -> Path:
    """Return the folder of an official edition, of a variant or of a path."""
    names = edition_names()
    if name_or_folder in names:
        return data_folder() / name_or_folder
    folder = Path(name_or_folder)
    if name_or_folder and _holds(folder.is_dir):
        if (folder / "run.json").is_file():
            raise UserError(f"{folder} is a run, not an edition; the edition it played is {folder / 'edition'}")
        return folder
    if _holds(folder.is_file):
        raise not_a_folder(folder)
    raise UserError(
        f'there is no edition or folder "{name_or_folder}"{did_you_mean(str(name_or_folder), names)}; '
        f"the editions are {', '.join(names)}"
    )


def _holds(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except OSError:  # a name that is too long, or a parent folder without permission
        return False


def check_folder(path: Path) -> CheckResult:
    """Return every error and warning of a folder."""
    from ttr_sim.edition.statics.advice import advise_on_statics  # which loads the official editions from here

    problems = Problems()
    edition = _read(path, {}, problems)
    if edition is not None:
        advise_on_statics(edition, problems)
    return problems.result()


def load_edition(name_or_folder: str | Path, overrides: Mapping[str, str] | None = None) -> Edition:
    """Return the edition of a name or folder, with dotted keys set to TOML values; all its errors are one UserError."""
    folder = find_folder(name_or_folder)
    problems = Problems()
    edition = _read(folder, overrides or {}, problems)
    if edition is None:
        raise UserError(_refusal(folder, problems.result().errors))
    return edition


def as_typed(edition: Edition) -> str:
    """Return what a user types for an edition: its name or its folder; FOLDER where only a run's copy is known."""
    folder = edition.folder
    if folder.parent == data_folder():
        return folder.name
    if not (folder.parent / "run.json").is_file():
        return str(folder)
    return edition.name if _is_known_as(edition.name, edition) else "FOLDER"


def _is_known_as(name: str, edition: Edition) -> bool:
    try:
        return load_edition(name).fingerprint == edition.fingerprint
    except UserError:
        return False


def _refusal(folder: Path, errors: tuple[Problem, ...]) -> str:
    if len(errors) == 1:
        return f"the edition {folder} cannot be played: {errors[0]}"
    return "\n".join([f"the edition {folder} cannot be played:", *(f"  {error}" for error in errors)])


def _read(folder: Path, overrides: Mapping[str, str], problems: Problems) -> Edition | None:
    names = (*FILE_ORDER, BOTS_FILE) if (folder / BOTS_FILE).exists() else FILE_ORDER
    contents = {name: read_bytes(folder / name, problems) for name in names}
    files = {name: data for name, data in contents.items() if data is not None}
    texts = {name: decode(data, name, problems) for name, data in files.items()}
    rules = _read_rules(texts.get(RULES_FILE), overrides, problems)
    board = _read_board(texts, rules, problems)
    check_board(board, problems)
    if rules is not None:
        check_rules(rules)
        check_together(rules, board, problems)
    if problems.errors or rules is None:
        return None
    edition = build(rules, board, folder, files)
    advise_on_rules(edition, rules, board)
    advise_on_map(edition, board)
    return edition


def _read_rules(text: str | None, overrides: Mapping[str, str], problems: Problems) -> Rules | None:
    return None if text is None else read_rules(text, overrides, problems)


def _read_board(texts: Mapping[str, str | None], rules: Rules | None, problems: Problems) -> Board:
    def table(file: str, columns: Mapping[str, bool], most: int) -> CsvTable | None:
        text = texts.get(file)
        return None if text is None else read_table(file, text, columns, most, problems)

    def names(block: str) -> dict[str, int] | None:
        return numbered(rules[block]) if rules and block in rules else None

    board = Board()
    if cities := table("cities.csv", CITY_COLUMNS, limits.MAX_CITIES):
        read_cities(cities, board, problems)
    if routes := table("routes.csv", ROUTE_COLUMNS, limits.MAX_ROUTES):
        read_routes(routes, names("colors"), board, problems)
    if tickets := table("tickets.csv", TICKET_COLUMNS, limits.MAX_TICKETS):
        read_tickets(tickets, names("decks"), board, problems)
    return board
