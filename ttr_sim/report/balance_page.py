"""The page of a balance: each edit with its effect before and after, and targets that stay missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ttr_sim.analysis.official import Ranges, official_ranges
from ttr_sim.analysis.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, MET, MISSED, OPEN, SEAT, STYLE, TICKET, Target
from ttr_sim.analysis.text import decimal
from ttr_sim.analysis.verdict import describe
from ttr_sim.balance.edits import TICKETS as TICKETS_FILE
from ttr_sim.balance.edits import Edit, describe_edit, name_and_change
from ttr_sim.report.cards import LOOKS, CardView, Change, change_context, counted_word, effect_bar, page_card, tally
from ttr_sim.report.document import write_document
from ttr_sim.report.folder import BALANCED, PAGE, changes_to, new_report
from ttr_sim.report.numbers import ALL, MISSING, WORDS, interval, players_words, written
from ttr_sim.report.tables import WHOLE_LIST, Heading, PageCell, View, plain_view, write_tables

if TYPE_CHECKING:
    from ttr_sim.analysis.tables import Unit
    from ttr_sim.balance.outcome import BalanceOutcome, BeforeAfter

# Words and unit of each measure, and its table and column among the official ranges.
MEASURES: dict[str, tuple[str, Unit, str, str]] = {
    TICKET: ("wins beyond tickets as long", "change", "ticket_value", "excess"),
    CLAIMED: ("claims per game", "number", "connections", "claims"),
    FOUGHT_OVER: ("fought over, claims per game", "number", "connections", "contention"),
    LOCKED_OUT: ("locks out, share of games", "share", "routes", "denial"),
    SEAT: ("wins of the best seat", "share", "seats", "win_share"),
    STYLE: ("wins of one such player among strong ones", "share", "", ""),
}
SYMBOLS = {MET: "✓ met", MISSED: "✗ missed", OPEN: "? open", None: "not measured"}
OFFICIAL = Heading("official boards", "where nine in ten of their tickets, connections or routes lie", numeric=True)
ASKED = ("what is measured", "players", "what is asked", "this board", OFFICIAL, "missed")
TARGETS = ("target", "measure", "players", "before", "after", "limit", OFFICIAL, "state")
PATH = ("edits", "the last of them", "targets missed", "the worst, % beyond its limit")


def write_balance(outcome: BalanceOutcome, command: str, folder: Path, force: bool = False) -> Path:
    edition, proof = outcome.order.edition, outcome.proof
    ranges = official_ranges(edition)
    tables = asked_of(proof.before.targets, ranges), before_and_after(proof.pairs, ranges), path_of(outcome)
    views = dict(zip(("fair", "targets", "path"), [view for _, view in tables], strict=True))
    edits = [change_of(outcome, number, edit) for number, edit in enumerate(outcome.edits, 1)]
    left = []
    for unfixed in outcome.unfixed:
        target = unfixed.target
        state, name = (str(target.state), describe(edition, target)) if target else (OPEN, unfixed.name)
        left.append((LOOKS[state], name, unfixed.why))
    context = change_context(edition, edits) | {
        "tally": tally(Counter(pair.after.state for pair in proof.pairs)),
        "games_note": proof.spot_check.sentence if proof.spot_check else "Both boards were played on the same deals.",
        "cards": list(topic_cards(proof.pairs)),
        "left": left,
        "outcome": outcome,
        "command": command,
        "views": views,
    }
    with new_report(folder, changes_to(edition.name), force) as new:
        write_tables(dict(zip(BALANCED, [table for table, _ in tables], strict=True)), new / "tables")
        write_document(new / PAGE, "balance.html.j2", context)
    return folder / PAGE


def change_of(outcome: BalanceOutcome, number: int, edit: Edit) -> Change:
    """An edit with the number that it moves most, before and after."""
    edition, pair = outcome.order.edition, moved_pair(outcome, edit)
    name, change = name_and_change(edition, edit)
    ticket, route = (edit.row, None) if edit.file == TICKETS_FILE else (None, edit.row)
    if pair is None or pair.before is None:
        return Change(name, change, sign=str(number), ticket=ticket, route=route)
    before, after, note = pair.before, pair.after, WORDS["per_100_games"][pair.before.measure]
    if before.measure == TICKET:
        words, plus = f"was too {before.side}" if before.side else "", "+"
        bar = effect_bar(after.value, (after.high - after.low) / 2, before.value)
    else:
        words, plus, bar = f"was {WORDS['missed'][before.measure]}", "", ""
        note += f" with {before.players} players" if before.players else ""
    old, new = (decimal(target.value * 100, plus=plus) for target in (before, after))
    return Change(name, change, LOOKS[after.state or MET], words, old, new, note, bar, str(number), route, ticket)


def moved_pair(outcome: BalanceOutcome, edit: Edit) -> BeforeAfter | None:
    """The target of the edited ticket, or the worst one of the edited route that was missed."""
    routes = outcome.order.edition.routes
    known = [(pair.before, pair) for pair in outcome.proof.pairs if pair.before and pair.before.row is not None]
    for before, pair in sorted(known, key=lambda each: -each[0].beyond):
        if edit.file == TICKETS_FILE and before.ticket == edit.row:
            return pair
        is_route = edit.file != TICKETS_FILE and before.measure != TICKET and before.state == MISSED
        if is_route and routes[before.row or 0].group == routes[edit.row].group:
            return pair
    return None


def topic_cards(pairs: Sequence[BeforeAfter]) -> Iterator[dict[str, Any]]:
    for topic, asked in WORDS["asked"].items():
        here = [pair for pair in pairs if pair.after.topic == topic and pair.after.state]
        if not here:
            continue
        before = sum(pair.before is not None and pair.before.state == MISSED for pair in here)
        after = sum(pair.after.state == MISSED for pair in here)
        is_open = any(pair.after.state == OPEN and pair.after.beyond for pair in here)
        state, claim = (OPEN, "Too close to call") if is_open else (MET, "Nothing missed")
        if after:
            state, claim = MISSED, f"{counted_word(after, 'target')} missed"
        view = CardView(claim, f"{before} → {after}", f"missed of {len(here)}", asked)
        yield page_card(topic.capitalize(), state, {ALL: view})


def path_of(outcome: BalanceOutcome) -> tuple[pd.DataFrame, View]:
    rows, cells = [], []
    before: frozenset[Edit] = frozenset()
    for board in outcome.found.path:
        edits = [describe_edit(outcome.order.edition, edit) for edit in board.edits if edit not in before]
        added, missed, before = " · ".join(edits), len(board.missed), frozenset(board.edits)
        rows.append((len(board.edits), added, missed, board.worst))
        cells.append([str(len(board.edits)), added, str(missed), f"{board.worst * 100:.0f}"])
    return pd.DataFrame(rows, columns=["edits", "edit", "missed", "worst"]), plain_view("path", PATH, cells)


def _in_words(target: Target, ranges: Ranges) -> tuple[str, str, str, str]:
    """Write a target's measure, player count, limit and official range."""
    words, unit, table, column = MEASURES[target.measure]
    players = players_words(target.players) if target.players else "all"
    floor, ceiling = target.limit
    if floor is None:
        limit = "none" if ceiling is None else f"at most {written(ceiling, unit)}"
    else:
        limit = f"at least {written(floor, unit)}" if ceiling is None else interval(floor, ceiling, unit)
    key = target.name.split(" ")[1] if target.measure == SEAT else WHOLE_LIST
    span = ranges.of(table, target.players, key, column)
    return words, players, limit, interval(*span, unit) if span else MISSING


