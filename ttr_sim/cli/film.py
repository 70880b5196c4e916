"""A logged game for its page: positions and words from the referee."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.errors import UserError, command_line
from ttr_sim.referee.audit import one_game, some_games, violations_of
from ttr_sim.referee.log import GameLog
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import Rulebook, capitalized, listed, player_name
from ttr_sim.referee.telling import OpenRoutes, player_names, tell_end, tell_setup, tell_turns
from ttr_sim.report.replay import Film, FilmMark, Scene, SeatView, empty_board, write_game

if TYPE_CHECKING:
    from ttr_sim.analysis.watch import GameToWatch
    from ttr_sim.edition.model import Edition
    from ttr_sim.run.read import Run

DONE: SeatView = {"done": True, "left": 0, "way": ()}  # a completed ticket

Plans = dict[tuple[int, int], list[tuple[int, int]]]


def film_of(run: Run, game: int, with_chances: bool = False) -> Film:
    """Follow a game of a run by the rules."""
    # Chances to win are a model of the whole run, which takes some seconds.
    return _film(run, *one_game(run.path, game, run.edition), with_chances)


def film_games(games: Sequence[tuple[GameToWatch, Path]], edition: Edition) -> None:
    """Write the pages of games to watch."""
    # They share their board, and games of a run are read together.
    from ttr_sim.run.read import open_run

    empty = empty_board(edition)
    for folder in dict.fromkeys(watched.run for watched, _ in games):
        run = open_run(folder, edition)
        pages = {watched.game: (watched, path) for watched, path in games if watched.run == folder}
        rules, logs = some_games(run.path, list(pages), run.edition)
        for log in logs:
            watched, path = pages[log.game.game]
            command = command_line("replay", run.path, watched.game, "--out", path.name)
            write_game(_film(run, rules, log, with_chances=True), path, command, empty, watched.words)


def _film(run: Run, rules: Rulebook, log: GameLog, with_chances: bool) -> Film:
    chances = None
    if with_chances:
        from ttr_sim.analysis.win_probability import win_chances_of_game

        chances = win_chances_of_game(run, log.game.game)
    camera = Camera(rules, log)
    if violations := violations_of(rules, log, camera.take):
        audit = command_line("audit", run.path)
        raise UserError(f"{run.path} cannot be shown ({violations[0].sentence()}); see all that is wrong with: {audit}")
    # Trains below tunnels given up, these below stations: a later mark lies above.
    drawn: dict[str, list[FilmMark]] = {"train": [], "tried": [], "lent": [], "station": []}
    taken: dict[tuple[int, str], list[int]] = {}  # turns by home and color of the passenger
    for turn in log.turns:
        if turn.action == "station":
            drawn["station"].append(FilmMark("station", turn.city, turn.seat, turn.turn + 1))
        elif turn.action == "claim":
            kind, route = "train" if turn.claimed else "tried", rules.edition.routes[turn.route]
            drawn[kind].append(FilmMark(kind, turn.route, turn.seat, turn.turn + 1))
            for city, letter in ((route.a, turn.passenger1), (route.b, turn.passenger2)):
                if letter:
                    taken.setdefault((rules.passenger_home[city], letter), []).append(turn.turn + 1)
    for row in log.seats:
        for pair in filter(None, (row.lent or "").split(",")):
            drawn["lent"].append(FilmMark("lent", int(pair.split(":")[1]), row.seat, len(log.turns) + 1))
    pawns: dict[int, list[tuple[str, int | None]]] = {}
    for city, letters in enumerate((log.game.passengers or "").split(",")):
        for letter in letters:
            # Passengers of one color are alike: the first to be taken is the first in the row.
            steps = taken.get((city, letter))
            pawns.setdefault(city, []).append((letter, steps.pop(0) if steps else None))
    last = camera.final()
    title, names = f"Game {log.game.game} on {rules.edition.title}", tuple(map(capitalized, player_names(log)))
    things = tuple(chain(*drawn.values())), pawns, *plans_of(run, log)
    return Film(rules.edition, title, names, last["lines"][-1], (*camera.scenes, last), *things, chances)


def plans_of(run: Run, log: GameLog) -> tuple[Plans, str | None]:
    """Re-simulate the game to recover its bots' plans, or explain why not."""
    from ttr_sim.run.wants import wants_of_game, why_no_wants

    unknown = why_no_wants(run)
    if unknown:
        return {}, unknown
    wants = wants_of_game(run, log)
    if wants is None:
        return {}, "played again, the game went another way"
    if not any(seat.plans for seat in log.seats):
        return {}, "none of these bots makes plans"
    taken = {turn.route: turn.turn + 1 for turn in log.turns if turn.action == "claim" and turn.claimed}
    plans: Plans = {}
    for seat in range(len(log.seats)):
        for route in sorted(frozenset().union(*(scene[seat] for scene in wants))):
            # A plan for a taken route is not drawn: the bot replans only in its next turn.
            end = min(taken.get(route, len(wants)), len(wants))
            planned = [False, *(route in scene[seat] for scene in wants[:end]), False]
            changes = [step for step, (before, now) in enumerate(pairwise(planned)) if before != now]
            if changes:
                plans[route, seat] = list(zip(changes[::2], changes[1::2], strict=True))
    return plans, None


