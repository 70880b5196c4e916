"""The course of a game: turns, passing, the final round, why it ends."""

from __future__ import annotations

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import RED, Position, new_game, with_rules
from ttr_sim.edition.model import End, RowRules
from ttr_sim.engine.actions import claim, draw_deck, pass_turn
from ttr_sim.engine.stepping import IllegalChoiceError

NO_TRIGGER = End(trains_left=None, race_tickets=None, last_train=False)
LAST_TRAIN = End(trains_left=None, race_tickets=None, last_train=True)


def claim_free(game: Position, length: int = 3) -> None:
    """The mover claims a route whose group is free with wilds alone, whatever its hand was."""
    taken = {entry.group for row, entry in enumerate(game.edition.routes) if game.view["owner"][row] >= 0}
    routes = enumerate(game.edition.routes)
    free = next(row for row, entry in routes if entry.length == length and entry.group not in taken)
    game.rig(hands={game.seat: "*" * 14}, seat=game.seat)
    game.claim_wild(free)


def draw_two(game: Position) -> None:
    game.apply(draw_deck())
    game.apply(draw_deck())


def play_on(game: Position) -> int:
    """Everybody draws until the game is over; how many turns."""
    turns = 0
    while not game.is_over:
        draw_two(game)
        turns += 1
    return turns


def test_seat_0_begins_and_turns_go_round() -> None:
    for players in (2, 3, 4, 5):
        game = new_game("usa", players)
        for turn in range(2 * players):
            game.expect(turn=turn, seat=turn % players)
            draw_two(game)


@pytest.mark.parametrize(("players", "trigger"), [(n, seat) for n in (2, 3, 4, 5) for seat in range(n)])
def test_case_10_final_round_gives_each_seat_one_more_turn(players: int, trigger: int) -> None:
    """Three of five trains are placed by one seat: two are left, and everybody, that seat last, has one turn."""
    game = new_game(with_rules("usa", trains=5), players)
    for _ in range(trigger):
        draw_two(game)
    claim_free(game)
    assert int(game.view["trains"][trigger]) == 2
    assert game.seat == (trigger + 1) % players
    assert play_on(game) == players
    game.expect(end="trains", turn=trigger + players, seat=trigger)
    check_invariants(game)


def test_case_10_second_trigger_does_not_prolong_the_final_round() -> None:
    game = new_game(with_rules("usa", trains=5), 3)
    claim_free(game)
    claim_free(game)
    assert (play_on(game), game.turn) == (2, 3)


def test_tunnel_given_up_does_not_start_the_final_round() -> None:
    game = new_game(with_rules("europe", trains=5)).rig(hands={0: "rrr"}, on_top="rgb")
    game.apply(claim(game.gray_tunnel(3), RED, 0))
    game.expect(trains=5, final_turns=-1)


def test_lead_is_followed_through_a_shared_one() -> None:
    """Seat 0 leads alone, seat 1 ties, then seat 1 leads: one change, since the last turn."""
    game = new_game("usa")
    claim_free(game, 2)
    game.expect(lead_changes=0, leader=0)
    for length in (2, 1, 1):
        claim_free(game, length)
    game.expect(lead_changes=0, leader=-1)
    claim_free(game, 1)
    game.expect(leader=0, lead_since=4)
    claim_free(game, 3)
    game.expect(lead_changes=1, leader=1, lead_since=5)


def test_turns_of_a_seat_are_counted() -> None:
    game = new_game("usa")
    for _ in range(3):
        draw_two(game)
    assert game.state["hidden"]["turns_taken"][:2].tolist() == [2, 1]


def blocked(players: int = 2, **changes: object) -> Position:
    """Nobody can act: no train, no card and no ticket is left."""
    game = new_game(with_rules("usa", trains=1, **changes), players)
    short = {entry.group: row for row, entry in enumerate(game.edition.routes) if entry.length == 1}
    for seat, row in zip(range(players), short.values(), strict=False):
        game.give(seat, row)
    game.rig_tickets({}, [[]], hoarder=1)
    return game.rig(hands={}, row="", deck="")


