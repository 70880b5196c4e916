"""The course of a game: turns, passing, the final round, why it ends."""

from __future__ import annotations

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import can_answer, give, gray_tunnel, new_game, rig, rig_tickets, route, scored, with_rules
from ttr_sim.edition.model import End, RowRules
from ttr_sim.engine.actions import WILD, claim, draw_deck, pass_turn
from ttr_sim.engine.stepping import Game, IllegalChoiceError

WILDS = "*" * 14
NO_TRIGGER = End(trains_left=None, race_tickets=None, last_train=False)
LAST_TRAIN = End(trains_left=None, race_tickets=None, last_train=True)


def claim_wild(game: Game, row: int) -> None:
    """The mover claims with wilds alone, whatever its hand was."""
    rig(game, hands={game.seat: WILDS}, seat=game.seat)
    game.apply(claim(row, WILD, game.edition.routes[row].length))


def draw_two(game: Game) -> None:
    game.apply(draw_deck())
    game.apply(draw_deck())


def play_on(game: Game) -> int:
    """Everybody draws until the game is over; how many turns."""
    turns = 0
    while not game.is_over:
        draw_two(game)
        turns += 1
    return turns


def long_route(game: Game) -> int:
    return free_route(game, 3)


def free_route(game: Game, length: int) -> int:
    rows = range(len(game.edition.routes))
    return next(row for row in rows if game.edition.routes[row].length == length and is_open(game, row))


def is_open(game: Game, row: int) -> bool:
    return all(
        game.view["owner"][twin] < 0
        for twin, entry in enumerate(game.edition.routes)
        if entry.group == game.edition.routes[row].group
    )


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seat_0_begins_and_turns_go_round(players: int) -> None:
    game = new_game("usa", players)
    for turn in range(2 * players):
        assert (game.turn, game.seat) == (turn, turn % players)
        draw_two(game)


@pytest.mark.parametrize(("players", "trigger"), [(n, seat) for n in (2, 3, 4, 5) for seat in range(n)])
def test_case_10_final_round_gives_each_seat_one_more_turn(players: int, trigger: int) -> None:
    """Three of five trains are placed by one seat: two are left, and everybody, that seat last, has one turn."""
    game = new_game(with_rules("usa", trains=5), players)
    for _ in range(trigger):
        draw_two(game)
    claim_wild(game, long_route(game))
    assert int(game.view["trains"][trigger]) == 2
    assert game.seat == (trigger + 1) % players
    assert play_on(game) == players
    assert (game.end(), game.turn) == ("trains", trigger + players)
    assert game.seat == trigger
    check_invariants(game)


def test_case_10_second_trigger_does_not_prolong_the_final_round() -> None:
    game = new_game(with_rules("usa", trains=5), 3)
    claim_wild(game, long_route(game))
    claim_wild(game, long_route(game))
    assert play_on(game) == 2
    assert game.turn == 3


def test_first_to_lead_is_no_change_of_lead() -> None:
    game = new_game("usa")
    claim_wild(game, long_route(game))
    assert int(game.state["hidden"]["lead_changes"]) == 0


def test_lead_is_followed_through_a_shared_one() -> None:
    """Seat 0 leads alone, seat 1 ties, then seat 1 leads: one change, since the last turn."""
    game = new_game("usa")
    for length in (2, 2, 1, 1):
        claim_wild(game, free_route(game, length))
    assert (int(game.state["hidden"]["lead_changes"]), int(game.state["hidden"]["leader"])) == (0, -1)
    claim_wild(game, free_route(game, 1))
    assert (int(game.state["hidden"]["leader"]), int(game.state["hidden"]["lead_since"])) == (0, 4)
    claim_wild(game, free_route(game, 3))
    hidden = game.state["hidden"]
    assert (int(hidden["lead_changes"]), int(hidden["leader"]), int(hidden["lead_since"])) == (1, 1, 5)


def test_turns_of_a_seat_are_counted() -> None:
    game = new_game("usa")
    for _ in range(3):
        draw_two(game)
    assert game.state["hidden"]["turns_taken"][:2].tolist() == [2, 1]


def test_three_trains_left_do_not_start_the_final_round() -> None:
    game = new_game(with_rules("usa", trains=6))
    claim_wild(game, long_route(game))
    assert int(game.view["final_turns"]) == -1


def test_tunnel_given_up_does_not_start_the_final_round() -> None:
    game = new_game(with_rules("europe", trains=5))
    rig(game, hands={0: "rrr"}, on_top="rgb")
    game.apply(claim(gray_tunnel(game, 3), 0, 0))
    assert (int(game.view["trains"][0]), int(game.view["final_turns"])) == (5, -1)