class Camera:
    """Records a scene after setup and each turn of a game."""

    def __init__(self, rules: Rulebook, log: GameLog) -> None:
        self.rules, self.log = rules, log
        self.scenes: list[Scene] = []
        self._lines = [tuple(tell_setup(rules, log)), *map(tuple, tell_turns(rules, log))]
        self._closed = [tuple(tell_setup(rules, log, ())), *map(tuple, tell_turns(rules, log, ()))]
        self._claimed: set[int] = set()  # routes
        self._open: list[OpenRoutes] = []  # by seat

    def take(self, position: Position) -> None:
        step, players = len(self.scenes), range(position.players)
        turn = self.log.turns[step - 1] if step else None
        claimed = {route for route, owner in enumerate(position.owner) if owner is not None}
        new, self._claimed = claimed - self._claimed, claimed
        if turn is None:
            self._open = [OpenRoutes(position, seat) for seat in players]
        elif new:
            for view in self._open:
                view.after_claims(position, tuple(new))
        # Searching ways takes most of the time: without a claim only the mover's view can change.
        changed = players if turn is None or new else (turn.seat,)
        edition = position.edition
        seats: list[SeatView] = list(self.scenes[-1]["seats"]) if step else [{} for _ in players]
        for seat in changed:
            state, tickets = position.seats[seat], list[SeatView]()
            for holding in sorted([*state.completed, *state.held], key=lambda holding: holding.order):
                if holding.completed:
                    tickets.append({"ticket": holding.ticket} | DONE)
                    continue
                way = self._open[seat].way(position, holding.ticket)
                left, routes = (way.trains, way.routes) if way else (None, ())
                tickets.append({"ticket": holding.ticket, "done": False, "left": left, "way": routes})
            riders = "".join(letter * count for letter, count in state.passengers.items())
            seats[seat] = {
                "hand": "".join(letter * count for letter, count in state.hand.items()),
                "trains": state.trains,
                "score": state.public_score,
                "tickets": tickets,
                "stations": edition.stations.count - len(state.stations) if edition.stations else None,
                "passengers": riders if edition.passengers else None,
                "merchandise": state.merchandise if edition.merchandise else None,
                "bonus": state.bonus_ticket if edition.bonus_ticket else None,
            }
        rivals = [n for n in players if turn and (turn.wanted_by or 0) >> n & 1 and n != turn.seat]
        others = listed([f"the {player_name(seat)}" for seat in rivals])
        scene = {
            "mover": turn.seat if turn else None,
            "lines": self._lines[step],
            "closed": self._closed[step],
            "secret": (f"Also in the plans of {others}.",) if rivals else (),
            "row": position.row.cards if position.row else None,
            "deck": position.piles.deck_size,
            "discards": position.piles.discard_size,
            "merchandise": position.merchandise_left if edition.merchandise else None,
            "seats": seats,
        }
        self.scenes.append(scene)

    def final(self) -> Scene:
        """The final scoring: the last turn's table with the log's final scores."""
        lines = tuple(tell_end(self.rules, self.log, [capitalized(name) for name in player_names(self.log)]))
        seats = []
        for seat, view in enumerate(self.scenes[-1]["seats"]):
            done = {row.ticket for row in self.log.tickets if row.seat == seat and row.completed}
            # A station may have completed one at the end.
            tickets = [held | DONE if held["ticket"] in done else held for held in view["tickets"]]
            seats.append(view | {"score": self.log.seats[seat].score, "tickets": tickets})
        return self.scenes[-1] | {"mover": None, "lines": lines, "closed": lines, "secret": (), "seats": seats}
