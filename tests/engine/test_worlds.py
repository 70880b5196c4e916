"""What a bot can see, and worlds sampled from it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import RED, Position, edition_of, is_plausible, new_game
from ttr_sim.edition import official_names
from ttr_sim.engine.actions import claim, draw_deck, draw_row
from ttr_sim.engine.board import BOARD
from ttr_sim.engine.records import BOT_MEMORY, HIDDEN, HOLDING, VIEW
from ttr_sim.log import NULL


def sampled(game: Position, seat: int, key: int) -> Position:
    """All bytes, those between the fields of the record too, so that states compare as bytes."""
    copy = Position.__new__(Position)
    copy.edition, copy.boards, copy.states = game.edition, game.boards, np.zeros_like(game.states)
    copy.states.view(np.uint8)[:] = game.states.view(np.uint8)
    kernels.sample_hidden(copy.boards, copy.states, seat, np.uint64(key))
    return copy


def at_some_turn(name: str, players: int, seed: int) -> Position:
    """A random position in the middle of a game, at the beginning of a turn."""
    random = Random(f"{name}{players}{seed}")
    game = Position(edition_of(name), players, seed=seed).play_some(random, random.randint(10, 150))
    while not game.is_over and game.view["decision"] != 2:
        game.apply(game.choices()[0])
    return game


@cache
def positions(name: str) -> list[Position]:
    games = [at_some_turn(name, players, seed) for players in (2, 4) for seed in (1, 2, 3)]
    return [game for game in games if not game.is_over]


@pytest.mark.parametrize("name", official_names())
def test_sample_keeps_all_that_is_seen_and_adds_up(name: str) -> None:
    for game in positions(name):
        one, two, again = samples = [sampled(game, game.seat, key) for key in (1, 2, 1)]
        for sample in samples:
            assert sample.view.tobytes() == game.view.tobytes()
            check_invariants(sample)
        assert one.states.tobytes() == again.states.tobytes()
        assert one.state["hidden"].tobytes() != two.state["hidden"].tobytes()
        for seat in range(int(game.view["players"])):
            sample = sampled(game, seat, 7)
            assert sample.state["holdings"][seat].tobytes() == game.state["holdings"][seat].tobytes()


@pytest.mark.parametrize("name", official_names())
def test_sample_adds_up_at_every_kind_of_decision(name: str) -> None:
    """At setup, between two cards, in a tunnel, before a passenger is taken."""
    edition, random = edition_of(name), Random(name)
    game = Position(edition, edition.players[1])
    for _ in range(80):
        sample = sampled(game, game.seat, 3)
        check_invariants(sample)
        assert sample.choices() == game.choices()
        game.play_some(random, 1)


@pytest.mark.parametrize("name", official_names())
def test_sample_depends_on_nothing_hidden(name: str) -> None:
    """From a state and from another that the seat cannot tell from it, the same key samples the same."""
    for game in positions(name)[:4]:
        other = sampled(game, game.seat, 99)
        other.state["hidden"]["deal_key"] = 12345
        first, second = sampled(game, game.seat, 5), sampled(other, game.seat, 5)
        for part in ("holdings", "hidden"):
            assert _visible_parts(first, part) == _visible_parts(second, part)


def _visible_parts(game: Position, part: str) -> bytes:
    """The part with what lies beyond decks and holdings blanked out."""
    record = game.state[part].copy()
    if part == "hidden":
        at, end = int(record["deck_at"]), int(record["deck_end"])
        record["deck"][:at], record["deck"][end:] = 0, 0
        for index in range(len(record["ring"])):
            ring, first = record["ring"][index], int(record["ring_at"][index])
            inside = {(first + i) % len(ring) for i in range(int(game.view["deck_tickets"][index]))}
            ring[[place for place in range(len(ring)) if place not in inside]] = 0
        return bytes(record.tobytes())
    for holding in record:
        holding["tickets"][int(holding["n_tickets"]) :] = 0
        holding["offered"][int(holding["n_offered"]) :] = 0
    return bytes(record["tickets"].tobytes() + record["hand"].tobytes() + record["offered"].tobytes())


@pytest.mark.parametrize(
    ("cards", "answers", "known", "held"),
    [
        ("kkk", [draw_row(RED), draw_row(RED)], "rr", 5),
        ("rrkkk", ["rr", draw_deck(), draw_deck(), draw_row(RED)], "r", 4),
    ],
    ids=["taken face up", "after others were paid"],
)
def test_cards_seen_to_be_taken_stay_in_the_hand(cards: str, answers: list[int | str], known: str, held: int) -> None:
    """Reds that were drawn blind and paid take nothing from one that is taken face up later."""
    game = new_game("usa").rig(hands={0: cards, 1: ""}, row="rrbgy", on_top="ww")
    for answer in answers:
        if isinstance(answer, str):
            game.pay(game.route("Atlanta", "Charleston"), answer)
        else:
            game.apply(answer)
    for key in range(20):
        hand = sampled(game, 1, key).hand(0)
        assert known in hand and len(hand) == held


def test_cards_shown_for_a_tunnel_and_taken_back_are_known() -> None:
    game = new_game("europe").rig(hands={0: "rr*", 1: "kkk"}, row="bbbgg", on_top="r*r")
    game.apply(claim(game.gray_tunnel(3), RED, 1))
    assert game.seat == 1
    for key in range(20):
        assert sampled(game, 1, key).hand(0) == "rr*"


def test_hidden_cards_are_sampled_evenly() -> None:
    """A hand of one unknown card is any of the hidden cards, as often as there are of its color."""
    game = new_game("usa").rig(hands={0: "rrrrrrrrrrrr", 1: "b"}, row="ggggg")
    found = Counter(sampled(game, 0, key).hand(1) for key in range(1_000))
    hidden = {"b": 12, "g": 7, "y": 12, "o": 12, "p": 12, "w": 12, "k": 12, "*": 14}
    assert is_plausible([found[letter] for letter in hidden], [n / 93 for n in hidden.values()])


def test_hidden_tickets_are_sampled_evenly() -> None:
    game = new_game("usa")
    own = {int(row) for row in game.view["tickets"][: int(game.view["n_tickets"])]}
    found = Counter(int(sampled(game, 0, key).state["holdings"][1]["tickets"][0]) for key in range(1_000))
    assert not own & set(found)
    assert is_plausible([found[row] for row in range(30) if row not in own])


def test_first_journey_sample_holds_no_ticket_that_would_have_been_shown() -> None:
    """Others' held tickets are unfinished, as all can see."""
    for game in positions("first_journey"):
        for key in range(10):
            sample = sampled(game, game.seat, key)
            for seat in range(int(sample.view["players"])):
                holding = sample.state["holdings"][seat]
                for i in range(int(holding["n_tickets"])):
                    assert bool(holding["shown"][i]) == (holding["met_turn"][i] != NULL)


def test_view_names_no_hidden_field() -> None:
    hidden = {*HIDDEN.names, *HOLDING.names} - {*VIEW.names}
    assert {"deck", "ring", "deal_key", "met_turn"} <= hidden
    assert not hidden & {*VIEW.names, *BOT_MEMORY.names, *BOARD.names}
