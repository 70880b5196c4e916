"""First Journey's tickets: shown and replaced when completed, discarded, and the bonus ticket."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import Position, edition_of, new_game, with_rules
from ttr_sim.edition.model import BonusTicket, Edition
from ttr_sim.engine.actions import WILD, claim, discard_tickets, draw_tickets

Pairs = list[tuple[str, str]]
EVERYTHING = "r" * 10 + "*" * 12


def held(game: Position) -> list[int]:
    """Rows of the tickets in the hand of seat 0, oldest first, without the shown ones."""
    holding = game.state["holdings"][0]
    n = int(holding["n_tickets"])
    tickets = zip(holding["tickets"][:n], holding["shown"][:n], strict=True)
    return [int(game.boards[0]["ticket_row"][ticket]) for ticket, shown in tickets if not shown]


def ticket_deck(game: Position) -> list[int]:
    """Rows, in the edition that the game was made from, of the deck's tickets from the top."""
    return [int(game.boards[0]["ticket_row"][ticket]) for ticket in game.ticket_deck()]


def tickets_between(edition: Edition, *pairs: tuple[str, str]) -> Edition:
    """The edition with these tickets first, so that the ends of rows 0, 1, ... are known."""
    names = {city.name: row for row, city in enumerate(edition.cities)}
    made = tuple(
        replace(edition.tickets[0], a=a, b=b, a_cities=(names[a],), b_cities=(names[b],), copy=100 + number)
        for number, (a, b) in enumerate(pairs)
    )
    return replace(edition, tickets=made + edition.tickets[len(made) :])


def neighbors(edition: Edition, row: int) -> tuple[str, str]:
    entry = edition.routes[row]
    return edition.cities[entry.a].name, edition.cities[entry.b].name


def game_with(pairs: Pairs, mine: list[int], deck: list[int] | None, **changes: object) -> Position:
    """Seat 0 holds tickets by number; the deck holds these on top, or exactly these when a hoarder is there."""
    return dealt(tickets_between(with_rules("first_journey", **changes), *pairs), mine, deck)


def dealt(edition: Edition, mine: list[int], deck: list[int] | None) -> Position:
    game = new_game(edition).rig(hands={0: EVERYTHING})
    named, on_top = (game.of_rows("ticket", of) for of in (mine, deck or []))
    return game.rig_tickets({0: named}, [on_top], hoarder=1 if deck is not None else None)


FIRST, SECOND = 0, 10  # two routes without a common city
ROUTES = edition_of("first_journey")
ONE, TWO = neighbors(ROUTES, FIRST), neighbors(ROUTES, SECOND)
LENGTH = ROUTES.routes[FIRST].length


# Ends of the first tickets, those held, those on the deck. Then: how many are completed, those held, those on the deck.
COMPLETED: dict[str, tuple[Pairs, list[int], list[int], int, list[int], list[int]]] = {
    "shown and replaced": ([ONE, TWO], [0, 1], [7, 8], 1, [1, 7], [8]),
    "replacement complete when drawn": ([ONE, TWO, ONE], [0, 1], [2, 8], 2, [1, 8], []),
    "case 12: oldest first": ([ONE, ONE, ONE], [0, 1], [2, 7, 8, 9], 3, [7, 8], [9]),
    "case 12: empty deck does not replace": ([ONE, TWO], [0, 1], [], 1, [1], []),
    "no more held than two": ([ONE, TWO, TWO], [0, 1, 2], [7, 8], 1, [1, 2], [7, 8]),
}


@pytest.mark.parametrize("name", COMPLETED)
def test_completed_ticket_is_shown_and_replaced(name: str) -> None:
    pairs, mine, deck, completed, *then = COMPLETED[name]
    game = game_with(pairs, mine, deck)
    game.claim_wild(FIRST)
    game.expect(completed=completed, score=completed)
    assert [held(game), ticket_deck(game)] == then
    check_invariants(game)


def _with_completed(game: Position, n: int) -> Position:
    """Tickets that seat 0 completed before: the hoarder's, between joined cities, laid open."""
    holding, hoard = game.state["holdings"][0], game.state["holdings"][1]
    mine = [int(row) for row in holding["tickets"][: int(holding["n_tickets"])]]
    theirs = [int(row) for row in hoard["tickets"][: int(hoard["n_tickets"])]]
    game.rig_tickets({0: [*theirs[:n], *mine], 1: theirs[n:]}, [game.ticket_deck()])
    holding["shown"][:n] = 1
    holding["met_turn"][:n] = 0
    game.view["completed"][0], game.view["held_tickets"][0] = n, len(mine)
    game.view["score"][0] = n + int(game.view["bonus_ticket"][0])
    return game


@pytest.mark.parametrize("pairs", [[ONE, TWO], [ONE, ONE]])
@pytest.mark.parametrize("trains", [ROUTES.trains, LENGTH])
def test_sixth_ticket_ends_the_game_at_once(pairs: Pairs, trains: int) -> None:
    """Case 12: nothing counts or is replaced after it, and it comes before the last train."""
    game = _with_completed(game_with(pairs, [0, 1], [7, 8], trains=trains), 5)
    game.claim_wild(FIRST)
    assert game.is_over
    game.expect(end="tickets", completed=6, trains=trains - LENGTH)
    assert game.scores()[0] == int(game.state["results"][0]["completed"]) == 6
    assert ticket_deck(game) == [7, 8], "the sixth is not replaced"


