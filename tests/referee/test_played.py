"""Games that the audit accepts, and in which engine and referee list the same choices."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests import legal_choices
from tests.legal_choices import compare_choices
from tests.mixed_editions import mixed_edition
from tests.played_runs import play_run
from tests.shuffled import shuffled_copy
from ttr_sim.edition import load_edition, official_names
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.run.read import Run

FEW, MANY = 12, 150
SEED = 3


def games_of_run(run: Run) -> list[GameLog]:
    """All games of a run, after the audit found nothing in them."""
    logs = [log for part in parts_of(run.path) for log in read_games(part, part.games)]
    rules = Rulebook(run.edition)
    assert [finding.sentence() for log in logs for finding in audit_game(rules, log)] == []
    return logs


def play_mixed(seed: int, folder: Path, bots: tuple[str, ...]) -> None:
    """Play and audit a random edition with the fewest and with the most players."""
    edition = load_edition(mixed_edition(seed, folder / "edition"))
    for players in sorted(set(edition.players)):
        games_of_run(play_run(folder / f"{players}", edition.folder, players, bots, 12, seed))


@pytest.mark.parametrize("seed", range(FEW))
def test_random_bots(seed: int, tmp_path: Path) -> None:
    play_mixed(seed, tmp_path, ("random",))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FEW, FEW + MANY))
def test_styles(seed: int, tmp_path: Path) -> None:
    play_mixed(seed, tmp_path, ("random", "racer", "planner"))


@pytest.mark.parametrize("name", official_names())
def test_shuffled_lines_and_turned_ends_break_no_rule(name: str, tmp_path: Path) -> None:
    edition = shuffled_copy(name, tmp_path / "edition", turned=True)
    run = play_run(tmp_path / "run", edition.folder, edition.players[1], ("random", "planner", "path"), 24)
    games_of_run(run)
    # Passengers are asked for in one order, also where a route names its ends the other way around.
    assert compare_choices(run) == []


def mixed_games(seed: int, players: int, folder: Path) -> list[GameLog]:
    """Games of random bots on a mixed edition."""
    edition = mixed_edition(seed, folder / "edition")
    return games_of_run(play_run(folder / "run", edition, players, ("random",), 50, seed))


def test_a_seat_that_can_claim_does_not_pass(tmp_path: Path) -> None:
    """USA: without cards to draw, a player "may only claim a route or draw Destination Ticket cards"."""
    turns = [pair for log in mixed_games(5, 5, tmp_path) for pair in pairwise(log.turns)]
    assert any((first.action, second.action) == ("pass", "claim") for first, second in turns)


def test_lent_routes_complete_tickets_that_are_shown_at_once(tmp_path: Path) -> None:
    """Europe: a station helps its owner "connect the cities on his Destination Tickets", on whatever map."""
    logs = mixed_games(1, 2, tmp_path)
    assert any(ticket.completed and ticket.completed_turn is None for log in logs for ticket in log.tickets)


def test_nothing_is_lent_once_a_race_is_won(tmp_path: Path) -> None:
    """First Journey: the game "immediately ends when a player completes his sixth Ticket"."""
    won = [log for log in mixed_games(9, 2, tmp_path) if log.game.end == "tickets"]
    assert {row.lent for log in won for row in log.seats} == {""}


def test_a_race_counts_tickets_the_moment_they_are_completed(tmp_path: Path) -> None:
    """Also where completed tickets are not replaced."""
    assert any(turn.score > 0 for log in mixed_games(11, 2, tmp_path) for turn in log.turns)


def scarce_games(folder: Path, edition: str, players: int, settings: tuple[str, ...], games: int) -> list[GameLog]:
    """Games of an edition with other rules, in which engine and referee list the same choices."""
    run = play_run(folder, edition, players, ("random", "racer"), games, settings=settings)
    assert compare_choices(run) == []
    return games_of_run(run)


def test_tunnels_with_too_few_cards_to_reveal(tmp_path: Path) -> None:
    """Nearly all cards are in hands: none, one, two or three can be revealed."""
    logs = scarce_games(tmp_path / "run", "europe", 5, ("hand=21",), 30)
    revealed = {len(turn.tunnel_cards) for log in logs for turn in log.turns if turn.tunnel_cards is not None}
    assert revealed == {0, 1, 2, 3}


@pytest.mark.parametrize(("edition", "players"), [("usa", 5), ("europe", 5), ("germany", 5), ("amsterdam", 4)])
def test_game_that_stalls(edition: str, players: int, tmp_path: Path) -> None:
    """With more trains than there are spaces all routes are claimed, then all cards and tickets drawn."""
    logs = scarce_games(tmp_path / "run", edition, players, ("trains=120",), 2)
    assert any(log.game.end == "stalled" for log in logs)


def test_tie_of_all_five(tmp_path: Path) -> None:
    nothing_to_count = ("max_turns=1", "tickets.failed_subtract=false", "tie_breaks=[]", "hand=0")
    logs = scarce_games(tmp_path / "run", "usa", 5, nothing_to_count, 4)
    assert any(all(row.rank == 1 for row in log.seats) for log in logs)


def test_first_journey_without_a_ticket_left(tmp_path: Path) -> None:
    """A race of many tickets among four players takes all 32 of them."""
    long_race = ("end.race_tickets=20", "end.last_train=false", "trains=40")
    logs = scarce_games(tmp_path / "run", "first_journey", 4, long_race, 4)
    assert any(len({row.ticket for row in log.tickets}) == 32 for log in logs)
    assert any(log.game.end == "stalled" for log in logs)


@pytest.mark.parametrize("edition", official_names())
@pytest.mark.parametrize("bots", [("random",), ("planner", "racer", "blocker", "onestep")])
def test_engine_and_referee_agree_on_every_legal_choice(edition: str, bots: tuple[str, ...], tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", edition, 3, bots, 6, SEED)
    assert min(log.game.turns for log in games_of_run(run)) > 10
    assert compare_choices(run) == []


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
