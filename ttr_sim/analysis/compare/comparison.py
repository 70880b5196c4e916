"""Two runs compared: everything that is said about them, as one value."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ttr_sim.analysis.compare.changes import changes_between
from ttr_sim.analysis.compare.contrast import contrast
from ttr_sim.analysis.compare.layout import HEADLINE_COLUMNS, ROUTES, TICKETS
from ttr_sim.analysis.compare.lists import Contrast, corrected, is_notable, judged, routes_of_both, tickets_of_both
from ttr_sim.analysis.compare.pairing import keep_common_blocks, match_styles, refuse_nonsense, why_unpaired
from ttr_sim.analysis.compare.side import Side, measure
from ttr_sim.analysis.jackknife import Estimate, holm
from ttr_sim.analysis.reader import Run
from ttr_sim.analysis.source import Source


@dataclass(frozen=True, slots=True)
class Comparison:
    """`unpaired` tells why the runs are not paired, and is empty when they are; `least` is the smallest difference
    worth reporting: of a share as it is, of any other number as a part of A's."""

    a: Run
    b: Run
    unpaired: str
    blocks: int
    least: float
    changes: tuple[str, ...]
    headlines: pd.DataFrame
    tickets: pd.DataFrame
    routes: pd.DataFrame


def compare(a: Run, b: Run, least: float) -> Comparison:
    """Every number of B against A's; all tests of tickets and routes are corrected as one family."""
    refuse_nonsense(a, b)
    unpaired = why_unpaired(a, b)
    blocks, old, new = _measure(a, b, paired=not unpaired)

    def against(first: Estimate, second: Estimate) -> pd.DataFrame:
        return contrast(first, second, paired=not unpaired)

    headlines = _headlines(old, new, against).assign(players=a.plan.players)
    headlines["p_adjusted"] = holm(headlines["p"])
    headlines["notable"] = is_notable(headlines, "", enough(headlines, least))
    tickets, routes = corrected(tickets_of_both(a, b, old, new, against), routes_of_both(a, b, old, new, against))
    enough_by_unit = {"share": least, "points": least * abs(old.mean_score)}
    return Comparison(
        a,
        b,
        unpaired,
        blocks,
        least,
        tuple(changes_between(a, b)),
        headlines[list(HEADLINE_COLUMNS)],
        judged(tickets, TICKETS, enough_by_unit),
        judged(routes, ROUTES, enough_by_unit),
    )


def enough(headlines: pd.DataFrame, least: float) -> pd.Series:
    """The smallest difference worth reporting of each headline."""
    return least * headlines["a"].abs().where(headlines["unit"] != "share", 1.0)


def _measure(a: Run, b: Run, paired: bool) -> tuple[int, Side, Side]:
    """Both sides, on the blocks they have in common when they are paired; and the number of these."""
    first, second = Source([a]), Source([b])
    blocks = keep_common_blocks(first, second) if paired else min(first.blocks, second.blocks)
    styles = match_styles(a, b)
    old = measure(first, dict(zip(styles["name"], styles["a"], strict=True)))
    new = measure(second, dict(zip(styles["name"], styles["b"], strict=True)))
    return blocks, old, new


def _headlines(old: Side, new: Side, against: Contrast) -> pd.DataFrame:
    names = [name for name in old.headlines if name in new.headlines]
    rows = [against(old.headlines[name].estimate, new.headlines[name].estimate) for name in names]
    units = [old.headlines[name].unit for name in names]
    return pd.concat(rows, ignore_index=True).assign(name=names, unit=units)
