"""`--set KEY=TOML`: dotted keys laid over the values of edition.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from ttr_sim.edition.schema import shown
from ttr_sim.edition.toml_limits import too_much
from ttr_sim.errors import UserError


def overrides_of(settings: Sequence[str]) -> dict[str, str]:
    """Return `KEY=TOML` texts as a mapping."""
    overrides = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UserError(f"--set {setting}: give a key and a value, as in --set trains=40")
        if key.strip() in overrides:
            raise UserError(f"--set {key.strip()} is given twice")
        overrides[key.strip()] = value.strip()
    return overrides


def apply_overrides(raw: dict[str, Any], overrides: Mapping[str, str]) -> None:
    """Lay each `key=value` (dotted key, TOML value) over the raw values."""
    for dotted, written in overrides.items():
        if refused := too_much(f"{dotted} = {written}"):
            raise UserError(f"--set {dotted[:40]}: {refused[0]}")
        *tables, last = dotted.split(".")
        table = raw
        for name in tables:
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                raise UserError(f'--set {dotted}: "{name}" is a value, not a block')
        table[last] = _override_value(dotted, written)


def _override_value(dotted: str, written: str) -> Any:
    try:
        parsed = tomllib.loads(f"value = {written}")
    except (ValueError, RecursionError):
        parsed = {}
    if set(parsed) != {"value"}:
        raise UserError(f"--set {dotted}: {shown(written)} is not a TOML value (text needs its own quotes)")
    return parsed["value"]
