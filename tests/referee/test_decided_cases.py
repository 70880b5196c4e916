"""Cases in which engine and referee once read the rules differently, each decided by the rulebooks' words."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from tests.mixed_editions import mixed_edition
from tests.played_runs import play_run
from ttr_sim.edition import load_edition
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook


def games_of(seed: int, players: int, folder: Path, games: int = 50) -> list[GameLog]:
    """Games of random bots on a mixed edition; the referee has nothing to say about them."""
    edition = load_edition(mixed_edition(seed, folder / "edition"))
    play_run(folder / "run", edition.folder, players, ("random",), games, seed)
    logs = [log for part in parts_of(folder / "run") for log in read_games(part, part.games)]
    rules = Rulebook(edition)
    assert [finding.sentence() for log in logs for finding in audit_game(rules, log)] == []
    return logs


def test_a_seat_that_can_claim_does_not_pass(tmp_path: Path) -> None:
    """USA: without cards to draw, a player "may only claim a route or draw Destination Ticket cards"."""
    logs = games_of(5, 5, tmp_path)
    assert any(
        (first.action, second.action) == ("pass", "claim") for log in logs for first, second in pairwise(log.turns)
    )


def test_lent_routes_complete_tickets_that_are_shown_at_once(tmp_path: Path) -> None:
    """Europe: a station helps its owner "connect the cities on his Destination Tickets", on whatever map."""
    logs = games_of(1, 2, tmp_path)
    assert any(ticket.completed and ticket.completed_turn is None for log in logs for ticket in log.tickets)


def test_nothing_is_lent_once_a_race_is_won(tmp_path: Path) -> None:
    """First Journey: the game "immediately ends when a player completes his sixth Ticket"."""
    logs = games_of(9, 2, tmp_path)
    won = [log for log in logs if log.game.end == "tickets"]
    assert won
    assert {row.lent for log in won for row in log.seats} == {""}


def test_a_race_counts_tickets_the_moment_they_are_completed(tmp_path: Path) -> None:
    """Also where completed tickets are not replaced."""
    logs = games_of(11, 2, tmp_path)
    assert any(turn.score > 0 for log in logs for turn in log.turns)
