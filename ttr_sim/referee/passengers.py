"""Passengers: placed by city at setup, taken from both ends of a claimed route, scored by color."""

from __future__ import annotations

from collections import Counter

from ttr_sim.referee import words
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

RULE = "passengers"


def place_passengers(table: Table) -> None:
    """Each city gets its number, a country its sum on its first spot, out of equally many of each color."""
    logged = table.log.game.passengers
    rule = table.edition.passengers
    if rule is None:
        table.expect(RULE, "the passengers placed", logged, None)
        return
    placed = ("" if logged is None else logged).split(",")
    due = _numbers_by_city(table)
    if [len(letters) for letters in placed] != due:
        raise RuleError(RULE, "the numbers of passengers placed are not those of cities.csv")
    colors = Counter("".join(placed))
    allowed = {table.edition.colors[color].letter for color in rule.colors}
    for letter, count in colors.items():
        if letter not in allowed or count > rule.each:
            raise RuleError(RULE, f"{count} {words.color_name(table.rules, letter)} passengers were placed")
    for city, letters in enumerate(placed):
        for letter in letters:
            table.city_passengers[city][letter] += 1


def _numbers_by_city(table: Table) -> list[int]:
    numbers = [0] * len(table.edition.cities)
    for city, entry in enumerate(table.edition.cities):
        numbers[table.rules.passenger_home[city]] += entry.passengers
    return numbers


def take_passengers(table: Table, turn: TurnRow, route: int) -> None:
    """One from each end where there is one; none when the route was given up."""
    if not turn.claimed or table.edition.passengers is None:
        table.expect(RULE, "passenger1", turn.passenger1, None)
        table.expect(RULE, "passenger2", turn.passenger2, None)
        return
    entry = table.edition.routes[route]
    _take(table, turn.seat, entry.a, turn.passenger1)
    _take(table, turn.seat, entry.b, turn.passenger2)


def _take(table: Table, seat: int, city: int, letter: str | None) -> None:
    waiting = table.city_passengers[table.rules.passenger_home[city]]
    name = words.city(table.rules, city)
    if letter is None:
        if any(waiting.values()):
            raise RuleError(RULE, f"no passenger was taken in {name} though some were waiting")
        return
    if not waiting.get(letter):
        raise RuleError(RULE, f"{name} had no {words.color_name(table.rules, letter)} passenger to take")
    waiting[letter] -= 1
    table.seats[seat].passengers[letter] += 1


def passenger_points(table: Table) -> list[int]:
    """Over all colors."""
    rule = table.edition.passengers
    assert rule is not None
    letters = [table.edition.colors[color].letter for color in rule.colors]
    by_color = (
        majority_points([state.passengers[letter] for state in table.seats], rule.most, rule.second)
        for letter in letters
    )
    return [sum(points) for points in zip(*by_color, strict=True)]


def majority_points(held: list[int], most: int, second: int) -> list[int]:
    """Of one color: the most and, where one seat alone has them, the second most; nothing for none."""
    first = max(held)
    next_best = max((count for count in held if count < first), default=0)
    prizes = {first: most}
    if held.count(first) == 1:
        prizes[next_best] = second
    return [prizes.get(count, 0) if count else 0 for count in held]
