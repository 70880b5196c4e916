"""Tuned parameters: found by scripts/tune, stored by style and edition, played unless a spec says otherwise."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from ttr_sim.bots.model import Spec, Style

TUNED_FILE = Path(__file__).with_name("tuned.json")


@cache
def _tuned() -> dict[str, dict[str, dict[str, float]]]:
    tuned: dict[str, dict[str, dict[str, float]]] = json.loads(TUNED_FILE.read_text(encoding="utf-8"))
    return tuned


def tuned_values(style: str, edition: str) -> dict[str, float]:
    """By parameter name; empty for an edition that was never tuned for."""
    return _tuned().get(style, {}).get(edition, {})


def parameter_values(style: Style, spec: Spec, edition: str) -> tuple[float, ...]:
    """The spec's own values, else the edition's tuned ones, else the defaults."""
    values = {**tuned_values(style.tuned_as or style.name, edition), **dict(spec.values)}
    return tuple(values.get(parameter.name, parameter.default) for parameter in style.parameters)
