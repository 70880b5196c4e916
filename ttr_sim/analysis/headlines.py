"""The headlines of a study, which `--until` waits for: turn order, ticket classes and what it gives to be dealt each
ticket. How exactly are they known by now?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ttr_sim.analysis.jackknife import Estimate
from ttr_sim.analysis.seats import measure_seats
from ttr_sim.analysis.sequences import reach
from ttr_sim.analysis.source import Source, sources_of
from ttr_sim.analysis.tickets import Deals, measure_values
from ttr_sim.analysis.words import ORDINALS
from ttr_sim.run.opened import Run


@dataclass(frozen=True, slots=True)
class Precision:
    """The headline that is known least exactly, and half the width of its interval, which holds at every look."""

    headline: str
    half_width: float


def precision(runs: Sequence[Run]) -> Precision:
    """Return how exactly the headlines of these runs are known; tickets over all player counts together."""
    sources = sources_of(runs)
    return max([*_of_seats(sources), *_of_tickets(sources)], key=lambda known: known.half_width)


def _of_seats(sources: Sequence[Source]) -> Iterator[Precision]:
    for source in sources:
        measured = measure_seats(source)
        names = [f"wins of the {ORDINALS[seat]} player of {source.players}" for seat in measured.keys["seat"]]
        yield _widest(names, measured.estimates["win_share"], measured.blocks)


def _of_tickets(sources: Sequence[Source]) -> Iterator[Precision]:
    values = measure_values([Deals(source) for source in sources])
    ends = [f"{row['from']}–{row['to']}" for _, row in values.keys.iterrows()]
    yield _widest([f"being dealt {name}" for name in ends], values.estimates["win_effect"], values.blocks)
    of_classes = [f"being dealt a ticket like {name}" for name in ends]
    yield _widest(of_classes, values.estimates["class_effect"], values.blocks)


def _widest(names: Sequence[str], estimate: Estimate, blocks: int) -> Precision:
    """Return the number known least; those with data but no interval yet are not known at all, and those that never
    get data, as tickets that nobody is dealt at setup, are left out."""
    half_widths = np.where(np.isnan(estimate.value), 0.0, np.nan_to_num(reach(estimate, blocks), nan=np.inf))
    place = int(np.argmax(half_widths))
    return Precision(names[place], float(half_widths[place]))
