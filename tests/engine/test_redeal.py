"""Redeals: the same opening, and everything that is not dealt in another order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.bots.bot_games import board_of, column, load
from tests.engine.rig import edition_of
from ttr_sim.edition import official_names
from ttr_sim.engine.batch import BatchLog, Games, play_batch
from ttr_sim.engine.stepping import Game

REDEALS = (1, 2, 3)


def opening(game: Game) -> tuple[object, ...]:
    """What the seats are dealt and what lies open."""
    state = game.state
    holdings = state["holdings"][: int(game.view["players"])]
    tickets = [entry[name][: entry[f"n_{name}"]].tolist() for entry in holdings for name in ("offered", "tickets")]
    return holdings["hand"].tolist(), tickets, game.row(), game.view["passengers"].tolist()


def deck(game: Game) -> list[int]:
    hidden = game.state["hidden"]
    return [int(card) for card in hidden["deck"][hidden["deck_at"] : hidden["deck_end"]]]


def undealt(game: Game, number: int = 0) -> list[int]:
    hidden, left = game.state["hidden"], int(game.view["deck_tickets"][number])
    ring = hidden["ring"][number]
    return [int(ring[(int(hidden["ring_at"][number]) + i) % len(ring)]) for i in range(left)]


def past_mixes(game: Game) -> Game:
    """Let all seats announce the first mix, where they do."""
    while game.decision == "announce a mix of tickets":
        game.apply(game.choices()[0])
    return game


@pytest.mark.parametrize("name", official_names())
def test_a_redeal_keeps_the_opening_and_lays_the_rest_anew(name: str) -> None:
    for deal in range(5):
        plain, *others = (past_mixes(Game(edition_of(name), 3, deal=deal, redeal=n)) for n in (0, *REDEALS))
        assert [opening(game) for game in others] == [opening(plain)] * 3
        assert [Counter(deck(game)) for game in others] == [Counter(deck(plain))] * 3
        assert [set(undealt(game)) for game in others] == [set(undealt(plain))] * 3
        assert len({tuple(deck(game)) for game in (plain, *others)}) == 4
        assert len({tuple(undealt(game)) for game in (plain, *others)}) == 4
        assert len({int(game.state["hidden"]["deal_key"]) for game in (plain, *others)}) == 4
        assert len({game.view["route_tie"].tobytes() for game in (plain, *others)}) == 4


def test_every_undealt_ticket_is_as_likely_on_top() -> None:
    tops = Counter(undealt(Game(edition_of("usa"), 2, deal=4, redeal=n))[0] for n in range(1, 1_201))
    assert len(tops) == 24
    assert sum((n - 50) ** 2 / 50 for n in tops.values()) < 23 + 4.5 * 46**0.5


def test_every_color_is_as_likely_on_top_of_the_deck() -> None:
    games = [Game(edition_of("usa"), 2, deal=4, redeal=n) for n in range(1, 1_001)]
    left, tops = Counter(deck(games[0])), Counter(deck(game)[0] for game in games)
    size = sum(left.values())
    assert sum((tops[c] - 1_000 * n / size) ** 2 / (1_000 * n / size) for c, n in left.items()) < 8 + 4.5 * 4


def planners(name: str, redeal: int) -> BatchLog:
    seats = np.tile(np.arange(3), (40, 1))
    games = Games(np.arange(40), np.zeros(40, np.int64), seats, seats)
    return play_batch(board_of(name), 3, 1, games, load(["planner"] * 3, name).table, redeal=redeal)


@pytest.mark.parametrize("name", ["usa", "germany"])
def test_a_redealt_game_starts_alike_and_goes_on_otherwise(name: str) -> None:
    plain, again, other, same = (planners(name, redeal) for redeal in (0, 1, 2, 1))
    hands = [log.tables["seats"].texts["hand"][1].tobytes() for log in (plain, again, other)]
    assert len(set(hands)) == 1
    courses = [column(log, "turns", "card1").tobytes() for log in (plain, again, other, same)]
    assert courses[1] == courses[3]
    assert len(set(courses)) == 3