def test_case_5_pass_is_refused_while_anything_can_be_done() -> None:
    assert blocked().choices() == [pass_turn()]
    game = blocked(row=RowRules(size=5, reset_at=3, max_resets=10)).rig(row="r", deck="")
    assert game.why_not(pass_turn()) == "a player who can act may not pass"
    game = blocked().rig_tickets({}, [[3]], hoarder=1)
    assert not game.can_answer(pass_turn())


def test_case_5_game_stalls_when_every_player_passes_in_a_row() -> None:
    for players in (2, 3, 5):
        game = blocked(players, end=NO_TRIGGER)
        for _ in range(players):
            assert not game.is_over
            game.apply(pass_turn())
        game.expect(end="stalled", turn=players - 1)


def test_case_5_passes_are_counted_in_a_row() -> None:
    game = blocked(3, end=NO_TRIGGER).rig(row="", deck="")
    game.apply(pass_turn())
    game.rig(row="", deck="r", seat=1)
    game.expect(passes=1)
    game.apply(draw_deck())
    game.expect(passes=0)
    for _ in range(3):
        assert not game.is_over
        game.rig(row="", deck="", seat=game.seat)
        game.apply(pass_turn())
    game.expect(end="stalled")


@pytest.mark.parametrize(
    ("players", "trains", "max_turns", "end", "turn"),
    [(3, 45, 3, "capped", 8), (2, 5, 2, "trains", 3), (3, 5, 1, "capped", 2)],
    ids=["after max_turns a player", "a completed final round wins over the cap", "the cap cuts a final round"],
)
def test_case_5_game_is_capped_after_max_turns_a_player(
    players: int, trains: int, max_turns: int, end: str, turn: int
) -> None:
    game = new_game(with_rules("usa", trains=trains, max_turns=max_turns), players)
    draw_two(game)
    if trains == 5:
        claim_free(game)
    play_on(game)
    game.expect(end=end, turn=turn)


def test_case_5_completed_final_round_wins_over_a_stall() -> None:
    """The trigger's turn is followed by passes of all: the last of them completes the final round."""
    game = new_game(with_rules("usa", trains=3), 2)
    claim_free(game)
    game.rig_tickets({}, [[]], hoarder=1)
    taken = {entry.group for row, entry in enumerate(game.edition.routes) if game.view["owner"][row] >= 0}
    rows = enumerate(game.edition.routes)
    game.give(1, next(row for row, entry in rows if entry.length == 3 and entry.group not in taken))
    for seat in (1, 0):
        game.rig(row="", deck="", seat=seat)
        game.apply(pass_turn())
    game.expect(passes=2, end="trains")


def test_last_train_ends_the_game_at_once_where_the_edition_says_so() -> None:
    game = new_game(with_rules("usa", trains=5, end=LAST_TRAIN), 3).rig(hands={0: "*****"})
    game.claim_wild(game.route("Atlanta", "Miami"))
    assert game.is_over
    game.expect(end="trains", turn=0)


def test_case_5_stall_before_the_final_round_is_complete_is_scored_as_usual() -> None:
    game = blocked()
    game.apply(pass_turn())
    game.expect(final_turns=2)
    game.apply(pass_turn())
    game.expect(end="stalled")
    assert game.scores() == [1 + 10 + failed for failed in game.points_for("ticket_penalty")]


def test_refused_answer_changes_nothing_and_none_is_accepted_after_the_end() -> None:
    game = new_game(with_rules("usa", max_turns=1))
    before = game.states.tobytes()
    with pytest.raises(IllegalChoiceError, match="a player who can act may not pass"):
        game.apply(pass_turn())
    assert game.states.tobytes() == before
    play_on(game)
    assert game.choices() == []
    with pytest.raises(IllegalChoiceError, match="the game is over"):
        game.apply(draw_deck())
