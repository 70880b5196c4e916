"""What was changed from one run to the other: the edition, the bots, the program."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_sim.analysis.reader import Run
from ttr_sim.edition.differences import differences


def changes_between(a: Run, b: Run) -> Iterator[str]:
    yield from differences(a.edition, b.edition)
    old, new = a.plan.bots, b.plan.bots
    if len(old) == len(new):
        changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
        yield from (f"bot {after} instead of {before}" for before, after in dict.fromkeys(changed))
    else:
        yield f"bots {', '.join(new)} instead of {', '.join(old)}"
    if a.plan.kernel != b.plan.kernel:
        yield "the program: its engine or its styles were changed between the two runs"
    if old == new and a.plan.tuning != b.plan.tuning:
        yield "bots of the same names, but with other parameters or another file"
