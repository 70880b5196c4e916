"""Games of the official editions to audit and to spoil."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.played_runs import play_run
from ttr_sim.edition import load_edition
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook

PLAYERS = {
    **{"usa": 2, "europe": 3, "germany": 3, "amsterdam": 4, "first_journey": 3},
    **{"new_york": 3, "london": 3, "india": 3},
}
GAMES = 40

GamesOf = Callable[[str], tuple[Rulebook, list[GameLog]]]


@pytest.fixture(scope="session")
def run_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a small run of an edition, played once."""
    played: dict[str, Path] = {}

    def run(edition: str) -> Path:
        if edition not in played:
            played[edition] = tmp_path_factory.mktemp(edition) / "run"
            play_run(played[edition], edition, PLAYERS[edition], ("random", "racer"), GAMES)
        return played[edition]

    return run


@pytest.fixture(scope="session")
def games_of(run_of: Callable[[str], Path]) -> GamesOf:
    """Rulebook and games of an edition's small run."""
    read: dict[str, tuple[Rulebook, list[GameLog]]] = {}

    def games(edition: str) -> tuple[Rulebook, list[GameLog]]:
        if edition not in read:
            run = run_of(edition)
            logs = [log for part in parts_of(run) for log in read_games(part, part.games)]
            read[edition] = Rulebook(load_edition(run / "edition")), logs
        return read[edition]

    return games
