"""Pieces that pages are made of: cards of the verdict, bars, and the board with its changes.

The player count changes the numbers of cards, never their state.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from ttr_sim.analysis import targets as kinds
from ttr_sim.analysis.official import FIERCEST, FIRST_SEAT
from ttr_sim.analysis.targets import MET, MISSED, OPEN, Target
from ttr_sim.analysis.text import ORDINALS, decimal, than_words
from ttr_sim.analysis.verdict import CARDS, FAIR, NEARLY, NOT_FAIR, NOT_SURE, ODD, OWN_TARGETS, Card
from ttr_sim.report.document import Explainer
from ttr_sim.report.numbers import ALL, WORDS
from ttr_sim.report.stage import EFFECT_SCALE, Mark, dot_strip, draw_stage, route_name

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.verdict import Verdict
    from ttr_sim.edition.model import Edition

    # Fields of the card that are not in words.toml, and the facts that its texts there name.
    CardTexts = tuple[dict[str, Any], dict[str, Any]]

LOOKS = {MET: "met", OPEN: "open", MISSED: "miss", ODD: "odd"}
STATE_WORDS = {MET: "fine", OPEN: "not sure yet", MISSED: "to fix", ODD: "odd"}
CHIPS = {FAIR: "met", NEARLY: "half", NOT_SURE: "open", NOT_FAIR: "miss"}
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


@dataclass(frozen=True)
class CardView:
    """The texts of a card at one player count. `gauge` and `strip` are two kinds of bars."""

    claim: str
    big: str
    small: str
    why: str
    good: str = ""
    gauge: str = ""
    usual: str = ""
    strip: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Change:
    """A line of a table of changes, with the sign that marks it on the board."""

    name: str
    change: str
    look: str = "met"  # of its target afterwards: met, open or miss
    words: str = ""
    before: str = ""
    after: str = ""
    note: str = ""
    bar: str = ""
    sign: str = ""
    route: int | None = None
    ticket: int | None = None


class TicketEffects:
    """Rows of the table of tickets, and the numbers of a ticket at each player count."""

    def __init__(self, analysis: Analysis) -> None:
        table = analysis.tables["ticket_value"]
        self.only_count = int(table["players"].min()) if len(table) else ALL
        self.rows: dict[tuple[int, int], Mapping[Any, Any]] = {}
        for row in table.to_dict("records"):
            self.rows[int(row["players"]), int(row["ticket"])] = row

    def row(self, target: Target, count: int = ALL) -> Mapping[Any, Any]:
        """The row at a player count, else that of all of them together."""
        return self.rows.get((count, target.row or 0)) or self.rows[self.only_count, target.row or 0]

    def excess(self, target: Target, count: int) -> tuple[float, float]:
        """A ticket's excess and half its interval. Over all counts it is the number that is judged."""
        row = self.rows.get((count, target.row or 0))
        if count in (ALL, self.only_count) or row is None:
            return target.value, (target.high - target.low) / 2
        return row["excess"], (row["excess_high"] - row["excess_low"]) / 2


