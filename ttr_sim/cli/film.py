"""A logged game as its page shows it: positions and words from the referee, for the report's page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.errors import UserError, command_line
from ttr_sim.referee import words
from ttr_sim.referee.audit import one_game, some_games, violations_of
from ttr_sim.referee.log import GameLog
from ttr_sim.referee.position import Holding, Position, SeatState
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.referee.telling import player_names, tell_end, tell_setup, tell_turns
from ttr_sim.referee.ways import OpenRoutes
from ttr_sim.report.replay.film import Film, HeldTicket, Mark, Plans, Scene, SeatView, Waiting, Wanted

if TYPE_CHECKING:
    from ttr_sim.analysis.watch import GameToWatch
    from ttr_sim.edition.model import Edition
    from ttr_sim.run.opened import Run
    from ttr_sim.run.wants import Wants

NOBODY: tuple[int, ...] = ()


Chances = Sequence[Sequence[float]]  # to win, by scene and seat, setup first
KnowChances = Callable[["Run", GameLog], Chances | None]


def film_of(run: Run, game: int, know_chances: KnowChances | None = None) -> Film:
    """Follow a game of a run by the rules."""
    return _film(run, *one_game(run.path, game, run.edition), know_chances)


def film_games(games: Sequence[tuple[GameToWatch, Path]], edition: Edition) -> None:
    """Write the pages of games to watch: they share their board, and those of a run are read together."""
    from ttr_sim.analysis.chances.sample import chances_of_game
    from ttr_sim.report.replay.board import set_stage
    from ttr_sim.report.replay.page import write_game
    from ttr_sim.run.opened import open_run

    stage = set_stage(edition)
    for folder in dict.fromkeys(watched.run for watched, _ in games):
        run = open_run(folder, edition)
        pages = {watched.game: path for watched, path in games if watched.run == folder}
        rules, logs = some_games(run.path, list(pages), run.edition)
        for log in logs:
            game = log.game.game
            command = command_line("replay", run.path, game, "--out", pages[game].name)
            write_game(_film(run, rules, log, chances_of_game), pages[game], command, stage)


def _film(run: Run, rules: Rulebook, log: GameLog, know_chances: KnowChances | None) -> Film:
    scenes = _scenes(run.path, rules, log)
    names = tuple(words.sentence(name) for name in player_names(log))
    *_, result = tell_end(rules, log, list(names))
    turns = [(turn.turn + 1, turn) for turn in log.turns]
    claims = [(Mark(turn.route, turn.seat, step), turn.claimed) for step, turn in turns if turn.action == "claim"]
    return Film(
        rules.edition,
        f"Game {log.game.game} on {rules.edition.title}",
        names,
        result,
        scenes,
        tuple(mark for mark, claimed in claims if claimed),
        tuple(mark for mark, claimed in claims if not claimed),
        tuple(Mark(turn.city, turn.seat, step) for step, turn in turns if turn.action == "station"),
        tuple(_lent(log)),
        tuple(_passengers(rules, log)),
        _plans(run, log),
        know_chances and know_chances(run, log),
    )


def _plans(run: Run, log: GameLog) -> Plans:
    """Play the game again to hear what its planning bots wanted, if that can be done."""
    from ttr_sim.run.wants import wants_of_game, why_no_wants

    unknown = why_no_wants(run)
    if unknown:
        return Plans(unknown=unknown)
    wants = wants_of_game(run, log)
    if wants is None:
        return Plans(unknown="played again, the game went another way")
    if not any(seat.plans for seat in log.seats):
        return Plans(unknown="none of these bots makes plans")
    return Plans(tuple(_wanted(wants, log)))


def _wanted(wants: Wants, log: GameLog) -> Iterator[Wanted]:
    """Yield when each seat wanted each route that nobody had taken."""
    taken = {turn.route: turn.turn + 1 for turn in log.turns if turn.action == "claim" and turn.claimed}
    for seat in range(len(log.seats)):
        for route in sorted(frozenset().union(*(scene[seat] for scene in wants))):
            end = min(taken.get(route, len(wants)), len(wants))
            spans = tuple(_spans([route in scene[seat] for scene in wants[:end]]))
            if spans:
                yield Wanted(route, seat, spans)


def _spans(held: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield from when until when something is true."""
    changes = [step for step, (before, now) in enumerate(pairwise([False, *held, False])) if before != now]
    yield from zip(changes[::2], changes[1::2], strict=True)


def _scenes(run: Path, rules: Rulebook, log: GameLog) -> tuple[Scene, ...]:
    camera = Camera(rules, log)
    violations = violations_of(rules, log, camera.take)
    if violations:
        audit = command_line("audit", run)
        raise UserError(f"{run} cannot be shown ({violations[0].sentence()}); see all that is wrong with: {audit}")
    return (*camera.scenes, camera.final())


