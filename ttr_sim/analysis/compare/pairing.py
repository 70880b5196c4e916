"""Which runs can be compared, which deal by deal, and what stands behind the names of their bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from ttr_sim.analysis.reader import Run
from ttr_sim.analysis.source import Source
from ttr_sim.bots.specs import without_values
from ttr_sim.errors import UserError

BLOCKS = "SELECT DISTINCT block FROM games"


def refuse_nonsense(a: Run, b: Run) -> None:
    alike = a.record.digest is not None and a.record.digest == b.record.digest
    if alike or a.path.resolve() == b.path.resolve():
        raise UserError(f"{a.path} and {b.path} hold the same games; name two different runs")
    if a.plan.players != b.plan.players:
        raise UserError(
            f"{a.path} has {a.plan.players} players and {b.path} has {b.plan.players}: their wins are not shared among "
            "as many; compare runs of the same number of players"
        )
    for run in (a, b):
        if not run.games:
            raise UserError(f"{run.path} holds no finished game yet")


def why_unpaired(a: Run, b: Run) -> str:
    """Why the runs were not played on the same deals; empty when they were."""
    if a.plan.seed != b.plan.seed:
        return f"their seeds are {a.plan.seed} and {b.plan.seed}"
    if len(a.plan.bots) != len(b.plan.bots):
        return f"{len(a.plan.bots)} bots played on one side and {len(b.plan.bots)} on the other"
    return ""


def keep_common_blocks(a: Source, b: Source) -> int:
    """Leave out what only one side has played; the number of blocks that are left."""
    first, second = (source.rows(BLOCKS) for source in (a, b))
    common = first.merge(second)
    if common.empty:
        raise UserError("the two runs have no deal in common yet; let both go on")
    for source, blocks in ((a, first), (b, second)):
        if len(blocks) > len(common):
            source.keep_blocks(common)
    return len(common)


def match_styles(a: Run, b: Run) -> pd.DataFrame:
    """Bots by their place in `--bots` (by name when there are not as many): `name` of the headline, `a` and `b`."""
    old, new = a.plan.bots, b.plan.bots
    pairs = zip(old, new, strict=True) if len(old) == len(new) else ((bot, bot) for bot in old if bot in new)
    alone = len(set(old)) == len(set(new)) == 1  # then its share is fair by design
    short = _short_names([*old, *new])
    rows = [] if alone else [(_name(short[pair[0]], short[pair[1]]), *pair) for pair in dict.fromkeys(pairs)]
    return pd.DataFrame(rows, columns=["name", "a", "b"])


def _short_names(bots: Sequence[str]) -> dict[str, str]:
    """Without parameters, where the style alone tells which bot is meant."""
    styles = Counter(without_values(bot) for bot in set(bots))
    return {bot: without_values(bot) if styles[without_values(bot)] == 1 else bot for bot in bots}


def _name(old: str, new: str) -> str:
    return f"Wins of {old}" if old == new else f"Wins of {new} in place of {old}"
