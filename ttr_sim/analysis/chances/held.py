"""What holders have several of, so that numpy can look at the first of each at once, then at the second of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ttr_sim.analysis.columns import Ints


@dataclass(frozen=True)
class Held:
    """Rows by holder: `counts` by holder, and `order`, the rows of the first holder before those of the second."""

    counts: Ints
    firsts: Ints
    order: Ints

    @classmethod
    def of(cls, holder: Ints, in_order: Ints | None = None) -> Held:
        """Sort rows by holder, and those of a holder by another number, if there is one."""
        counts = np.bincount(holder)
        key = holder if in_order is None else holder * (int(in_order.max(initial=0)) + 1) + in_order
        return cls(counts, np.cumsum(counts) - counts, np.argsort(key))

    @cached_property
    def busiest(self) -> Ints:
        """Return all holders that have any, those with most first."""
        few = -self.counts.astype(np.int16)  # the fewer digits, the faster they are sorted
        return np.argsort(few, kind="stable")[: np.count_nonzero(few)]

    def of_each(self, holders: Ints) -> Iterator[Ints]:
        """Yield the first row of each of these holders, those with most first, then the second of those that have it,
        and so on."""
        counts, firsts = self.counts[holders], self.firsts[holders]
        for place in range(int(counts.max(initial=0))):
            yield self.order[firsts[: np.count_nonzero(counts > place)] + place]
