"""Styles, their parameters, and how a bot is named: `planner:greed=0.3,block=1` or `my_bots.py:Greedy`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ttr_sim.errors import UserError, command_line, did_you_mean

# The file of each style in ttr_sim/bots/styles.
MODULES = {
    "random": "simple",
    "onestep": "simple",
    "longroute": "simple",
    "hungry": "simple",
    "path": "simple",
    "racer": "planner",
    "planner": "planner",
    "blocker": "planner",
    "search": "search",
}
STYLE_NAMES = tuple(MODULES)
STANDARD_STYLES = ("onestep", "longroute", "hungry", "path", "racer", "blocker", "planner")
FAST_STYLES = tuple(name for name in STYLE_NAMES if name != "search")
FILE_ENDING = ".py"
_FURTHER_VALUE = re.compile(r"\s*\w+\s*=[^:]*")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a style's play depends on, with its limits."""

    name: str
    default: float
    low: float
    high: float
    idea: str

    def problem_of(self, value: object) -> str | None:
        """Say why a value cannot be used, if so."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"must be a number, not {value!r}"
        if not self.low <= value <= self.high:
            return f"must be from {self.low:g} to {self.high:g}, not {value:g}"
        return None


@dataclass(frozen=True, slots=True)
class Style:
    """A way to play.

    `choose` is the compiled bot. `plans`: it publishes its target routes. `tuned_as`: the style that lends it
    tuned values. `searches`: it gets a world to think in, and is slow.
    """

    name: str
    idea: str
    choose: Any
    parameters: tuple[Parameter, ...] = ()
    plans: bool = False
    tuned_as: str | None = None
    searches: bool = False

    def values(self, spec: Spec, tuned: Mapping[str, float]) -> tuple[float, ...]:
        """Values of all parameters: from the spec, else tuned for the board, else the defaults."""
        chosen = {**tuned, **dict(spec.values)}
        return tuple(chosen.get(parameter.name, parameter.default) for parameter in self.parameters)


def load_style(name: str) -> Style:
    # Imported on demand: Numba comes with a style, and takes longer to load than `ttr-sim --help` may.
    style: Style = getattr(import_module(f"ttr_sim.bots.styles.{MODULES[name]}"), name.upper())
    return style


def list_styles() -> list[Style]:
    return [load_style(name) for name in STYLE_NAMES]


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot as written on the command line. `name` is a bot in the user's `file`, or a style."""

    name: str
    file: str | None = None
    values: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        if self.file is not None:
            return f"{self.file}:{self.name}"
        values = ",".join(f"{name}={value:.12g}" for name, value in self.values)
        return f"{self.name}:{values}" if values else self.name


def split_specs(text: str) -> list[str]:
    """Split `A,B:x=1,y=2,C` into bots: a comma before `name=value` stays within its spec."""
    specs: list[str] = []
    for piece in text.split(","):
        if specs and ":" in specs[-1] and _FURTHER_VALUE.fullmatch(piece):
            specs[-1] += f",{piece.strip()}"
        else:
            specs.append(piece.strip())
    return specs


def parse_spec(text: str) -> Spec:
    """Parse a spec into canonical form: known parameters within range, in the style's order."""
    name, colon, rest = (part.strip() for part in text.partition(":"))
    if FILE_ENDING in text:
        file, _, bot = text.strip().rpartition(":")
        if not file.endswith(FILE_ENDING) or not bot.isidentifier():
            raise UserError(f'"{text.strip()}" does not name a bot in a file; write it as my_bots.py:Greedy')
        return Spec(bot, file=file)
    if name not in STYLE_NAMES:
        listed = f"to list them: {command_line('bots')}"
        raise UserError(f'there is no bot "{name}"{did_you_mean(name, STYLE_NAMES)}; {listed}')
    known = {parameter.name: parameter for parameter in load_style(name).parameters}
    values: dict[str, float] = {}
    for piece in rest.split(",") if colon else ():
        key, equals, written = (part.strip() for part in piece.partition("="))
        if not equals:
            raise UserError(f'"{piece}" in the bot {name} is not of the form name=value')
        if key not in known:
            hint = did_you_mean(key, known) or f"; it has {', '.join(known) or 'none'}"
            raise UserError(f'the bot {name} has no parameter "{key}"{hint}')
        try:
            value = float(written)
        except ValueError:
            raise UserError(f"{name}:{key} must be a number, not {written!r}") from None
        if problem := known[key].problem_of(value):
            raise UserError(f"{name}:{key} {problem}")
        if key in values:
            raise UserError(f"{name}:{key} is given twice")
        values[key] = value
    return Spec(name, values=tuple((key, values[key]) for key in known if key in values))


def without_values(text: str) -> str:
    """The style of a spec, or the whole spec of a user's own bot."""
    return text if FILE_ENDING in text else text.partition(":")[0]
