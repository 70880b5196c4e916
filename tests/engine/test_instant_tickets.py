"""First Journey's tickets: shown and replaced when completed, discarded, and the bonus ticket."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import networkx as nx

from tests.engine import kernels
from tests.engine import rig as rigs
from tests.engine.invariants import check_invariants
from tests.engine.rig import (
    can_answer,
    edition_of,
    give,
    new_game,
    of_rows,
    rig,
    rig_tickets,
    score,
    take_trains,
    with_rules,
)
from ttr_sim.edition.model import BonusTicket, Edition
from ttr_sim.engine.actions import WILD, claim, discard_tickets, draw_tickets
from ttr_sim.engine.stepping import Game

EVERYTHING = "r" * 10 + "*" * 12


def held(game: Game, seat: int = 0) -> list[int]:
    """Rows of the tickets in the hand, oldest first, without the shown ones."""
    holding = game.state["holdings"][seat]
    n = int(holding["n_tickets"])
    return rows(
        game, [int(t) for t, shown in zip(holding["tickets"][:n], holding["shown"][:n], strict=True) if not shown]
    )


def ticket_deck(game: Game) -> list[int]:
    """Rows of the deck's tickets from the top."""
    return rows(game, rigs.ticket_deck(game))


def rows(game: Game, tickets: list[int]) -> list[int]:
    """Rows, in the edition that the game was made from, of the engine's tickets: new ones change their order."""
    return [int(game.boards[0]["ticket_row"][ticket]) for ticket in tickets]


def completed(game: Game, seat: int = 0) -> int:
    return int(game.view["completed"][seat])


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


def claim_wild(game: Game, row: int) -> None:
    """Seat 0 claims a route with wilds alone."""
    game.apply(claim(row, WILD, game.edition.routes[row].length))


def game_with(pairs: list[tuple[str, str]], mine: list[int], deck: list[int] | None, **changes: object) -> Game:
    """Seat 0 holds tickets by number; the deck holds these on top, or exactly these when a hoarder is there."""
    return dealt(tickets_between(with_rules("first_journey", **changes), *pairs), mine, deck)


def dealt(edition: Edition, mine: list[int], deck: list[int] | None) -> Game:
    game = rig(new_game(edition), hands={0: EVERYTHING})
    named, on_top = (of_rows(game, "ticket", of) for of in (mine, deck or []))
    return rig_tickets(game, {0: named}, [on_top], hoarder=1 if deck is not None else None)


FIRST, SECOND = 0, 10  # two routes without a common city
ROUTES = edition_of("first_journey")
ONE, TWO = neighbors(ROUTES, FIRST), neighbors(ROUTES, SECOND)


def test_completed_ticket_is_shown_and_replaced() -> None:
    game = game_with([ONE, TWO], [0, 1], [7, 8])
    claim_wild(game, FIRST)
    assert (completed(game), held(game), ticket_deck(game)) == (1, [1, 7], [8])
    assert int(game.view["score"][0]) == 1
    check_invariants(game)


def test_instant_ticket_complete_when_drawn() -> None:
    """The replacement is connected already: it is completed and replaced as well."""
    game = game_with([ONE, TWO, ONE], [0, 1], [2, 8])
    claim_wild(game, FIRST)
    assert (completed(game), held(game), ticket_deck(game)) == (2, [1, 8], [])
    check_invariants(game)


def test_case_12_held_tickets_oldest_first_and_replacements_last() -> None:
    """Both held tickets and the first replacement are connected: 0, 1, then 2, each replaced in turn."""
    game = game_with([ONE, ONE, ONE], [0, 1], [2, 7, 8, 9])
    claim_wild(game, FIRST)
    assert (completed(game), held(game), ticket_deck(game)) == (3, [7, 8], [9])


def test_case_12_empty_deck_does_not_replace() -> None:
    game = game_with([ONE, TWO], [0, 1], [])
    claim_wild(game, FIRST)
    assert (completed(game), held(game), ticket_deck(game)) == (1, [1], [])


def test_sixth_ticket_ends_the_game_at_once() -> None:
    won = _with_completed(game_with([ONE, TWO], [0, 1], [7, 8]), 5)
    claim_wild(won, FIRST)
    assert (won.is_over, won.end(), won.scores()[0]) == (True, "tickets", 6)
    assert ticket_deck(won) == [7, 8], "the sixth is not replaced"