class CardWriter:
    """Writes the verdict's cards for any player count, with the words of words.toml."""

    def __init__(self, analysis: Analysis, effects: TicketEffects) -> None:
        self.analysis, self.verdict, self.effects = analysis, analysis.verdict, effects

    def write(self, card: Card, count: int) -> CardView:
        writers = {kinds.TICKETS: self.tickets, kinds.TURN_ORDER: self.turn_order, kinds.ROUTES: self.routes}
        writers |= {kinds.STRATEGY: self.strategy, CARDS: self.deck, OWN_TARGETS: self.own_targets}
        fields, facts = writers[card.topic](card, count)
        words: dict[str, str] = WORDS["cards"][card.topic]
        texts = {name: words.get(name, "").format(**facts) for name in ("big", "small", "why", "good")}
        return CardView(**({"claim": words.get(card.state, "")} | texts | fields))

    def own_targets(self, card: Card, count: int) -> CardTexts:
        met, asked = card.sentence.removesuffix(" of your own targets met").split(" of ")
        return {}, {"met": met, "asked": asked}

    def tickets(self, card: Card, count: int) -> CardTexts:
        target, edition = card.target, self.verdict.edition
        assert target is not None
        tickets = [target for target in self.verdict.targets if target.measure == kinds.TICKET]
        missed = sum(ticket.state == MISSED for ticket in tickets)
        unsure = sum(ticket.state == OPEN and ticket.beyond > 0 for ticket in tickets)
        claim = "All tickets are fair"
        if missed or unsure:
            claim = f"{counted_word(missed or unsure, 'ticket')} {'to fix' if missed else 'not sure yet'}"
        value, half = self.effects.excess(target, count)
        margin, ticket = edition.targets.margin / 100, edition.tickets[target.row or 0]
        dots = [(ticket, self.effects.excess(ticket, count)[0]) for ticket in tickets]
        facts = {"than": than_words(edition), "ticket": f"{ticket.a}–{ticket.b}", "margin": f"{margin * 100:g}"}
        facts |= {"signed": decimal(value * 100, plus="+"), "half": decimal(half * 100)}
        facts |= {"value": decimal(abs(value) * 100), "side": "above" if value >= 0 else "below"}
        return {"claim": claim, "strip": dot_strip(dots, margin, count)}, facts

    def turn_order(self, card: Card, count: int) -> CardTexts:
        target = self.largest(card, kinds.SEAT, count)
        players, limit = target.players, target.limit[1]
        span = self.verdict.ranges.of_headline(FIRST_SEAT, players)
        facts = {"seat": ORDINALS[int(target.name.removeprefix("seat "))], "players": players}
        facts |= {"share": decimal(target.value * 100), "limit": decimal((limit or 1) * 100)}
        bar = gauge(target.value, 1 / players, limit, span, 0.81)
        return {"gauge": bar, "usual": official_words(span, 1)}, facts

    def routes(self, card: Card, count: int) -> CardTexts:
        target = self.largest(card, kinds.FOUGHT_OVER, count)
        span = self.verdict.ranges.of_headline(FIERCEST, target.players)
        claim, used = "No route is dead", "Every route is used. "
        for measure, words in (
            (kinds.FOUGHT_OVER, "fought over"),
            (kinds.LOCKED_OUT, "blocking rivals"),
            (kinds.CLAIMED, "hardly used"),
        ):
            if names := {shown.name for shown in self.verdict.to_show() if shown.measure == measure}:
                maybe = "maybe " if card.state == OPEN else ""
                claim, used = f"{counted_word(len(names), 'route')} {maybe}{words}", used * (measure != kinds.CLAIMED)
        facts = {"share": f"{target.value * 100:.0f}", "players": target.players, "used": used}
        facts["route"] = route_name(self.verdict.edition, target.row or 0)
        bar = gauge(target.value, 0.0, target.limit[1], span, 0.0)
        return {"claim": claim, "gauge": bar, "usual": official_words(span, 0)}, facts

    def strategy(self, card: Card, count: int) -> CardTexts:
        rewards = self.analysis.tables["rewards"]
        simple = {f"style {name}" for name in rewards[~rewards["bot"].str.contains(":")]["variant"]}
        target = self.largest(card, kinds.STYLE, count, simple)
        facts = {"style": target.name.removeprefix("style "), "players": target.players}
        facts["kind"] = "simple plan" if target.name in simple else "other plan"
        facts["share"], limit = decimal(target.value * 100), target.limit[1]
        usual = f"at most {(limit or 1) * 100:.0f}, a fair share plus 2"
        return {"gauge": gauge(target.value, 0.0, limit, None, 0.87), "usual": usual}, facts

    def deck(self, card: Card, count: int) -> CardTexts:
        players, share, span, fields = card.players, card.value, None, {}
        if "runs out" in card.sentence:
            players, oddities = count or card.players, self.analysis.tables["oddities"]
            short = oddities[(oddities["kind"] == "short_draw") & (oddities["players"] == players)]
            share = float(short["share"].iloc[0]) if len(short) else 0.0
            span = self.verdict.ranges.of("oddities", players, "short_draw", "share")
        else:
            why = f"{card.sentence[0].upper()}{card.sentence[1:]}. Such games count as they stand."
            fields = {"claim": "Games break off", "why": why}
        bar = gauge(share, 0.0, None, span or (0.0, 0.0), 0.64)
        fields |= {"gauge": bar, "usual": official_words(span, 0)}
        return fields, {"share": f"{share * 100:.0f}", "players": players}

    def largest(self, card: Card, measure: str, count: int, preferred: Collection[str] = ()) -> Target:
        """The largest number of a topic at a player count. Over all counts it is that of the card."""
        here = [t for t in self.verdict.targets if t.measure == measure and t.state and t.players == count]
        found = max(here, key=lambda t: (t.beyond > 0, t.name in preferred, t.value), default=card.target)
        assert found is not None
        return found


