"""Fields: the combinations of bots that a study plays."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_sim.bots.api import STANDARD_STYLES, load_style
from ttr_sim.bots.tuning import tuned_of
from ttr_sim.edition.model import Edition
from ttr_sim.run.plan import Plan

STRONG, RIVALS, ALL, REWARDS, OWN = "strong", "rivals", "all", "rewards", "own"
STRONG_BOT = "planner"
RIVAL_BOTS = (STRONG_BOT, "racer", "blocker", "longroute")
ALL_BOTS = STANDARD_STYLES


# A strong player with one parameter moved from where it is on the board, as far as its limits allow.
# Moved far enough to show in play (USA: a ticket draw more, half a claim more, one less), not so far that it breaks.
TASTES = {
    "draws more tickets": ("curiosity", -3.0),
    "draws fewer tickets": ("curiosity", 1.5),
    "keeps fewer tickets": ("caution", 2.0),
    "races through its trains": ("train", -0.2),
    "saves up for long routes": ("tempo", 0.2),
    "goes for route points": ("greed", 0.4),
    "blocks": ("block", 1.5),
    "hunts the longest path": ("chain", 3.0),
}
STYLES_THAT_TRY = tuple(style for style in STANDARD_STYLES if style not in (STRONG_BOT, "blocker"))


def field_of(plan: Plan) -> str:
    """Classify a plan by its bots."""
    bots = frozenset(plan.bots)
    if plan.one_of:
        return REWARDS if bots == {STRONG_BOT} else OWN
    for field, known in ((STRONG, {STRONG_BOT}), (RIVALS, set(RIVAL_BOTS)), (ALL, set(ALL_BOTS))):
        if bots == known:
            return field
    return OWN


def variants(edition: Edition) -> dict[str, str]:
    """Bots of the rewards by name: one taste moved, or a simple style."""
    parameters = {parameter.name: parameter for parameter in load_style(STRONG_BOT).parameters}
    values, without_use = tuned_of(edition).of(STRONG_BOT, None), set(_without_use(edition))
    found = {}
    for name, (taste, change) in TASTES.items():
        if taste in without_use:
            continue
        parameter = parameters[taste]
        before = values.get(taste, parameter.default)
        after = min(max(before + change, parameter.low), parameter.high)
        # On a board that is tuned to the limit, the variant would be the strong player itself.
        if after != before:
            found[name] = f"{STRONG_BOT}:{taste}={after:.12g}"
    return found | {style: style for style in STYLES_THAT_TRY}


def _without_use(edition: Edition) -> Iterator[str]:
    """Yield parameters that have no effect on this board."""
    if edition.longest_path is None:
        yield "chain"
    if edition.is_race or edition.route_scores is None:
        yield "greed"
    tickets = edition.ticket_rules
    dealt = tickets.deal_total if tickets.mix else sum(deck.deal for deck in edition.decks)
    if edition.instant_tickets and dealt <= tickets.keep_at_start:
        yield "caution"