def _with_completed(game: Game, n: int) -> Game:
    """Tickets that seat 0 completed before: the hoarder's, between joined cities, laid open."""
    holding, hoard = game.state["holdings"][0], game.state["holdings"][1]
    mine = [int(row) for row in holding["tickets"][: int(holding["n_tickets"])]]
    theirs = [int(row) for row in hoard["tickets"][: int(hoard["n_tickets"])]]
    shown, rest = theirs[:n], theirs[n:]
    rig_tickets(game, {0: [*shown, *mine], 1: rest}, [rigs.ticket_deck(game)])
    holding["shown"][:n] = 1
    holding["met_turn"][:n] = 0
    game.view["completed"][0], game.view["held_tickets"][0] = n, len(mine)
    game.view["score"][0] = n + int(game.view["bonus_ticket"][0])
    return game


def test_case_12_nothing_further_counts_after_the_sixth_ticket() -> None:
    """Both held tickets are connected by the claim; the first of them is the sixth and ends the game."""
    game = _with_completed(game_with([ONE, ONE], [0, 1], [7, 8]), 5)
    claim_wild(game, FIRST)
    assert (game.end(), game.scores()[0], completed(game)) == ("tickets", 6, 6)
    assert int(game.state["results"][0]["completed"]) == 6


def test_case_12_sixth_ticket_and_last_train_in_one_claim() -> None:
    length = ROUTES.routes[FIRST].length
    game = _with_completed(game_with([ONE, TWO], [0, 1], [7, 8], trains=length), 5)
    claim_wild(game, FIRST)
    assert (int(game.view["trains"][0]), game.end(), game.scores()[0]) == (0, "tickets", 6)


def test_any_seat_can_win_the_race() -> None:
    game = game_with([ONE, TWO], [], None)
    rig_tickets(game, {1: of_rows(game, "ticket", [0])})
    rig(game, hands={1: EVERYTHING}, seat=1)
    game.view["completed"][1] = 5
    claim_wild(game, FIRST)
    assert (game.end(), game.scores()) == ("tickets", [0, 1])


def test_no_more_tickets_are_held_than_the_edition_says() -> None:
    """Three are held where two may be: the first to be completed is not replaced."""
    game = game_with([ONE, TWO, TWO], [0, 1, 2], [7, 8])
    claim_wild(game, FIRST)
    assert (completed(game), held(game), ticket_deck(game)) == (1, [1, 2], [7, 8])


def test_connected_ticket_that_an_action_draws_is_shown_at_once() -> None:
    (deck,) = edition_of("first_journey").decks
    game = game_with([TWO, TWO, ONE], [0], [2, 8, 9], decks=(replace(deck, draw=1),))
    give(game, 0, FIRST)
    game.apply(draw_tickets())
    assert (completed(game), held(game), ticket_deck(game)) == (1, [0, 8], [9])


def test_last_train_ends_the_game_at_once() -> None:
    length = ROUTES.routes[FIRST].length
    game = game_with([TWO, TWO], [0, 1], None, trains=length)
    claim_wild(game, FIRST)
    assert (game.is_over, game.end(), game.turn) == (True, "trains", 0)


def test_case_12_last_trains_own_completions_count_first() -> None:
    length = ROUTES.routes[FIRST].length
    game = game_with([ONE, TWO], [0, 1], None, trains=length)
    claim_wild(game, FIRST)
    assert (game.end(), game.scores()) == ("trains", [1, 0])


def test_last_train_most_tickets_win_and_ties_share() -> None:
    length = ROUTES.routes[FIRST].length
    game = game_with([TWO, TWO], [0, 1], None, trains=length)
    claim_wild(game, FIRST)
    assert [int(result["rank"]) for result in score(game)] == [1, 1]


# --- discard ---------------------------------------------------------------------------------


def test_discard_puts_both_under_the_deck_after_two_new_ones() -> None:
    game = game_with([TWO, TWO], [0, 1], [7, 8, 9])
    game.apply(discard_tickets())
    assert (held(game), ticket_deck(game), game.seat) == ([7, 8], [9, 0, 1], 1)
    check_invariants(game)


def test_discard_of_exactly_two_left_in_the_deck() -> None:
    game = game_with([TWO, TWO], [0, 1], [7, 8])
    game.apply(discard_tickets())
    assert (held(game), ticket_deck(game)) == ([7, 8], [0, 1])


def test_discard_needs_two_in_the_deck_and_two_held() -> None:
    assert not can_answer(game_with([TWO, TWO], [0, 1], [7]), discard_tickets())
    assert not can_answer(game_with([TWO, TWO], [0], [7, 8]), discard_tickets())
    assert can_answer(game_with([TWO, TWO], [0, 1], [7, 8]), discard_tickets())