def blocked(players: int = 2, **changes: object) -> Game:
    """Nobody can act: no train, no card and no ticket is left."""
    game = new_game(with_rules("usa", trains=1, **changes), players)
    short = {entry.group: row for row, entry in enumerate(game.edition.routes) if entry.length == 1}
    for seat, row in zip(range(players), short.values(), strict=False):
        give(game, seat, row)
    rig_tickets(game, {}, [[]], hoarder=1)
    return rig(game, hands={}, row="", deck="")


def test_case_5_pass_is_the_only_choice_of_who_cannot_act() -> None:
    game = blocked()
    assert game.choices() == [pass_turn()]


def test_case_5_pass_is_refused_while_anything_can_be_done() -> None:
    game = rig(blocked(row=RowRules(size=5, reset_at=3, max_resets=10)), row="r", deck="")
    assert game.why_not(pass_turn()) == "a player who can act may not pass"
    game = rig_tickets(blocked(), {}, [[3]], hoarder=1)
    assert not can_answer(game, pass_turn())


@pytest.mark.parametrize("players", [2, 3, 5])
def test_case_5_game_stalls_when_every_player_passes_in_a_row(players: int) -> None:
    game = blocked(players, end=NO_TRIGGER)
    for _ in range(players):
        assert not game.is_over
        _pass(game)
    assert (game.is_over, game.end(), game.turn) == (True, "stalled", players - 1)


def _pass(game: Game) -> None:
    game.apply(pass_turn())


def test_case_5_passes_are_counted_in_a_row() -> None:
    game = rig(blocked(3, end=NO_TRIGGER), row="", deck="")
    _pass(game)
    rig(game, row="", deck="r", seat=1)
    assert int(game.view["passes"]) == 1
    game.apply(draw_deck())
    assert int(game.view["passes"]) == 0
    for _ in range(2):
        rig(game, row="", deck="", seat=game.seat)
        _pass(game)
        assert not game.is_over
    rig(game, row="", deck="", seat=game.seat)
    _pass(game)
    assert game.end() == "stalled"


def test_case_5_stalled_game_is_scored_as_usual() -> None:
    game = blocked(end=NO_TRIGGER)
    _pass(game)
    _pass(game)
    failed = [scored(result, "ticket_penalty") for result in game.state["results"][:2]]
    assert game.end() == "stalled"
    assert game.scores() == [1 + 10 + failed[0], 1 + 10 + failed[1]]


def test_case_5_game_is_capped_after_max_turns_a_player() -> None:
    game = new_game(with_rules("usa", max_turns=3), 3)
    assert play_on(game) == 9
    assert (game.end(), game.turn) == ("capped", 8)


def test_case_5_completed_final_round_wins_over_the_cap() -> None:
    game = new_game(with_rules("usa", trains=5, max_turns=2), 2)
    draw_two(game)
    claim_wild(game, long_route(game))
    play_on(game)
    assert (game.end(), game.turn) == ("trains", 3)


def test_case_5_cap_cuts_a_final_round_that_is_not_complete() -> None:
    game = new_game(with_rules("usa", trains=5, max_turns=1), 3)
    draw_two(game)
    claim_wild(game, long_route(game))
    play_on(game)
    assert (game.end(), game.turn) == ("capped", 2)


def test_case_5_completed_final_round_wins_over_a_stall() -> None:
    """The trigger's turn is followed by passes of all: the last of them completes the final round."""
    game = new_game(with_rules("usa", trains=3), 2)
    claim_wild(game, long_route(game))
    rig_tickets(game, {}, [[]], hoarder=1)
    give(game, 1, long_route(game))
    for seat in (1, 0):
        rig(game, row="", deck="", seat=seat)
        _pass(game)
    assert int(game.view["passes"]) == 2
    assert game.end() == "trains"


def test_case_5_stall_before_the_final_round_is_complete() -> None:
    game = blocked(2)
    _pass(game)
    assert int(game.view["final_turns"]) == 2
    _pass(game)
    assert game.end() == "stalled"


def test_last_train_ends_the_game_at_once_where_the_edition_says_so() -> None:
    game = new_game(with_rules("usa", trains=5, end=LAST_TRAIN), 3)
    claim_wild(game, route(game, "Atlanta", "Miami"))
    assert (game.is_over, game.end(), game.turn) == (True, "trains", 0)


def test_nothing_can_be_played_after_the_end() -> None:
    game = new_game(with_rules("usa", max_turns=1))
    play_on(game)
    assert game.choices() == []
    with pytest.raises(IllegalChoiceError, match="the game is over"):
        game.apply(draw_deck())


def test_refused_answer_changes_nothing() -> None:
    game = new_game("usa")
    before = game.states.tobytes()
    with pytest.raises(IllegalChoiceError, match="a player who can act may not pass"):
        game.apply(pass_turn())
    assert game.states.tobytes() == before
