"""Random play on every edition and on folders with mixed features: after every step all adds up, and
the choices listed are all that the rules allow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.players import any_answer
from tests.engine.rig import edition_of
from tests.mixed_editions import mixed_edition
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.engine.stepping import Game

ROOM = np.zeros(100_000, np.int64)


def check_choices(game: Game) -> None:
    """Each is listed once and legal, and no answer beyond the list is."""
    choices = game.choices()
    legal = {int(answer) for answer in ROOM[: kernels.search_legal(game.boards, game.states, ROOM)]}
    assert len(choices) == len(set(choices)) > 0
    assert set(choices) == legal
    assert kernels.without_opinion(game.boards, game.states) in legal


def play_and_check(edition: Edition, players: int, seed: int, most: int = 400) -> Game:
    random, game = Random(seed), Game(edition, players, seed=seed)
    for step in range(most):
        check_invariants(game)
        if game.is_over:
            break
        if step % 3 == 0:
            check_choices(game)
        game.apply(any_answer(game, random))
    return game


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", official_names())
def test_everything_adds_up_on_official_editions(name: str, players: int) -> None:
    edition = edition_of(name)
    if players <= edition.players[1]:
        play_and_check(edition, players, players, most=150 if players in {2, 4} else 60)


@pytest.mark.parametrize("seed", range(30))
def test_everything_adds_up_on_mixed_editions(seed: int, tmp_path: Path) -> None:
    edition = load_edition(mixed_edition(seed, tmp_path / "mixed"))
    for players in {edition.players[0], edition.players[1]}:
        play_and_check(edition, players, seed, most=120)


@pytest.mark.slow
@pytest.mark.parametrize("name", official_names())
def test_whole_games_add_up_on_official_editions(name: str) -> None:
    edition = edition_of(name)
    for players in range(edition.players[0], edition.players[1] + 1):
        assert play_and_check(edition, players, 10 + players, most=5_000).is_over


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 180))
def test_whole_games_add_up_on_mixed_editions(seed: int, tmp_path: Path) -> None:
    edition = load_edition(mixed_edition(seed, tmp_path / "mixed"))
    edition = replace(edition, max_turns=min(40, edition.max_turns))
    for players in {edition.players[0], edition.players[1]}:
        assert play_and_check(edition, players, seed, most=5_000).is_over