def test_discard_may_bring_a_connected_ticket() -> None:
    """It is completed at once and replaced: by the first of those just put away when nothing else is there."""
    game = game_with([TWO, TWO, ONE], [0, 1], [2, 8])
    give(game, 0, FIRST)
    game.apply(discard_tickets())
    assert (completed(game), held(game), ticket_deck(game)) == (1, [8, 0], [1])
    check_invariants(game)


def test_no_pass_while_tickets_can_be_discarded() -> None:
    """All cards are in hands and no train is left: the discard is all that can be done."""
    game = game_with([TWO, TWO], [0, 1], [7, 8])
    rig(game, hands={0: ""}, deck="")
    take_trains(game, 0)
    assert game.choices() == [discard_tickets()]
    assert not kernels.is_to_pass(game.boards, game.states)


def test_no_discard_where_the_edition_has_none() -> None:
    assert not can_answer(new_game("usa"), discard_tickets())


# --- the bonus ticket ------------------------------------------------------------------------


def region(edition: Edition, name: str) -> list[int]:
    return [row for row, city in enumerate(edition.cities) if city.region == name]


def test_regions_are_the_rulebooks() -> None:
    edition = edition_of("first_journey")
    assert {edition.cities[row].name for row in region(edition, "east")} == {"Moscow", "Rostov", "Ankara"}
    assert {edition.cities[row].name for row in region(edition, "west")} == {"Dublin", "Brest", "Madrid"}


def one_step_from_bonus(**changes: object) -> tuple[Game, int]:
    """Seat 0 has a path from Moscow to Madrid but for one route, which is returned."""
    game = game_with([], [], None, **changes)
    graph = nx.Graph()
    for row, entry in enumerate(game.edition.routes):
        graph.add_edge(entry.a, entry.b, row=row, length=entry.length)
    names = {city.name: row for row, city in enumerate(game.edition.cities)}
    path = nx.shortest_path(graph, names["Moscow"], names["Madrid"], "length")
    rows = [graph.edges[near, far]["row"] for near, far in pairwise(path)]
    others = {*region(game.edition, "east"), *region(game.edition, "west")} - {path[0], path[-1]}
    assert not others & set(path)
    give(game, 0, *rows[1:])
    return game, rows[0]


def test_east_to_west_earns_a_bonus_ticket() -> None:
    game, last = one_step_from_bonus()
    assert int(game.view["bonus_ticket"][0]) == 0
    claim_wild(game, last)
    assert (int(game.view["bonus_ticket"][0]), int(game.view["bonus_tickets_left"])) == (1, 3)
    assert int(game.view["score"][0]) == 1
    check_invariants(game, settled=False)


def test_bonus_ticket_counts_as_a_completed_one() -> None:
    game, last = one_step_from_bonus()
    claim_wild(game, last)
    results = score(game)
    assert (int(results[0]["score"]), int(results[0]["rank"]), int(results[1]["rank"])) == (1, 1, 2)


def test_bonus_ticket_is_earned_once() -> None:
    game, last = one_step_from_bonus()
    claim_wild(game, last)
    rig(game, hands={0: EVERYTHING})
    row = next(row for row in range(len(game.edition.routes)) if can_answer(game, claim(row, WILD, 1)))
    claim_wild(game, row)
    assert int(game.view["bonus_tickets_left"]) == 3


def test_no_bonus_ticket_when_none_is_left() -> None:
    game, last = one_step_from_bonus(bonus_ticket=BonusTicket("east", "west", 0))
    claim_wild(game, last)
    assert int(game.view["bonus_ticket"][0]) == 0


def test_bonus_tickets_run_out() -> None:
    game, last = one_step_from_bonus()
    game.view["bonus_tickets_left"] = 0
    game.apply(claim(last, WILD, game.edition.routes[last].length))
    assert (int(game.view["bonus_ticket"][0]), int(game.view["bonus_tickets_left"])) == (0, 0)


def test_case_12_bonus_ticket_comes_before_the_held_tickets() -> None:
    """It is the sixth: the held ticket that the same claim connects is not even turned up."""
    game, last = one_step_from_bonus()
    ends = neighbors(game.edition, last)
    edition = tickets_between(game.edition, ends, ends)
    fresh = dealt(edition, [0, 1], [7, 8])
    give(fresh, 0, *(row for row in range(len(edition.routes)) if game.view["owner"][row] == 0))
    _with_completed(fresh, 5)
    claim_wild(fresh, last)
    assert (fresh.end(), completed(fresh), fresh.scores()[0]) == ("tickets", 5, 6)
    assert int(fresh.state["results"][0]["completed"]) == 5
