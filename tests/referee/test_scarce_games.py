"""What real play hardly ever reaches, played through the log and audited: editions made so scarce that it happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.legal_choices import compare_choices
from tests.played_runs import play_run
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.run.opened import Run

NOTHING_TO_COUNT = ("max_turns=1", "tickets.failed_subtract=false", "tie_breaks=[]", "hand=0")


def audited(folder: Path, edition: str, players: int, settings: tuple[str, ...], games: int) -> list[GameLog]:
    """Games in which neither the audit nor the comparison of legal choices finds anything."""
    run: Run = play_run(folder, edition, players, ("random", "racer"), games, settings=settings)
    logs = [log for part in parts_of(run.path) for log in read_games(part, part.games)]
    rules = Rulebook(run.edition)
    assert [finding.sentence() for log in logs for finding in audit_game(rules, log)] == []
    assert compare_choices(run) == []
    return logs


def test_tunnels_with_too_few_cards_to_reveal(tmp_path: Path) -> None:
    """Nearly all cards are in hands: none, one, two or three can be revealed."""
    logs = audited(tmp_path / "run", "europe", 5, ("hand=21",), 30)
    revealed = {len(turn.tunnel_cards) for log in logs for turn in log.turns if turn.tunnel_cards is not None}
    assert revealed == {0, 1, 2, 3}


@pytest.mark.parametrize(("edition", "players"), [("usa", 5), ("europe", 5), ("germany", 5), ("amsterdam", 4)])
def test_game_that_stalls(edition: str, players: int, tmp_path: Path) -> None:
    """With more trains than there are spaces all routes are claimed, then all cards and tickets drawn."""
    logs = audited(tmp_path / "run", edition, players, ("trains=120",), 2)
    assert any(log.game.end == "stalled" for log in logs)


def test_tie_of_all_five(tmp_path: Path) -> None:
    logs = audited(tmp_path / "run", "usa", 5, NOTHING_TO_COUNT, 4)
    assert any(all(row.rank == 1 for row in log.seats) for log in logs)


def test_first_journey_without_a_ticket_left(tmp_path: Path) -> None:
    """A race of many tickets among four players takes all 32 of them."""
    logs = audited(
        tmp_path / "run", "first_journey", 4, ("end.race_tickets=20", "end.last_train=false", "trains=40"), 4
    )
    assert any(len({row.ticket for row in log.tickets}) == 32 for log in logs)
    assert any(log.game.end == "stalled" for log in logs)