class Camera:
    """Takes a scene after setup and after each turn of a game that the referee follows."""

    def __init__(self, rules: Rulebook, log: GameLog) -> None:
        self.rules, self.log = rules, log
        self.scenes: list[Scene] = []
        self._told = [tuple(tell_setup(rules, log)), *map(tuple, tell_turns(rules, log))]
        self._closed = [tuple(tell_setup(rules, log, NOBODY)), *map(tuple, tell_turns(rules, log, NOBODY))]
        self._claimed: set[int] = set()  # routes
        self._open: list[OpenRoutes] = []  # by seat

    def take(self, position: Position) -> None:
        changed = self._seats_changed(position)
        step = len(self.scenes)
        self.scenes.append(
            Scene(
                None if step == 0 else self.log.turns[step - 1].seat,
                self._told[step],
                self._closed[step],
                self._rivals(step),
                position.row.cards if position.row else None,
                position.piles.deck_size,
                position.piles.discard_size,
                position.merchandise_left if position.edition.merchandise else None,
                tuple(
                    self._seat(position, seat) if seat in changed else self.scenes[-1].seats[seat]
                    for seat in range(position.players)
                ),
            )
        )

    def final(self) -> Scene:
        """Return the final scoring: the last turn's table with the log's final scores."""
        last = self.scenes[-1]
        lines = tuple(tell_end(self.rules, self.log, [words.sentence(name) for name in player_names(self.log)]))
        seats = [self._seat_at_end(seat, view) for seat, view in enumerate(last.seats)]
        return Scene(None, lines, lines, (), last.row, last.deck, last.discards, last.merchandise, tuple(seats))

    def _seat_at_end(self, seat: int, view: SeatView) -> SeatView:
        """Show tickets that a station completed as completed."""
        done = {row.ticket for row in self.log.tickets if row.seat == seat and row.completed}
        tickets = [HeldTicket(held.ticket, True, 0, ()) if held.ticket in done else held for held in view.tickets]
        return SeatView(
            view.hand,
            view.trains,
            self.log.seats[seat].score,
            tuple(tickets),
            view.stations,
            view.passengers,
            view.merchandise,
            view.bonus,
        )

    def _rivals(self, step: int) -> tuple[str, ...]:
        """Name those whose published plan held the route that somebody else took or tried."""
        turn = self.log.turns[step - 1]
        if step == 0 or not turn.wanted_by:
            return ()
        others = [row.seat for row in self.log.seats if turn.wanted_by >> row.seat & 1 and row.seat != turn.seat]
        wanted = words.listed([f"the {words.player(seat)}" for seat in others])
        return (f"Also in the plans of {wanted}.",) if others else ()

    def _seats_changed(self, position: Position) -> Collection[int]:
        """Return which seats look otherwise than in the last scene: claims may change the ways of all of them."""
        everybody = range(position.players)
        claimed = {route for route, owner in enumerate(position.owner) if owner is not None}
        new, self._claimed = claimed - self._claimed, claimed
        if not self._open:
            self._open = [OpenRoutes(position, seat) for seat in everybody]
            return everybody
        for routes in self._open if new else ():
            routes.after_claims(position, tuple(new))
        return everybody if new else (self.log.turns[len(self.scenes) - 1].seat,)

    def _seat(self, position: Position, seat: int) -> SeatView:
        state, edition = position.seats[seat], position.edition
        return SeatView(
            "".join(letter * count for letter, count in state.hand.items()),
            state.trains,
            state.public_score,
            tuple(self._ticket(position, seat, holding) for holding in _in_order(state)),
            edition.stations.count - len(state.stations) if edition.stations else None,
            "".join(letter * count for letter, count in state.passengers.items()) if edition.passengers else None,
            state.merchandise if edition.merchandise else None,
            state.bonus_ticket if edition.bonus_ticket else None,
        )

    def _ticket(self, position: Position, seat: int, holding: Holding) -> HeldTicket:
        if holding.completed:
            return HeldTicket(holding.ticket, True, 0, ())
        way = self._open[seat].way(position, holding.ticket)
        return HeldTicket(holding.ticket, False, way and way.trains, way.routes if way else ())


def _in_order(state: SeatState) -> list[Holding]:
    return sorted([*state.completed, *state.held], key=lambda holding: holding.order)


def _lent(log: GameLog) -> Iterator[Mark]:
    for row in log.seats:
        for pair in (row.lent or "").split(","):
            if pair:
                yield Mark(int(pair.split(":")[1]), row.seat, len(log.turns) + 1)


def _passengers(rules: Rulebook, log: GameLog) -> Iterator[Waiting]:
    """Follow each passenger from the city where it was placed to the turn in which it was taken."""
    if log.game.passengers is None:
        return
    taken: dict[tuple[int, str], list[int]] = {}
    for turn in log.turns:
        for city, letter in _boarding(rules, turn.route, turn.passenger1, turn.passenger2):
            taken.setdefault((city, letter), []).append(turn.turn + 1)
    for city, letters in enumerate(log.game.passengers.split(",")):
        for letter in letters:
            steps = taken.get((city, letter))
            yield Waiting(city, letter, steps.pop(0) if steps else None)


def _boarding(rules: Rulebook, number: int | None, *letters: str | None) -> Iterator[tuple[int, str]]:
    if number is not None:
        route = rules.edition.routes[number]
        for city, letter in zip((route.a, route.b), letters, strict=True):
            if letter:
                yield rules.passenger_home[city], letter