def headline(verdict: Verdict) -> str:
    shown = verdict.to_show()
    missed = [target for target in shown if target.state == MISSED]
    found = []
    for side in ("generous", "stingy"):
        found.append((sum(target.side == side for target in missed), "ticket", f"too {side}"))
    for topic, thing, words in (
        (kinds.ROUTES, "route", "out of line"),
        (kinds.TURN_ORDER, "seat", "too strong"),
        (kinds.STRATEGY, "plan", "too strong"),
    ):
        found.append((len({target.name for target in missed if target.topic == topic}), thing, words))
    said = [
        f"{counted_word(size, thing)} {'is' if size == 1 else 'are'} {words}." for size, thing, words in found if size
    ]
    if size := len(shown) - len(missed):
        said.append(f"{number_word(size)}{' more' * bool(missed)} {'is' if size == 1 else 'are'} too close to call.")
    return " ".join(said) or "Nothing has to change."


def tally(counts: Counter[str | None]) -> list[tuple[str, int, str]]:
    return [(LOOKS[state], counts[state], STATE_WORDS[state]) for state in (MET, OPEN, MISSED) if counts[state]]


def number_word(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def counted_word(number: int, thing: str) -> str:
    return f"{number_word(number)} {thing}{'' if number == 1 else 's'}"


def gauge(value: float, base: float, limit: float | None, span: tuple[float, float] | None, limit_at: float) -> str:
    """Places on a card's bar in percent: official range, limit and this board."""
    edge = limit if limit is not None else (span[1] if span else base)
    room = max((edge - base) / limit_at if limit_at else 1.0 - base, (value - base) / 0.96, 1e-9)
    low, high, at_edge = (min(max((end - base) / room, 0.0), 1.0) * 100 for end in (*(span or (base, edge)), edge))
    at = min(max((value - base) / room, 0.015), 0.985) * 100
    return f"--lo:{low:.1f}%;--hi:{high:.1f}%;--x:{at_edge:.1f}%;--v:{at:.1f}%"


def effect_bar(value: float, half: float, before: float = 0.0) -> str:
    """Places of an effect bar in percent, cut at its edges, with a pale bar for the effect before."""
    if math.isnan(value):
        return "--a:50%;--b:50%;--l:50%;--h:50%"
    spread = 0.0 if math.isnan(half) else half
    shares = (value, value - spread, value + spread, before)
    value_at, low, high, before_at = (min(max(50 + share / EFFECT_SCALE * 50, 0.0), 100.0) for share in shares)
    a, b = sorted((50.0, value_at))
    c, d = sorted((50.0, before_at))
    places = f"--a:{a:.1f}%;--b:{b:.1f}%;--l:{low:.1f}%;--h:{high:.1f}%"
    return f"{places};--c:{c:.1f}%;--d:{d:.1f}%" if before else places


def official_words(span: tuple[float, float] | None, decimals: int) -> str:
    ends = dict.fromkeys(decimal(end * 100, decimals) for end in span or ())  # equal ones once
    return f"official boards {' to '.join(ends)}" if ends else ""


def change_context(edition: Edition, changes: Sequence[Change]) -> dict[str, Any]:
    """Context of a page of changes: the board with a mark for each change that has a sign."""
    states = {look: state for state, look in LOOKS.items()}
    marks = []
    for change in changes:
        if change.sign:
            words = change.change or change.words
            marks.append(Mark(change.sign, change.name, words, states[change.look], change.route, change.ticket))
    return {
        "edition": edition,
        "stage": draw_stage(edition, marks, pd.DataFrame()),
        "marks": marks,
        "rows": changes,
        "map_rules": "",
        "has_routes": False,
        "choices": [],
        "explain": Explainer(),
    }


def page_card(title: str, state: str, views: Mapping[int, CardView], game: str = "") -> dict[str, Any]:
    """A card for the template, with its texts by player count and the address of a game to watch."""
    return {"title": title, "look": LOOKS[state], "state": STATE_WORDS[state], "views": views, "game": game}
