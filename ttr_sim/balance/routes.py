"""Candidate route edits and the race between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from scipy import special

from ttr_sim.analysis.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, Target, route_names
from ttr_sim.analysis.thresholds import ALPHA
from ttr_sim.balance.edits import ADD, CELL, COLOR, LENGTH, REMOVE, ROUTES, Edit, describe_edit
from ttr_sim.balance.evaluate import Evaluator, MeasuredBoard, Sample, estimates, gain
from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.map_tables import GRAY
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import routes_on_shortest_paths

LENGTHS, COLORS, DOUBLES = "lengths", "colors", "doubles"
MOST = 6  # candidates that race
PER_TICKET = 4  # of them for one ticket: the longest routes on its way
LOOKS = (8, 4, 2)  # parts of the sample's games that the race plays: losers drop out early


@dataclass(frozen=True)
class Allowed:
    """Kinds of edits that are allowed, and the rows of routes that are locked."""

    kinds: frozenset[str]
    locked: frozenset[int]


def candidates(edition: Edition, missed: Iterable[Target], edits: Collection[Edit], allowed: Allowed) -> list[Edit]:
    """List candidate edits, most useful first."""
    kinds, names = allowed.kinds, route_names(edition)
    # A route is edited once: a second edit of it would hide the gain of the first.
    touched = {edit.row for edit in edits if edit.file == ROUTES} | allowed.locked
    served: dict[Edit, float] = {}
    for target in missed:
        found: Iterable[Edit] = ()
        if target.ticket is not None:
            found = edits_on_the_way(edition, target.ticket, target.value > 0, kinds)
        elif target.name in names:
            # By name: the rows of an edited board, where the target was measured, may be others.
            row = names.index(target.name)
            if target.measure == CLAIMED:
                found = revivals(edition, row, kinds)
            elif target.measure in (FOUGHT_OVER, LOCKED_OUT) and DOUBLES in kinds and len(_group(edition, row)) == 1:
                found = (_double(edition, row),)
        for edit in dict.fromkeys(found):
            if edit.row not in touched:
                served[edit] = served.get(edit, 0.0) + target.beyond
    return sorted(served, key=lambda edit: -round(served[edit], 9))[:MOST]


def revivals(edition: Edition, row: int, kinds: frozenset[str]) -> Iterator[Edit]:
    route = edition.routes[row]
    longest = max(other.length for other in edition.routes)
    if LENGTHS in kinds:
        for length in (route.length - 1, route.length + 1):  # a short one is easy, a long one scores well
            if max(route.locomotives, 1) <= length <= longest:
                yield Edit(ROUTES, row, CELL, LENGTH, str(length))
    if COLORS in kinds and route.color is not None:
        yield Edit(ROUTES, row, CELL, COLOR, GRAY)
    if DOUBLES in kinds and len(_group(edition, row)) > 1:
        yield Edit(ROUTES, _group(edition, row)[-1], REMOVE)


def edits_on_the_way(edition: Edition, ticket: int, generous: bool, kinds: frozenset[str]) -> Iterator[Edit]:
    # Of parallel routes the first stands for all.
    way = routes_on_shortest_paths(edition, edition.tickets[ticket])
    first_of_group = {edition.routes[row].group: row for row in reversed(way)}.values()
    longest = max(route.length for route in edition.routes)
    for row in sorted(first_of_group, key=lambda row: (-edition.routes[row].length, row))[:PER_TICKET]:
        route, group = edition.routes[row], _group(edition, row)
        length = route.length + (1 if generous else -1)
        is_detour = generous and len(group) > 1  # a longer route next to one that stays as short changes little
        if LENGTHS in kinds and max(route.locomotives, 1) <= length <= longest and not is_detour:
            yield Edit(ROUTES, row, CELL, LENGTH, str(length))
        if DOUBLES in kinds and generous and len(group) > 1:
            yield Edit(ROUTES, group[-1], REMOVE)
        if DOUBLES in kinds and not generous and len(group) == 1:
            yield _double(edition, row)


def _double(edition: Edition, row: int) -> Edit:
    """Add a parallel route: gray next to gray, else the rarest color."""
    route = edition.routes[row]
    if route.color is None:
        return Edit(ROUTES, row, ADD, COLOR, GRAY)
    spaces: Counter[str] = Counter({color.name: 0 for color in edition.colors})
    for other in edition.routes:
        spaces[color_name(edition, other)] += other.length
    own = color_name(edition, route)
    rarest = min((name for name in spaces if name not in (own, GRAY)), key=lambda name: (spaces[name], name))
    return Edit(ROUTES, row, ADD, COLOR, rarest)


def _group(edition: Edition, row: int) -> list[int]:
    group = edition.routes[row].group
    return [other for other, route in enumerate(edition.routes) if route.group == group]


def race(evaluator: Evaluator, board: MeasuredBoard, candidates: Collection[Edit], sample: Sample) -> Edit | None:
    """Race candidates and pick the clear winner.

    Each look plays twice as many deals as the one before, without the candidates that are clearly behind by then.
    """
    left = list(candidates)
    for look, part in enumerate(LOOKS, start=1):
        # The board itself is played anew at each look, on the same deals as its rivals of that look.
        smaller = Sample(sample.games // part, sample.seed, sample.bots)
        title = f"race, look {look} of {len(LOOKS)}: the board as it is so far"
        before = estimates(evaluator.play(board.edits, smaller, title), board.targets, evaluator.yardstick)
        quantile = float(-special.ndtri(error_allowance(look, len(candidates)) / 2))
        gains: dict[Edit, tuple[float, float, float]] = {}  # value, low and high
        for edit in left:
            runs = evaluator.play((*board.edits, edit), smaller, f"race: {describe_edit(evaluator.original, edit)}")
            gained = gain(before, estimates(runs, board.targets, evaluator.yardstick), board.targets)
            value, half = float(gained.value[0]), quantile * float(gained.error[0])
            gains[edit] = value, value - half, value + half
        best_low = max((low for _, low, _ in gains.values()), default=0.0)
        left = [edit for edit, (_, _, high) in gains.items() if high > max(best_low, 0.0)]
        if not left:
            return None
    winner = max(left, key=lambda edit: (gains[edit][0], edit))
    return winner if gains[winner][1] > 0 else None


def error_allowance(look: int, candidates: int) -> float:
    """Chance of a false alarm that one look at one candidate may have."""
    # The sum over all looks and candidates stays below ALPHA, however early the race ends.
    return ALPHA / (look * (look + 1)) / candidates
