"""Follow logged games with the engine, choice by choice, and compare the legal choices with the referee's.

The deal comes from the run's seed, the choices from the log; no bot is asked. No log can show what was offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product, zip_longest
from typing import Any

from ttr_sim.edition.canonical import in_canonical_order
from ttr_sim.edition.model import Edition
from ttr_sim.engine import actions
from ttr_sim.engine.stepping import Game, IllegalChoiceError
from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.audit import sampled
from ttr_sim.referee.cards import can_draw_cards
from ttr_sim.referee.claims import why_closed
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.referee.tickets import can_discard, can_draw_tickets
from ttr_sim.run.read import Run

SETUP = -1
SAMPLED_GAMES = 10
Choice = tuple[object, ...]
Choices = frozenset[Choice]


class FollowedGame:
    """A logged game; `turns` and `tickets` are its rows, with the columns of the log as attributes."""

    def __init__(
        self, edition: Edition, players: int, seed: int, deal: int, turns: Sequence[Any], tickets: Sequence[Any]
    ) -> None:
        canonical = in_canonical_order(edition)
        self.edition = edition
        self.game = Game(edition, players, seed, deal)
        self.turns = turns
        self.tickets = tickets
        self.rows_of_cities, self.rows_of_routes = canonical.city_rows, canonical.route_rows
        self.colors = {color.letter: index for index, color in enumerate(edition.colors)} | {WILD_LETTER: actions.WILD}
        self.letters = {index: letter for letter, index in self.colors.items()}

    def choices(self) -> Iterator[Choices]:
        """Yield every legal choice of each decision after setup, and make the logged one.

        Raise engine.stepping.IllegalChoiceError where the engine refuses what the log has.
        """
        while not self.game.is_over:
            turn = None if self.game.turn == SETUP else self.turns[self.game.turn]
            if turn is not None:
                yield frozenset(map(self._in_log_terms, self.game.choices()))
            self.game.apply(int(self._logged_answer(int(self.game.view["decision"]), turn)))

    def _in_log_terms(self, answer: int) -> Choice:
        kind, a, b, c = answer & 255, answer >> 8 & 255, answer >> 16 & 255, answer >> 24 & 255
        color = None if b == actions.WILD else self.letters.get(b)
        if kind == actions.ANSWER_DRAW_ROW:
            return "draw", self.letters[a]
        if kind == actions.ANSWER_CLAIM:
            return "claim", self.rows_of_routes[a], color, c
        if kind == actions.ANSWER_STATION:
            return "station", self.rows_of_cities[a], color, c
        if kind == actions.ANSWER_TICKETS:
            decks = range(len(self.edition.decks)) if self.edition.ticket_rules.mix else ()
            return ("tickets", *(answer >> 8 + 8 * deck & 255 for deck in decks))
        return {
            actions.ANSWER_DRAW_DECK: ("draw", None),
            actions.ANSWER_DISCARD: ("discard",),
            actions.ANSWER_PASS: ("pass",),
            actions.ANSWER_KEEP: ("keep", a),
            actions.ANSWER_PAY_TUNNEL: ("pay", c),
            actions.ANSWER_GIVE_UP: ("give up",),
            actions.ANSWER_PASSENGER: ("passenger", self.letters.get(a)),
        }[kind]

    def _logged_answer(self, decision: int, turn: Any) -> Any:
        view = self.game.view
        if decision == actions.ASK_MIX:
            return self._mix(turn)
        if decision == actions.ASK_KEEP:
            offer = self._offer(int(view["n_offered"]))
            return actions.keep(sum(1 << place for place, row in enumerate(offer) if row.kept))
        if decision == actions.ASK_SECOND:
            return self._draw(turn.card2, turn.card2_from)
        if decision == actions.ASK_TUNNEL:
            return actions.pay_tunnel(turn.wilds - _wilds_laid(turn)) if turn.claimed else actions.give_up()
        if decision == actions.ASK_PASSENGER:
            city = self.rows_of_cities[int(view["passenger_city"])]
            at_first_end = city == self.edition.routes[turn.route].a
            return actions.passenger(self.colors[turn.passenger1 if at_first_end else turn.passenger2])
        return self._logged_action(turn)

    def _logged_action(self, turn: Any) -> Any:
        color = actions.WILD if turn.color is None else self.colors[turn.color]
        if turn.action == "draw":
            return self._draw(turn.card1, turn.card1_from)
        if turn.action == "claim":
            return actions.claim(self.rows_of_routes.index(turn.route), color, _wilds_laid(turn))
        if turn.action == "tickets":
            return self._mix(turn) if self.edition.ticket_rules.mix else actions.draw_tickets()
        if turn.action == "station":
            return actions.build_station(self.rows_of_cities.index(turn.city), color, turn.wilds)
        return actions.discard_tickets() if turn.action == "discard" else actions.pass_turn()

    def _draw(self, letter: str, source: str) -> Any:
        return actions.draw_row(self.colors[letter]) if source == "row" else actions.draw_deck()

    def _mix(self, turn: Any) -> Any:
        rules = self.edition.ticket_rules
        wanted = rules.deal_total if turn is None else rules.draw_total
        counts = [0, 0, 0, 0]
        for row in self._offer(min(wanted, int(self.game.view["deck_tickets"].sum()))):
            counts[self.edition.tickets[row.ticket].deck] += 1
        return actions.ticket_mix(*counts)

    def _offer(self, count: int) -> list[Any]:
        """The rows of the tickets offered to this seat now."""
        # Later ones of the turn replace completed ones.
        turn, seat = self.game.turn, self.game.seat
        return [row for row in self.tickets if row.turn == turn and row.seat == seat][:count]


def _wilds_laid(turn: Any) -> int:
    """The fewest wilds that can have been laid down for a claim."""
    # The log has their sum with a tunnel's extra.
    extra = turn.tunnel_cost if turn.claimed and turn.tunnel_cost else 0
    return int(turn.wilds if turn.color is None and not extra else max(0, turn.wilds - extra))


def compare_choices(run: Run) -> list[str]:
    """List where the choices differ in a few evenly spaced games."""
    parts = list(parts_of(run.path))
    wanted = set(sampled([number for part in parts for number in part.games], SAMPLED_GAMES))
    found = []
    for part in parts:
        for log in read_games(part, [number for number in part.games if number in wanted]):
            message = _difference(run, log)
            if message is not None:
                found.append(f"game {log.game.game}: {message}")
    return found


def _difference(run: Run, log: GameLog) -> str | None:
    heard: list[Choices] = []
    audit_game(Rulebook(run.edition), log, listener(heard))
    plan = run.plan
    followed = FollowedGame(run.edition, plan.players, plan.seed, log.game.deal, log.turns, log.tickets)
    by_rules = (choices for choices in heard if len(choices) > 1)  # what leaves no choice is not always asked
    try:
        offered = [choices for choices in followed.choices() if len(choices) > 1]
    except (IllegalChoiceError, LookupError) as error:
        return f"the engine cannot follow the log: {error}"
    nothing: Choices = frozenset()
    for number, (engine, referee) in enumerate(zip_longest(offered, by_rules, fillvalue=nothing)):
        if engine != referee:
            return f"decision {number}: {_listed(engine - referee)} offered, {_listed(referee - engine)} left out"
    return None


def _listed(choices: Choices) -> str:
    return ", ".join(sorted(" ".join(map(str, choice)) for choice in choices)) or "nothing"


def listener(heard: list[Choices]) -> Callable[[Position, str, tuple[Any, ...]], None]:
    """Collect the legal choices of each decision that the referee announces."""
    lists: dict[str, Callable[..., Iterator[Choice]]] = {
        "turn": _turn_choices,
        "second card": lambda position: _draws(
            position, set(position.row.cards if position.row else ()) - {WILD_LETTER}
        ),
        "tunnel": _tunnel_payments,
        "passenger": lambda _, waiting: (("passenger", letter) for letter, count in waiting.items() if count),
        "keep": lambda _, offered, least: (
            ("keep", mask) for mask in range(1 << offered) if mask.bit_count() >= min(least, offered)
        ),
    }
    return lambda position, kind, facts: heard.append(frozenset(lists[kind](position, *facts)))


def _turn_choices(position: Position) -> Iterator[Choice]:
    """Every action of a turn; a pass only when there is no other."""
    assert position.seat is not None
    actions: list[Choice] = []
    if can_draw_cards(position):
        actions += _draws(position, set(position.row.cards) if position.row else set())
    for number, route in enumerate(position.edition.routes):
        if why_closed(position, position.seat, number) is None:
            printed = position.rules.route_letters[number]
            payments = _payments(position, route.length, printed, route.locomotives)
            actions += [("claim", number, *payment) for payment in payments]
    actions += [*_ticket_draws(position), *_stations(position)]
    if can_discard(position, position.seat):
        actions.append(("discard",))
    yield from actions or [("pass",)]


def _draws(position: Position, letters: set[str]) -> Iterator[Choice]:
    if position.row is not None and position.row.is_open:
        yield from (("draw", letter) for letter in letters)
    if position.piles.size > 0:
        yield ("draw", None)


def _payments(
    position: Position, price: int, printed: str | None, least_wilds: int
) -> Iterator[tuple[str | None, int]]:
    """Color and wilds of every way to pay; the color is None for wilds alone."""
    assert position.seat is not None
    hand = position.seats[position.seat].hand
    for letter in position.rules.letters[:-1] if printed is None else (printed,):
        for wilds in range(least_wilds, min(price - 1, hand[WILD_LETTER]) + 1):
            if hand[letter] >= price - wilds:
                yield letter, wilds
    if hand[WILD_LETTER] >= price:
        yield None, price


def _ticket_draws(position: Position) -> Iterator[Choice]:
    rules = position.edition.ticket_rules
    if not rules.mix:
        yield from [("tickets",)] if can_draw_tickets(position) else []
        return
    left = [len(deck) for deck in position.decks]
    total = min(rules.draw_total, sum(left))
    if total:
        mixes = product(*(range(min(total, count) + 1) for count in left))
        yield from (("tickets", *mix) for mix in mixes if sum(mix) == total)


def _stations(position: Position) -> Iterator[Choice]:
    assert position.seat is not None
    rule, built = position.edition.stations, len(position.seats[position.seat].stations)
    if rule is None or built >= rule.count:
        return
    payments = list(_payments(position, built + 1, None, 0))
    for city in range(len(position.edition.cities)):
        if city not in position.station_cities:
            yield from (("station", city, *payment) for payment in payments)


def _tunnel_payments(position: Position, turn: Any, extra: int) -> Iterator[Choice]:
    """How many of the extra cards may be wilds, if the cards that were laid down stay as they are."""
    yield ("give up",)
    hand = position.seats[turn.seat].hand
    length = position.edition.routes[turn.route].length
    laid_wilds = length if turn.color is None else max(0, turn.wilds - turn.tunnel_cost) if turn.claimed else turn.wilds
    colored = 0 if turn.color is None else hand[turn.color] - (length - laid_wilds)
    for wilds in range(extra + 1):
        if wilds <= hand[WILD_LETTER] - laid_wilds and extra - wilds <= colored:
            yield ("pay", wilds)
