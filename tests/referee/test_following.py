"""The engine offers at each decision what the referee, from log and edition alone, finds legal: no more, no less."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import legal_choices
from tests.legal_choices import Choice, FollowedGame, compare_choices, listener
from tests.mixed_editions import mixed_edition
from tests.played_runs import play_run
from tests.shuffled import shuffled_copy
from ttr_sim.edition import load_edition, official_names
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook

SEED = 3


def decisions(found: list[frozenset[Choice]]) -> list[frozenset[Choice]]:
    """Leave out what leaves no choice, which the engine does not always ask."""
    return [choices for choices in found if len(choices) > 1]


def compare(path: Path, log: GameLog) -> int:
    edition = load_edition(path / "edition")
    heard: list[frozenset[Choice]] = []
    assert audit_game(Rulebook(edition), log, listener(heard)) == []
    followed = FollowedGame(edition, log.game.players, SEED, log.game.deal, log.turns, log.tickets)
    offered = decisions(list(followed.choices()))
    for engine, referee in zip(offered, decisions(heard), strict=True):
        assert engine == referee
    assert followed.game.scores() == [row.score for row in log.seats]
    return len(offered)


@pytest.mark.parametrize("edition", official_names())
@pytest.mark.parametrize("bots", [("random",), ("planner", "racer", "blocker", "onestep")])
def test_engine_and_referee_agree_on_every_legal_choice(edition: str, bots: tuple[str, ...], tmp_path: Path) -> None:
    play_run(tmp_path / "run", edition, 3, bots, 6, SEED)
    (part,) = parts_of(tmp_path / "run")
    counts = [compare(tmp_path / "run", log) for log in read_games(part, part.games)]
    assert min(counts) > 20


def test_a_route_that_names_its_ends_the_other_way_round(tmp_path: Path) -> None:
    """Passengers are asked for in one order, whatever the file's."""
    edition = shuffled_copy("germany", tmp_path / "edition", turned=True)
    assert compare_choices(play_run(tmp_path / "run", edition.folder, 3, ("random",), 4, SEED)) == []


@pytest.mark.parametrize(("seed", "players"), [(7, 2), (12, 2), (50, 3)])
def test_mixed_features(seed: int, players: int, tmp_path: Path) -> None:
    """Among them tickets that are drawn, completed at once and replaced in one turn."""
    edition = mixed_edition(seed, tmp_path / "edition")
    assert compare_choices(play_run(tmp_path / "run", edition, players, ("random", "racer"), 12)) == []


def test_a_choice_that_one_of_them_does_not_list_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play_run(tmp_path / "run", "europe", 2, ("random",), 2, SEED)
    assert compare_choices(run) == []
    monkeypatch.setattr(legal_choices, "_stations", lambda position: ())
    (first, *_) = compare_choices(run)
    assert "station" in first
