"""One game per edition as readable text: a change of the rules' outcome shows as a changed line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.engine.rig import Position, any_answer, edition_of
from ttr_sim.engine.actions import ASK_TURN
from ttr_sim.engine.stepping import ticket_name
from ttr_sim.log import SCORE_PARTS

FOLDER = Path(__file__).parents[1] / "golden"
PLAYERS = {"usa": 3, "europe": 2, "germany": 3, "amsterdam": 4, "first_journey": 2}
PLAYERS |= {"new_york": 3, "london": 4, "india": 2}


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def game_text(name: str) -> str:
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    game, random = Position(edition_of(name), PLAYERS[name]), Random(f"golden {name}")
    yield f"{game.edition.title}, {PLAYERS[name]} seats, seed 1, deal 0; every answer is drawn by lot."
    yield ""
    for seat in range(PLAYERS[name]):
        yield f"seat {seat} is dealt {game.hand(seat)}"
    if game.edition.row:
        yield f"row {game.row()}"
    while not game.is_over:
        yield from _decision(game, random)
    yield ""
    yield f"The game ends after {game.turn + 1} turns: {game.end()}."
    yield from (_reckoning(game, seat) for seat in range(PLAYERS[name]))


def _decision(game: Position, random: Random) -> Iterator[str]:
    """The question, the answer, and what the turn leaves when it is over."""
    seat, turn = game.seat, game.turn
    if game.view["decision"] == ASK_TURN:
        face_up = f"row {game.row() or 'empty'}, " if game.edition.row else ""
        piles = f"deck {game.view['deck_cards']}, discards {game.discards() or 'empty'}"
        yield f"turn {turn}, seat {seat}: {face_up}{piles}"
    offered = [ticket_name(game.edition, int(ticket)) for ticket in game.view["offered"][: game.view["n_offered"]]]
    if offered:
        yield f"  seat {seat} is offered {', '.join(offered)}"
    if game.view["tunnel_cost"] and game.decision.startswith("pay"):
        yield f"  the tunnel costs {game.view['tunnel_cost']} more"
    answer = any_answer(game, random)
    yield f"  {game.in_words(answer)}"
    game.apply(answer)
    if game.is_over or (game.turn, game.seat) != (turn, seat):
        yield f"  {_standing(game, seat)}"


def _standing(game: Position, seat: int) -> str:
    table = game.view
    held = int(table["held_tickets"][seat])
    text = f"= {game.hand(seat) or 'no card'}; {held} tickets"
    text += f", {table['trains'][seat]} trains, {table['score'][seat]} points"
    extras = {
        "stations": (game.edition.stations, table["stations"][seat]),
        "merchandise": (game.edition.merchandise, table["merchandise"][seat]),
        "completed": (game.edition.instant_tickets, table["completed"][seat]),
        "passengers": (game.edition.passengers, game.letters(table["held_passengers"][seat]) or "none"),
    }
    return text + "".join(f", {name} {value}" for name, (feature, value) in extras.items() if feature)


def _reckoning(game: Position, seat: int) -> str:
    result: Any = game.state["results"][seat]
    parts = [f"{part.column} {n}" for part, n in zip(SCORE_PARTS[1:], result["points"][1:], strict=True) if n]
    counts = f"{result['completed']} tickets completed, {result['failed']} failed, longest path {result['longest']}"
    text = f"seat {seat}: rank {result['rank']}, score {result['score']} = routes {game.view['score'][seat]}"
    return ", ".join([text, *parts]) + f"; {counts}"
