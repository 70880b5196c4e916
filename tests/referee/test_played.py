"""Games that the audit accepts and whose every legal choice agrees with the engine's."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests import legal_choices
from tests.legal_choices import Choice, FollowedGame, compare_choices, listener
from tests.mixed_editions import mixed_edition
from tests.played_runs import play_run
from tests.shuffled import shuffled_copy
from ttr_sim.edition import load_edition, official_names
from ttr_sim.referee.audit import audit, batches_of
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook

FEW, MANY = 12, 150
GAMES = 12


def audit_mixed(seed: int, folder: Path, bots: tuple[str, ...]) -> list[str]:
    """With the fewest and with the most players."""
    edition = load_edition(mixed_edition(seed, folder / "edition"))
    found = []
    for players in sorted(set(edition.players)):
        run = folder / f"{players}"
        play_run(run, edition.folder, players, bots, GAMES, seed)
        found += audit(run, batches_of(run, None), lambda games: None).violations
    return [violation.sentence() for violation in found]


@pytest.mark.parametrize("seed", range(FEW))
def test_random_bots(seed: int, tmp_path: Path) -> None:
    assert audit_mixed(seed, tmp_path, ("random",)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FEW, FEW + MANY))
def test_styles(seed: int, tmp_path: Path) -> None:
    assert audit_mixed(seed, tmp_path, ("random", "racer", "planner")) == []


@pytest.mark.parametrize("name", official_names())
def test_shuffled_lines_and_turned_ends_break_no_rule(name: str, tmp_path: Path) -> None:
    edition = shuffled_copy(name, tmp_path / "edition", turned=True)
    run = tmp_path / "run"
    play_run(run, edition.folder, edition.players[1], ("random", "planner", "path"), 24)
    assert audit(run, batches_of(run, None), lambda games: None).violations == []


def mixed_games(seed: int, players: int, folder: Path, games: int = 50) -> list[GameLog]:
    """Games of random bots on a mixed edition; the referee has nothing to say about them."""
    edition = load_edition(mixed_edition(seed, folder / "edition"))
    play_run(folder / "run", edition.folder, players, ("random",), games, seed)
    logs = [log for part in parts_of(folder / "run") for log in read_games(part, part.games)]
    rules = Rulebook(edition)
    assert [finding.sentence() for log in logs for finding in audit_game(rules, log)] == []
    return logs


def test_a_seat_that_can_claim_does_not_pass(tmp_path: Path) -> None:
    """USA: without cards to draw, a player "may only claim a route or draw Destination Ticket cards"."""
    logs = mixed_games(5, 5, tmp_path)
    assert any(
        (first.action, second.action) == ("pass", "claim") for log in logs for first, second in pairwise(log.turns)
    )


def test_lent_routes_complete_tickets_that_are_shown_at_once(tmp_path: Path) -> None:
    """Europe: a station helps its owner "connect the cities on his Destination Tickets", on whatever map."""
    logs = mixed_games(1, 2, tmp_path)
    assert any(ticket.completed and ticket.completed_turn is None for log in logs for ticket in log.tickets)


def test_nothing_is_lent_once_a_race_is_won(tmp_path: Path) -> None:
    """First Journey: the game "immediately ends when a player completes his sixth Ticket"."""
    logs = mixed_games(9, 2, tmp_path)
    won = [log for log in logs if log.game.end == "tickets"]
    assert won
    assert {row.lent for log in won for row in log.seats} == {""}


def test_a_race_counts_tickets_the_moment_they_are_completed(tmp_path: Path) -> None:
    """Also where completed tickets are not replaced."""
    logs = mixed_games(11, 2, tmp_path)
    assert any(turn.score > 0 for log in logs for turn in log.turns)


NOTHING_TO_COUNT = ("max_turns=1", "tickets.failed_subtract=false", "tie_breaks=[]", "hand=0")


def audited(folder: Path, edition: str, players: int, settings: tuple[str, ...], games: int) -> list[GameLog]:
    """Games in which neither the audit nor the comparison of legal choices finds anything."""
    run = play_run(folder, edition, players, ("random", "racer"), games, settings=settings)
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