def test_any_seat_can_win_the_race() -> None:
    game = game_with([ONE, TWO], [], None)
    game.rig_tickets({1: game.of_rows("ticket", [0])})
    game.rig(hands={1: EVERYTHING}, seat=1)
    game.view["completed"][1] = 5
    game.claim_wild(FIRST)
    assert (game.end(), game.scores()) == ("tickets", [0, 1])


def test_connected_ticket_that_an_action_draws_is_shown_at_once() -> None:
    (deck,) = ROUTES.decks
    game = game_with([TWO, TWO, ONE], [0], [2, 8, 9], decks=(replace(deck, draw=1),))
    game.give(0, FIRST)
    game.apply(draw_tickets())
    game.expect(completed=1)
    assert (held(game), ticket_deck(game)) == ([0, 8], [9])


@pytest.mark.parametrize(("first", "scores", "ranks"), [(TWO, [0, 0], [1, 1]), (ONE, [1, 0], [1, 2])])
def test_last_train_ends_the_game_at_once(first: tuple[str, str], scores: list[int], ranks: list[int]) -> None:
    """Case 12: its own completions count. Most tickets win, ties share."""
    game = game_with([first, TWO], [0, 1], None, trains=LENGTH)
    game.claim_wild(FIRST)
    assert game.is_over
    game.expect(end="trains", turn=0)
    assert (game.scores(), [int(result["rank"]) for result in game.score()]) == (scores, ranks)


DISCARDED: dict[str, tuple[Pairs, list[int], int, list[int], list[int]]] = {
    "both go under the deck": ([TWO, TWO], [7, 8, 9], 0, [7, 8], [9, 0, 1]),
    "exactly two left in the deck": ([TWO, TWO], [7, 8], 0, [7, 8], [0, 1]),
    # The connected one is completed at once and replaced by the first of those just put away.
    "a connected ticket is drawn": ([TWO, TWO, ONE], [2, 8], 1, [8, 0], [1]),
}


@pytest.mark.parametrize("name", DISCARDED)
def test_discard_puts_both_under_the_deck_after_two_new_ones(name: str) -> None:
    pairs, deck, completed, *then = DISCARDED[name]
    game = game_with(pairs, [0, 1], deck).give(0, FIRST)
    game.apply(discard_tickets())
    game.expect(completed=completed, seat=1)
    assert [held(game), ticket_deck(game)] == then
    check_invariants(game)


def test_discard_needs_two_in_the_deck_and_two_held() -> None:
    assert not game_with([TWO, TWO], [0, 1], [7]).can_answer(discard_tickets())
    assert not game_with([TWO, TWO], [0], [7, 8]).can_answer(discard_tickets())
    assert game_with([TWO, TWO], [0, 1], [7, 8]).can_answer(discard_tickets())
    assert not new_game("usa").can_answer(discard_tickets())


def test_no_pass_while_tickets_can_be_discarded() -> None:
    """All cards are in hands and no train is left: the discard is all that can be done."""
    game = game_with([TWO, TWO], [0, 1], [7, 8]).rig(hands={0: ""}, deck="")
    game.view["trains"][0] = 0
    assert game.choices() == [discard_tickets()]
    assert not kernels.is_to_pass(game.boards, game.states)


def one_step_from_bonus(**changes: Any) -> tuple[Position, int]:
    """Seat 0 has a path from Moscow to Madrid but for one route, which is returned."""
    game = game_with([], [], None, **changes)
    graph = nx.Graph()
    for row, entry in enumerate(game.edition.routes):
        graph.add_edge(entry.a, entry.b, row=row, length=entry.length)
    names = {city.name: row for row, city in enumerate(game.edition.cities)}
    path = nx.shortest_path(graph, names["Moscow"], names["Madrid"], "length")
    rows = [graph.edges[near, far]["row"] for near, far in pairwise(path)]
    assert not any(game.edition.cities[city].region for city in path[1:-1])
    game.give(0, *rows[1:])
    return game, rows[0]


def test_east_to_west_earns_a_bonus_ticket() -> None:
    """One, which counts as a completed ticket."""
    game, last = one_step_from_bonus()
    game.expect(bonus_ticket=0)
    game.claim_wild(last)
    game.expect(bonus_ticket=1, bonus_tickets_left=3, score=1)
    check_invariants(game, settled=False)
    results = game.score()
    assert (int(results[0]["score"]), int(results[0]["rank"]), int(results[1]["rank"])) == (1, 1, 2)
    game, last = one_step_from_bonus()
    game.claim_wild(last)
    game.rig(hands={0: EVERYTHING})
    game.claim_wild(next(row for row in range(len(game.edition.routes)) if game.can_answer(claim(row, WILD, 1))))
    game.expect(bonus_tickets_left=3)


def test_bonus_tickets_run_out() -> None:
    for count in (1, 0):
        game, last = one_step_from_bonus(bonus_ticket=BonusTicket("east", "west", count))
        game.view["bonus_tickets_left"] = 0
        game.claim_wild(last)
        game.expect(bonus_ticket=0, bonus_tickets_left=0)


def test_case_12_bonus_ticket_comes_before_the_held_tickets() -> None:
    """It is the sixth: the held ticket that the same claim connects is not even turned up."""
    game, last = one_step_from_bonus()
    ends = neighbors(game.edition, last)
    edition = tickets_between(game.edition, ends, ends)
    fresh = dealt(edition, [0, 1], [7, 8])
    fresh.give(0, *(row for row in range(len(edition.routes)) if game.view["owner"][row] == 0))
    _with_completed(fresh, 5)
    fresh.claim_wild(last)
    assert (fresh.end(), fresh.scores()[0]) == ("tickets", 6)
    assert int(fresh.state["results"][0]["completed"]) == int(fresh.view["completed"][0]) == 5
