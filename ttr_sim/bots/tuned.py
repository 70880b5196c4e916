"""bots.toml, the file of an edition folder with the values that the board's styles play with instead of their defaults.

A table for each style holds parameter = value. `[tuned]` says by style what board the values were tuned for and what
they gained. The file is no part of the edition's fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ttr_sim.bots.style import STYLE_NAMES, Parameter, load_style
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE, CheckResult, Place, Problems, decode, read_bytes
from ttr_sim.edition.toml_positions import Places, key_places, nearest, parse_toml
from ttr_sim.edition.write import toml_text
from ttr_sim.errors import UserError, closest

TUNED = "tuned"
HEADING = "# How the styles play this board, where that differs from the defaults in `ttr-sim bots`.\n"
FITTING, CHANGED, UNTUNED = "tuned", "changed", "untuned"
Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class Gain:
    """What tuned values gained over the defaults on fresh deals, in shares of wins, and on which board."""

    fingerprint: str
    gain: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """The content of a bots.toml, by style."""

    values: Mapping[str, Values] = field(default_factory=dict)
    gains: Mapping[str, Gain] = field(default_factory=dict)

    def of(self, style: str, tuned_as: str | None) -> Values:
        """Return a style's values by parameter, over those of the style whose values it shares."""
        return {**self.values.get(tuned_as or style, {}), **self.values.get(style, {})}


def tuned_of(edition: Edition) -> Tuned:
    """Return what the edition's bots.toml holds; nothing when it has none."""
    problems = Problems()
    tuned = _read(edition.files.get(BOTS_FILE), problems)
    if problems.errors:
        raise UserError(f"{edition.folder / BOTS_FILE} cannot be used: {problems.result().errors[0]}")
    return tuned


def check_tuned(folder: Path) -> CheckResult:
    """Return every problem of a folder's bots.toml; none when there is no such file."""
    problems = Problems()
    file = folder / BOTS_FILE
    if file.exists():
        _read(read_bytes(file, problems), problems)
    return problems.result()


def write_tuned(folder: Path, style: str, values: Values, gain: Gain | None, known: Tuned) -> None:
    """Write a style's values into the folder's bots.toml, beside the other styles' that are known."""
    tables: dict[str, Any] = {**known.values, style: values}
    gains = {name: asdict(told) for name, told in known.gains.items() if name != style}
    if gain is not None:
        gains[style] = asdict(gain)
    text = HEADING + toml_text({**dict(sorted(tables.items())), **({TUNED: gains} if gains else {})}).lstrip()
    (folder / BOTS_FILE).write_text(text, encoding="utf-8")


def state_of_tuning(edition: Edition, style: str) -> str:
    """Return whether a style was tuned for the board as it is: `tuned`, `changed` since, or `untuned`."""
    gain = tuned_of(edition).gains.get(style)
    if gain is None:
        return UNTUNED
    return FITTING if gain.fingerprint == edition.fingerprint else CHANGED


@cache
def official_gains(style: str) -> dict[str, Gain]:
    """Return what tuning a style was worth on the official editions, by name."""
    gains = {name: tuned_of(load_edition(name)).gains for name in official_names()}
    return {name: of_style[style] for name, of_style in gains.items() if style in of_style}


def _read(data: bytes | None, problems: Problems) -> Tuned:
    text = None if data is None else decode(data, BOTS_FILE, problems)
    if text is None:
        return Tuned()
    tables = parse_toml(text, BOTS_FILE, problems)
    if tables is None:
        return Tuned()
    reader = _Reader(key_places(text), problems)
    gains = reader.gains(tables.pop(TUNED, {}))
    return Tuned({style: reader.values(style, table) for style, table in tables.items()}, gains)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads tables, reporting each problem at its key."""

    places: Places
    problems: Problems

    def values(self, style: str, table: object) -> Values:
        if style not in STYLE_NAMES:
            self._error((style,), f'there is no style "{style}"', closest(style, STYLE_NAMES))
            return {}
        if not isinstance(table, dict):
            self._error((style,), f"{style} must be a table of parameters: [{style}]")
            return {}
        known = {parameter.name: parameter for parameter in load_style(style).parameters}
        return {name: float(value) for name, value in table.items() if self._is_good(style, known, name, value)}

    def gains(self, table: object) -> dict[str, Gain]:
        if not isinstance(table, dict):
            self._error((TUNED,), f"[{TUNED}] must be a table")
            return {}
        found = {style: self._gain(style, told) for style, told in table.items()}
        return {style: gain for style, gain in found.items() if gain is not None}

    def _gain(self, style: str, told: object) -> Gain | None:
        try:
            gain = Gain(**told)  # type: ignore[arg-type]
            return Gain(str(gain.fingerprint), float(gain.gain), float(gain.low), float(gain.high))
        except (TypeError, ValueError):
            self._error(
                (TUNED, style), f"{TUNED}.{style} must hold fingerprint, gain, low and high; ttr-sim tune writes it"
            )
            return None

    def _is_good(self, style: str, known: Mapping[str, Parameter], name: str, value: object) -> bool:
        if name not in known:
            self._error((style, name), f'{style} has no parameter "{name}"', closest(name, known))
        elif isinstance(value, bool) or not isinstance(value, int | float):
            self._error((style, name), f"{name} must be a number, not {value!r}")
        elif not known[name].low <= value <= known[name].high:
            limits = f"from {known[name].low:g} to {known[name].high:g}"
            self._error((style, name), f"{name} must be {limits}, not {value:g}")
        else:
            return True
        return False

    def _error(self, path: tuple[str, ...], message: str, hint: str | None = None) -> None:
        self.problems.error(Place(BOTS_FILE, *nearest(self.places, path)), message, hint)