def asked_of(before: Iterable[Target], ranges: Ranges) -> tuple[pd.DataFrame, View]:
    """The limits by kind and player count, next to both boards' numbers."""

    def kind_of(target: Target) -> tuple[int, int, str]:
        # A connection has one target, at the player count where it is claimed most.
        players = 0 if target.measure == CLAIMED else target.players
        return list(MEASURES).index(target.measure), players, str(target.limit)

    rows = []
    for _, group in groupby(sorted(before, key=kind_of), key=kind_of):
        targets = list(group)
        first, values = targets[0], [target.value for target in targets]
        measure, players, limit, _ = _in_words(first, ranges)
        if first.measure == CLAIMED:
            players = "the count with most"
        official = {_in_words(target, ranges)[3] for target in targets}
        span = interval(min(values), max(values), MEASURES[first.measure][1])
        missed = f"{sum(target.state == MISSED for target in targets)} of {len(targets)}"
        rows.append([measure, players, limit, span, official.pop() if len(official) == 1 else MISSING, missed])
    view = plain_view("asked", ASKED, rows)
    return pd.DataFrame(rows, columns=[heading.words for heading in view.headings]), view


def before_and_after(pairs: Iterable[BeforeAfter], ranges: Ranges) -> tuple[pd.DataFrame, View]:
    """All targets, and a view of tickets, seats and all not met, the missed and largest first."""

    def order(pair: BeforeAfter) -> tuple[bool, bool, float, str]:
        sizes = [abs(target.value) for target in (pair.before, pair.after) if target and target.measure == TICKET]
        return pair.after.state != MISSED, pair.after.state == MET, -max(sizes, default=0.0), pair.after.name

    records = []
    for pair in pairs:
        record = {"name": pair.after.name, "measure": pair.after.measure, "players": pair.after.players}
        for when, target in (("before", pair.before), ("after", pair.after)):
            for end, ending in (("value", ""), ("low", "_low"), ("high", "_high")):
                record[f"{when}{ending}"] = getattr(target, end, None)
        record["limit_low"], record["limit_high"] = pair.after.limit
        records.append(record | {"state": pair.after.state or ""})
    rows: list[list[PageCell | str]] = []
    for pair in sorted(pairs, key=order):
        target, name = pair.after, pair.after.name
        is_met = target.state == MET and (pair.before is None or pair.before.state == MET)
        if is_met and target.measure not in (TICKET, SEAT):
            continue
        if target.measure == SEAT:
            name = f"player {int(name.removeprefix('seat ')) + 1} in turn order"
        measure, players, limit, official = _in_words(target, ranges)
        unit, numbers = MEASURES[target.measure][1], []
        for each in (pair.before, target):
            between = interval(each.low, each.high, unit) if each else ""
            numbers.append(PageCell(written(each and each.value, unit), between))
        rows.append([name, measure, players, *numbers, limit, official, SYMBOLS[target.state]])
    return pd.DataFrame(records), plain_view("targets", TARGETS, rows)
