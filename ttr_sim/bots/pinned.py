"""Bots that play alike on two editions, though tuning gives them other parameters on each."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_sim.bots.model import Spec
from ttr_sim.bots.registry import load_style
from ttr_sim.bots.specs import parse_spec
from ttr_sim.bots.tuned import parameter_values


def pinned(specs: Sequence[str], edition: str, other: str) -> tuple[str, ...]:
    """The specs with every parameter written out that would be another on the other edition."""
    return tuple(_pinned(parse_spec(text), edition, other) for text in specs)


def _pinned(spec: Spec, edition: str, other: str) -> str:
    if spec.file is not None:
        return str(spec)
    style = load_style(spec.name)
    here, there = (parameter_values(style, spec, name) for name in (edition, other))
    given = dict(spec.values)
    values = zip(style.parameters, here, there, strict=True)
    written = tuple((each.name, own) for each, own, others in values if each.name in given or own != others)
    return str(Spec(spec.name, values=written))
