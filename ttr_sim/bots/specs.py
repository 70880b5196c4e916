"""How a bot is named: `planner`, `planner:greed=0.3,block=1`, `my_bots.py:Greedy`; and the parameters it then has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ttr_sim.bots.style import STYLE_NAMES, Parameter, Style, load_style
from ttr_sim.errors import UserError, command_line, did_you_mean

FILE_ENDING = ".py"
_FURTHER_VALUE = re.compile(r"\s*\w+\s*=[^:]*")


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot as written on the command line. `file` is a file of the user's own, `name` then a bot in it."""

    name: str
    file: str | None = None
    values: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        if self.file is not None:
            return f"{self.file}:{self.name}"
        values = ",".join(f"{name}={value:.12g}" for name, value in self.values)
        return f"{self.name}:{values}" if values else self.name


def split_specs(text: str) -> list[str]:
    """Return the bots of `--bots A,B:x=1,y=2,C`: a comma before `name=value` stays within its spec."""
    specs: list[str] = []
    for piece in text.split(","):
        if specs and ":" in specs[-1] and _FURTHER_VALUE.fullmatch(piece):
            specs[-1] += f",{piece.strip()}"
        else:
            specs.append(piece.strip())
    return specs


def parse_spec(text: str) -> Spec:
    """Return the spec in canonical form: parameters known, within range, in the style's order."""
    name, colon, rest = (part.strip() for part in text.partition(":"))
    if FILE_ENDING in text:
        return _parse_file(text.strip())
    if name not in STYLE_NAMES:
        listed = f"to list them: {command_line('bots')}"
        raise UserError(f'there is no bot "{name}"{did_you_mean(name, STYLE_NAMES)}; {listed}')
    style = load_style(name)
    values = _parse_values(style, rest) if colon else {}
    ordered = [(parameter.name, values[parameter.name]) for parameter in style.parameters if parameter.name in values]
    return Spec(name, values=tuple(ordered))


def without_values(text: str) -> str:
    """Return the style of a spec, or the whole spec of a user's own bot."""
    return text if FILE_ENDING in text else text.partition(":")[0]


def _parse_file(text: str) -> Spec:
    file, _, name = text.rpartition(":")
    if not file.endswith(FILE_ENDING) or not name.isidentifier():
        raise UserError(f'"{text}" does not name a bot in a file; write it as my_bots.py:Greedy')
    return Spec(name, file=file)


def _parse_values(style: Style, text: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for piece in text.split(","):
        name, value = _parse_value(style, piece)
        if name in values:
            raise UserError(f"{style.name}:{name} is given twice")
        values[name] = value
    return values


def _parse_value(style: Style, piece: str) -> tuple[str, float]:
    name, equals, text = (part.strip() for part in piece.partition("="))
    known = {parameter.name: parameter for parameter in style.parameters}
    if not equals:
        raise UserError(f'"{piece}" in the bot {style.name} is not of the form name=value')
    if name not in known:
        hint = did_you_mean(name, known) or f"; it has {', '.join(known) or 'none'}"
        raise UserError(f'the bot {style.name} has no parameter "{name}"{hint}')
    return name, _number(style, known[name], text)


def _number(style: Style, parameter: Parameter, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise UserError(f"{style.name}:{parameter.name} must be a number, not {text!r}") from None
    if not parameter.low <= value <= parameter.high:
        limits = f"from {parameter.low:g} to {parameter.high:g}"
        raise UserError(f"{style.name}:{parameter.name} must be {limits}, not {text}")
    return value


def parameter_values(style: Style, spec: Spec, tuned: Mapping[str, float]) -> tuple[float, ...]:
    """Return the spec's own values, else those tuned for the board, else the defaults."""
    values = {**tuned, **dict(spec.values)}
    return tuple(values.get(parameter.name, parameter.default) for parameter in style.parameters)
