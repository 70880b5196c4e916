"""Fields: who sits together in a run. What is found about a board rests on the strong one; the others say how far it
holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttr_sim.bots.api import STANDARD_STYLES, Parameter, load_style
from ttr_sim.bots.tuning import tuned_of
from ttr_sim.edition.model import Edition
from ttr_sim.run.plan import Plan

STRONG, RIVALS, ALL, REWARDS, OWN = "strong", "rivals", "all", "rewards", "own"
STRONG_BOT = "planner"
RIVAL_BOTS = (STRONG_BOT, "racer", "blocker", "longroute")
ALL_BOTS = STANDARD_STYLES


@dataclass(frozen=True, slots=True)
class Taste:
    """A strong player with one parameter moved from where it is on the board, as far as its limits allow."""

    name: str
    parameter: str
    change: float


# Moved far enough to show in play (USA: a ticket draw more, half a claim more, one less), not so far that it breaks.
TASTES = (
    Taste("draws more tickets", "curiosity", -3.0),
    Taste("draws fewer tickets", "curiosity", 1.5),
    Taste("keeps fewer tickets", "caution", 2.0),
    Taste("races through its trains", "train", -0.2),
    Taste("saves up for long routes", "tempo", 0.2),
    Taste("goes for route points", "greed", 0.4),
    Taste("blocks", "block", 1.5),
    Taste("hunts the longest path", "chain", 3.0),
)
STYLES_THAT_TRY = tuple(style for style in STANDARD_STYLES if style not in (STRONG_BOT, "blocker"))


def field_of(plan: Plan) -> str:
    """Who sits together, by the plan's bots."""
    bots = frozenset(plan.bots)
    if plan.one_of:
        return REWARDS if bots == {STRONG_BOT} else OWN
    for field, known in ((STRONG, {STRONG_BOT}), (RIVALS, set(RIVAL_BOTS)), (ALL, set(ALL_BOTS))):
        if bots == known:
            return field
    return OWN


def variants(edition: Edition) -> dict[str, str]:
    """Bots of the rewards by name: one taste moved, or a simple style."""
    return {**{taste.name: spec for taste, spec in _moved_tastes(edition)}, **{name: name for name in STYLES_THAT_TRY}}


def _moved_tastes(edition: Edition) -> Iterator[tuple[Taste, str]]:
    known = {parameter.name: parameter for parameter in load_style(STRONG_BOT).parameters}
    values = tuned_of(edition).of(STRONG_BOT, None)
    for taste in TASTES:
        if taste.parameter in _without_use(edition):
            continue
        parameter = known[taste.parameter]
        before = values.get(taste.parameter, parameter.default)
        after = _within(parameter, before + taste.change)
        if after != before:
            yield taste, f"{STRONG_BOT}:{taste.parameter}={after:.12g}"


def _without_use(edition: Edition) -> Iterator[str]:
    """Yield what a strong player cannot turn into another choice on this board."""
    if edition.longest_path is None:
        yield "chain"
    if edition.is_race or edition.route_scores is None:
        yield "greed"
    tickets = edition.ticket_rules
    dealt = tickets.deal_total if tickets.mix else sum(deck.deal for deck in edition.decks)
    if edition.instant_tickets and dealt <= tickets.keep_at_start:
        yield "caution"


def _within(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.low), parameter.high)
