"""Follow logged games with the engine, choice by choice, and compare the legal choices with the referee's.

The deal comes from the run's seed, the choices from the log; no bot is asked. No log can show what was offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from ttr_sim.edition.canonical import in_canonical_order
from ttr_sim.edition.model import Edition
from ttr_sim.engine import actions
from ttr_sim.engine.stepping import Game, IllegalChoiceError
from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.audit import sampled
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.run.opened import Run

SETUP = -1
SAMPLED_GAMES = 10
Choice = tuple[object, ...]
Choices = frozenset[Choice]


class FollowedGame:
    """A logged game; `turns` and `tickets` are its rows, with the columns of the log as attributes."""

    def __init__(
        self,
        edition: Edition,
        players: int,
        seed: int,
        deal: int,
        turns: Sequence[Any],
        tickets: Sequence[Any],
    ) -> None:
        canonical = in_canonical_order(edition)
        self.edition = edition
        self.game = Game(edition, players, seed, deal)
        self.turns = turns
        self.tickets = tickets
        self.rows_of_cities, self.rows_of_routes = canonical.city_rows, canonical.route_rows
        self.colors = {color.letter: index for index, color in enumerate(edition.colors)} | {WILD_LETTER: actions.WILD}
        self.letters = {index: letter for letter, index in self.colors.items()}
        self.answers: dict[int, Callable[[Any], int]] = {
            actions.ASK_MIX: self._mix,
            actions.ASK_KEEP: self._keep,
            actions.ASK_TURN: self._action,
            actions.ASK_SECOND: lambda turn: self._draw(turn.card2, turn.card2_from),
            actions.ASK_TUNNEL: self._tunnel,
            actions.ASK_PASSENGER: self._passenger,
        }

    def choices(self) -> Iterator[Choices]:
        """Yield every legal choice of each decision after setup, and make the logged one.

        Raise engine.stepping.IllegalChoiceError where the engine refuses what the log has.
        """
        while not self.game.is_over:
            turn = None if self.game.turn == SETUP else self.turns[self.game.turn]
            if turn is not None:
                yield frozenset(map(self._in_log_terms, self.game.choices()))
            self.game.apply(self.answers[int(self.game.view["decision"])](turn))

    def _in_log_terms(self, answer: int) -> Choice:
        kind, a, b, c = answer & 255, answer >> 8 & 255, answer >> 16 & 255, answer >> 24 & 255
        if kind == actions.ANSWER_DRAW_ROW:
            return "draw", self.letters[a]
        if kind == actions.ANSWER_CLAIM:
            return "claim", self.rows_of_routes[a], self._color(b), c
        if kind == actions.ANSWER_STATION:
            return "station", self.rows_of_cities[a], self._color(b), c
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

    def _color(self, color: int) -> str | None:
        return None if color == actions.WILD else self.letters[color]

    def _action(self, turn: Any) -> int:
        if turn.action == "draw":
            return self._draw(turn.card1, turn.card1_from)
        if turn.action == "claim":
            place = self.rows_of_routes.index(turn.route)
            return int(actions.claim(place, self._paid_color(turn), _wilds_laid(turn)))
        if turn.action == "tickets":
            return self._mix(turn) if self.edition.ticket_rules.mix else int(actions.draw_tickets())
        if turn.action == "station":
            return int(actions.build_station(self.rows_of_cities.index(turn.city), self._paid_color(turn), turn.wilds))
        return int(actions.discard_tickets() if turn.action == "discard" else actions.pass_turn())

    def _draw(self, letter: str, source: str) -> int:
        return int(actions.draw_row(self.colors[letter]) if source == "row" else actions.draw_deck())

    def _paid_color(self, turn: Any) -> int:
        return actions.WILD if turn.color is None else self.colors[turn.color]

    def _tunnel(self, turn: Any) -> int:
        return int(actions.pay_tunnel(turn.wilds - _wilds_laid(turn)) if turn.claimed else actions.give_up())

    def _passenger(self, turn: Any) -> int:
        city = self.rows_of_cities[int(self.game.view["passenger_city"])]
        at_first_end = city == self.edition.routes[turn.route].a
        return int(actions.passenger(self.colors[turn.passenger1 if at_first_end else turn.passenger2]))

    def _mix(self, turn: Any) -> int:
        rules = self.edition.ticket_rules
        wanted = rules.deal_total if turn is None else rules.draw_total
        counts = [0, 0, 0, 0]
        for row in self._offer(min(wanted, int(self.game.view["deck_tickets"].sum()))):
            counts[self.edition.tickets[row.ticket].deck] += 1
        return int(actions.ticket_mix(*counts))

    def _keep(self, turn: Any) -> int:
        offer = self._offer(int(self.game.view["n_offered"]))
        return int(actions.keep(sum(1 << place for place, row in enumerate(offer) if row.kept)))

    def _offer(self, count: int) -> list[Any]:
        """Return the rows of the tickets offered to this seat now; later ones of the turn replace completed ones."""
        turn, seat = self.game.turn, self.game.seat
        return [row for row in self.tickets if row.turn == turn and row.seat == seat][:count]


def _wilds_laid(turn: Any) -> int:
    """Return the fewest wilds that can have been laid down for a claim; the log has their sum with a tunnel's extra."""
    extra = turn.tunnel_cost if turn.claimed and turn.tunnel_cost else 0
    return int(turn.wilds if turn.color is None and not extra else max(0, turn.wilds - extra))


def compare_choices(run: Run) -> list[str]:
    """Return where the lists differ in a few evenly spaced games."""
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
    audit_game(Rulebook(run.edition), log, heard.append)
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
