"""bots.toml, the file of an edition folder with the values that styles play this board with.

A table for each style holds parameter = value. `[tuned]` names the board that the values were tuned for. The file is
not part of the edition's fingerprint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ttr_sim.bots.api import STYLE_NAMES, load_style
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE, Place, Problems, decode, read_bytes
from ttr_sim.edition.rules import key_places, nearest, parse_toml
from ttr_sim.edition.write import toml_text
from ttr_sim.errors import UserError, closest

TUNED = "tuned"
HEADING = "# How the styles play this board, where that differs from the defaults in `ttr-sim bots`.\n"
FITTING, CHANGED, UNTUNED = "tuned", "changed", "untuned"
NEARLY = 0.1  # share by which a board may differ from the one that was tuned for
Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class TunedBoard:
    """The size of a board, as far as tuned values depend on it."""

    trains: int
    cards: int
    spaces: int
    tickets: int

    @classmethod
    def of(cls, edition: Edition) -> TunedBoard:
        cards = edition.wilds + sum(color.cards for color in edition.colors)
        spaces = sum(route.length for route in edition.routes)
        return cls(edition.trains, cards, spaces, len(edition.tickets))


@dataclass(frozen=True, slots=True)
class Tuned:
    """The content of a bots.toml, by style."""

    values: Mapping[str, Values] = field(default_factory=dict)
    boards: Mapping[str, TunedBoard] = field(default_factory=dict)

    def of(self, style: str, tuned_as: str | None) -> Values:
        """Values of a style, on top of the ones it shares with another."""
        return {**self.values.get(tuned_as or style, {}), **self.values.get(style, {})}


def tuned_of(edition: Edition) -> Tuned:
    """Read the edition's bots.toml, if it has one."""
    problems = Problems()
    tuned = _read(edition.files.get(BOTS_FILE), problems)
    if problems.errors:
        raise UserError(f"{edition.folder / BOTS_FILE} cannot be used: {problems.errors[0]}")
    return tuned


def check_tuned(folder: Path, problems: Problems) -> None:
    """Add the problems of a folder's bots.toml, if there is one."""
    file = folder / BOTS_FILE
    if file.exists():
        _read(read_bytes(file, problems), problems)


def write_tuned(edition: Edition, style: str, values: Values, known: Tuned) -> None:
    """Replace a style's values in the edition's bots.toml."""
    tables: dict[str, Any] = dict(sorted({**known.values, style: values}.items()))
    boards = {**known.boards, style: TunedBoard.of(edition)}
    tables[TUNED] = {name: asdict(board) for name, board in boards.items()}
    (edition.folder / BOTS_FILE).write_text(HEADING + toml_text(tables).lstrip(), encoding="utf-8")


def state_of_tuning(edition: Edition, style: str) -> str:
    """Whether a style was tuned for this board: `tuned`, `changed` since, or `untuned`."""
    board = tuned_of(edition).boards.get(style)
    if board is None:
        return UNTUNED
    pairs = zip(asdict(TunedBoard.of(edition)).values(), asdict(board).values(), strict=True)
    return FITTING if all(abs(now - then) <= NEARLY * then for now, then in pairs) else CHANGED


def _read(data: bytes | None, problems: Problems) -> Tuned:
    text = None if data is None else decode(data, BOTS_FILE, problems)
    tables = None if text is None else parse_toml(text, BOTS_FILE, problems)
    if text is None or tables is None:
        return Tuned()
    places = key_places(text)

    def place(*path: str) -> Place:
        return Place(BOTS_FILE, *nearest(places, path))

    tuned_for = tables.pop(TUNED, {})
    boards: dict[str, TunedBoard] = {}
    for style, sizes in (tuned_for if isinstance(tuned_for, dict) else {}).items():
        try:
            boards[style] = TunedBoard(**{name: int(number) for name, number in sizes.items()})
        except (AttributeError, TypeError, ValueError):
            needed = "trains, cards, spaces and tickets of the board"
            problems.warn(place(TUNED, style), f"{TUNED}.{style} is ignored: it needs {needed}; ttr-sim tune writes it")
    values: dict[str, Values] = {}
    for style, table in tables.items():
        if not isinstance(table, dict):
            problems.error(place(style), f"{style} must be a table of parameters: [{style}]")
        elif style not in STYLE_NAMES:
            # No error: a file may be older than the styles of today.
            hint = closest(style, STYLE_NAMES)
            problems.warn(place(style), f'there is no style "{style}", so its values are ignored', hint)
        else:
            values[style] = _values(style, table, problems, place)
    return Tuned(values, boards)


def _values(style: str, table: Mapping[str, Any], problems: Problems, place: Callable[..., Place]) -> Values:
    known = {parameter.name: parameter for parameter in load_style(style).parameters}
    values: Values = {}
    for name, value in table.items():
        if name not in known:
            hint = closest(name, known)
            problems.error(place(style, name), f'{style} has no parameter "{name}"', hint)
        elif problem := known[name].problem_of(value):
            problems.error(place(style, name), f"{name} {problem}")
        else:
            values[name] = float(value)
    return values
