"""How far a comparison holds: whether what differs among strong players differs among rivals of other styles too."""

from __future__ import annotations

import pandas as pd

from ttr_sim.analysis.robustness import DEPENDS, HOLDS_ALL, HOLDS_STRONG
from ttr_sim.analysis.text import listed

WORDS = {
    HOLDS_ALL: "the same holds for",
    HOLDS_STRONG: "it is not certain for",
    DEPENDS: "the opposite holds for",
}


def how_far(headlines: pd.DataFrame, of_rivals: pd.DataFrame | None) -> pd.Series:
    """Return for each headline whether its difference clearly has the same sign among rivals (all), clearly the
    opposite one (depends), or neither (strong); None for what is not notable, or where rivals did not play."""
    if of_rivals is None:
        return pd.Series(None, headlines.index, object)
    theirs = of_rivals.set_index("name")
    holds = [_holds(row, theirs) if row["notable"] else None for _, row in headlines.iterrows()]
    return pd.Series(holds, headlines.index, object)


def _holds(row: pd.Series, theirs: pd.DataFrame) -> str:
    if row["name"] not in theirs.index:
        return HOLDS_STRONG
    low, high = theirs.loc[row["name"], ["low", "high"]]
    if row["difference"] < 0:
        low, high = -high, -low
    return HOLDS_ALL if low > 0 else DEPENDS if high < 0 else HOLDS_STRONG


def holding_sentence(headlines: pd.DataFrame, of_rivals: pd.DataFrame | None) -> list[str]:
    """Return a sentence on how far the notable headlines hold; nothing where there is nothing to say."""
    found = headlines.assign(holds=how_far(headlines, of_rivals))
    names = {holds: [f"“{name}”" for name in found.loc[found["holds"] == holds, "name"]] for holds in WORDS}
    parts = [f"{WORDS[holds]} {listed(some)}" for holds, some in names.items() if some]
    return [f"Among rivals of several styles {'; '.join(parts)}."] if parts else []
