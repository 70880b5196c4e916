"""Stations: what they cost, where they stand, and the best lending at the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import (
    BLUE,
    RED,
    can_answer,
    city,
    edition_of,
    expect,
    give,
    give_between,
    new_game,
    points_for,
    rig,
    rig_tickets,
    route,
    score,
    scored,
    ticket,
    with_rules,
)
from ttr_sim.edition.model import Edition, End, Stations
from ttr_sim.engine.actions import ANSWER_STATION, WILD, build_station, pass_turn
from ttr_sim.engine.stepping import Game
from ttr_sim.log import END_NAMES


def build(game: Game, seat: int, *names: str) -> None:
    """Stations of a seat in these cities, unpaid."""
    table, hidden = game.view, game.state["hidden"]
    for name in names:
        place, count = city(game, name), game.edition.stations.count
        hidden["station_cities"][seat][count - int(table["stations"][seat])] = place
        table["station_owner"][place] = seat
        table["stations"][seat] -= 1


def payments(game: Game) -> set[tuple[int, int]]:
    return {(answer >> 16 & 255, answer >> 24 & 255) for answer in game.choices() if answer & 255 == ANSWER_STATION}


def test_europe_station_costs_one_two_and_three_cards_of_a_color() -> None:
    game = rig(new_game("europe"), hands={0: "rrrb*"})
    assert payments(game) == {(RED, 0), (BLUE, 0), (WILD, 1)}
    build(game, 0, "Roma")
    assert payments(game) == {(RED, 0), (RED, 1), (BLUE, 1)}
    build(game, 0, "Paris")
    assert payments(game) == {(RED, 0), (RED, 1)}
    build(game, 0, "London")
    assert payments(game) == set()
    assert game.why_not(build_station(city(game, "Wien"), RED, 0)) == "no station may be built"


def test_europe_station_is_paid_into_the_discards() -> None:
    game = rig(new_game("europe"), hands={0: "rrb*"})
    build(game, 0, "Roma")
    game.apply(build_station(city(game, "Wien"), RED, 1))
    expect(game, hand="rb", discards="r*", seat=1, turn=1)
    assert int(game.view["station_owner"][city(game, "Wien")]) == 0
    check_invariants(game)


def test_europe_city_holds_one_station() -> None:
    game = rig(new_game("europe"), hands={0: "rrr"})
    build(game, 0, "Roma")
    build(game, 1, "Paris")
    for name in ("Roma", "Paris"):
        assert game.why_not(build_station(city(game, name), RED, 0)) == "the city already has a station"
    assert can_answer(game, build_station(city(game, "Wien"), RED, 0))


def test_no_pass_while_a_station_can_be_built() -> None:
    """All cards are in hands, no ticket is left, and no train: the station is all that can be done."""
    game = rig_tickets(new_game("europe"), {}, [[], []], hoarder=1)
    rig(game, hands={0: "r"}, row="", deck="")
    game.view["trains"][0] = 0
    assert len(game.choices()) == len(game.edition.cities)
    assert game.why_not(pass_turn()) == "a player who can act may not pass"
    assert not kernels.is_to_pass(game.boards, game.states)
    game.apply(build_station(city(game, "Wien"), RED, 0))
    assert game.seat == 1


@pytest.mark.parametrize(
    ("edition", "where", "points"),
    [("europe", "Roma", [8, 12]), (with_rules("usa", stations=Stations(2, 7)), "Denver", [7, 14])],
)
def test_stations_not_built_score(edition: str | Edition, where: str, points: list[int]) -> None:
    game = rig(new_game(edition), hands={0: "rrr"})
    game.apply(build_station(city(game, where), RED, 0))
    assert points_for(game, "station") == points


# Lending


def lent(game: Game, seat: int = 0) -> list[int]:
    kernels.lend(game.boards, game.states, seat)
    built = game.edition.stations.count - int(game.view["stations"][seat])
    return [int(row) for row in game.state["results"][seat]["lent"][:built]]


def ticket_results(game: Game) -> tuple[int, int, int]:
    """Completed tickets of seat 0, their points and the penalty."""
    result = score(game)[0]
    return int(result["completed"]), scored(result, "ticket"), scored(result, "ticket_penalty")


def one_loan_from_danzig(edition: str | Edition = "europe") -> Game:
    """Seat 0 needs one route of seat 1, out of Frankfurt, for its ticket from Bruxelles to Danzig."""
    game = new_game(edition)
    rig_tickets(game, {0: [ticket(game, "Bruxelles", "Danzig")]})
    give_between(game, 0, ("Bruxelles", "Frankfurt"), ("Berlin", "Danzig"))
    return give_between(game, 1, ("Berlin", "Frankfurt"))


def test_station_lends_another_players_route() -> None:
    game = one_loan_from_danzig()
    assert ticket_results(game) == (0, 0, -9)
    build(game, 0, "Frankfurt")
    assert lent(game) == [route(game, "Berlin", "Frankfurt")]
    assert ticket_results(game) == (1, 9, 0)


def test_nothing_is_lent_once_a_race_is_won() -> None:
    game = one_loan_from_danzig(with_rules("europe", stations=Stations(1, 0), end=End(None, 6, False)))
    build(game, 0, "Frankfurt")
    assert lent(game) == [route(game, "Berlin", "Frankfurt")]
    game.state["hidden"]["end"] = END_NAMES.index("tickets")
    assert lent(game) == [-1]


def test_lending_more_tickets_comes_before_fewer_routes() -> None:
    """A ticket worth nothing is completed by a loan: the points are those of no loan at all."""
    worthless = tuple(replace(entry, points=0) for entry in edition_of("europe").tickets)
    game = one_loan_from_danzig(with_rules("europe", tickets=worthless))
    build(game, 0, "Frankfurt")
    assert lent(game) == [route(game, "Berlin", "Frankfurt")]
    assert int(score(game)[0]["completed"]) == 1


def test_station_does_not_lend_free_routes_nor_ones_that_do_not_touch_its_city() -> None:
    game = give_between(new_game("europe"), 0, ("Berlin", "Danzig"))
    rig_tickets(game, {0: [ticket(game, "Berlin", "Roma")]})
    build(game, 0, "Berlin")
    assert lent(game) == [-1]
    give_between(game, 1, ("Paris", "Pamplona"))
    assert lent(game) == [-1]


def test_station_lends_the_same_route_for_all_tickets() -> None:
    """Two tickets want different routes into Paris: the one worth more decides."""
    game = new_game("europe")
    rig_tickets(game, {0: [ticket(game, "Amsterdam", "Pamplona"), ticket(game, "Barcelona", "Bruxelles")]})
    give_between(game, 0, ("Amsterdam", "Frankfurt"), ("Barcelona", "Pamplona"), ("Pamplona", "Paris"))
    give_between(game, 1, ("Frankfurt", "Paris"), ("Bruxelles", "Paris"))
    build(game, 0, "Paris")
    assert lent(game) == [route(game, "Bruxelles", "Paris")]
    assert ticket_results(game) == (1, 8, -7)
    build(game, 0, "Frankfurt")
    assert ticket_results(game) == (2, 15, 0)


def test_three_stations_around_one_city() -> None:
    """Three loans meet in Paris, which none of the owner's routes touches."""
    game = new_game("europe")
    rig_tickets(game, {0: [ticket(game, "Barcelona", "Bruxelles"), ticket(game, "Madrid", "Dieppe")]})
    give_between(game, 0, ("Pamplona", "Madrid"), ("Pamplona", "Barcelona"))
    loans = [route(game, "Paris", "Pamplona"), route(game, "Bruxelles", "Paris"), route(game, "Dieppe", "Paris")]
    give(game, 1, *loans)
    build(game, 0, "Pamplona", "Bruxelles", "Dieppe")
    assert lent(game) == loans
    assert int(score(game)[0]["completed"]) == 2


def test_lending_among_equals_uses_fewest_routes() -> None:
    game = new_game("europe")
    rig_tickets(game, {0: [ticket(game, "Bruxelles", "Danzig")]})
    give_between(game, 0, ("Bruxelles", "Frankfurt"), ("Berlin", "Frankfurt"), ("Berlin", "Danzig"))
    give_between(game, 1, ("Paris", "Pamplona"))
    build(game, 0, "Paris")
    assert lent(game) == [-1]


def test_lending_more_points_comes_before_more_tickets() -> None:
    """One station in Paris: a loan completes one ticket of eight points, or two of one point each."""
    ends = [("Barcelona", "Bruxelles"), ("Amsterdam", "Pamplona"), ("Barcelona", "München")]
    by_ends = {frozenset(pair): 8 if pair == ends[0] else 1 for pair in ends}
    tickets = tuple(
        replace(entry, points=by_ends.get(frozenset((entry.a, entry.b)), entry.points))
        for entry in edition_of("europe").tickets
    )
    game = new_game(with_rules("europe", tickets=tickets))
    rig_tickets(game, {0: [ticket(game, *pair) for pair in ends]})
    give_between(game, 0, ("Amsterdam", "Frankfurt"), ("Frankfurt", "München"))
    give_between(game, 0, ("Barcelona", "Pamplona"), ("Pamplona", "Paris"))
    give_between(game, 1, ("Frankfurt", "Paris"), ("Bruxelles", "Paris"))
    build(game, 0, "Paris")
    assert lent(game) == [route(game, "Bruxelles", "Paris")]


def test_lent_routes_do_not_count_for_the_longest_path() -> None:
    game = new_game("europe")
    rig_tickets(game, {0: [ticket(game, "Berlin", "Roma")]})
    give_between(game, 0, ("Berlin", "Wien"))
    give_between(game, 1, ("Wien", "Budapest"))
    build(game, 0, "Wien")
    assert int(score(game)[0]["longest"]) == 3


def test_lending_equals_brute_force() -> None:
    """On crowded maps, with three stations of seat 0 and eight tickets held."""
    random = Random(11)
    for deal in range(40):
        game = new_game("europe", 5, deal=deal)
        routes = game.edition.routes
        rows = list(range(len(routes)))
        random.shuffle(rows)
        for place, row in enumerate(rows[:60]):
            seat = place % 5
            taken = {routes[other].group for other in rows if game.view["owner"][other] == seat}
            if routes[row].group not in taken and routes[row].length <= game.view["trains"][seat]:
                give(game, seat, row)
        rig_tickets(game, {0: random.sample(range(len(game.edition.tickets)), 8)})
        build(game, 0, *(entry.name for entry in random.sample(game.edition.cities, 3)))
        expected = _best_by_brute_force(game, 0)
        assert _value(game, 0, lent(game)) == expected


def _value(game: Game, seat: int, loans: list[int]) -> tuple[int, int, int]:
    """Points, completed tickets and minus the number of loans, with these loans."""
    labels = list(range(len(game.edition.cities)))
    own = [row for row in range(len(game.edition.routes)) if game.view["owner"][row] == seat]
    for row in (*own, *(loan for loan in loans if loan >= 0)):
        a, b = labels[game.edition.routes[row].a], labels[game.edition.routes[row].b]
        labels = [a if label == b else label for label in labels]
    holding = game.state["holdings"][seat]
    tickets = [game.edition.tickets[int(row)] for row in holding["tickets"][: int(holding["n_tickets"])]]
    done = [entry for entry in tickets if labels[entry.a_cities[0]] == labels[entry.b_cities[0]]]
    points = 2 * sum(entry.points for entry in done) - sum(entry.points for entry in tickets)
    return points, len(done), -sum(loan >= 0 for loan in loans)


def _best_by_brute_force(game: Game, seat: int) -> tuple[int, int, int]:
    options = []
    for place in range(game.edition.stations.count - int(game.view["stations"][seat])):
        at = int(game.state["hidden"]["station_cities"][seat][place])
        rows = [row for row, entry in enumerate(game.edition.routes) if at in (entry.a, entry.b)]
        options.append([-1, *(row for row in rows if game.view["owner"][row] not in (-1, seat))])
    return max(_value(game, seat, list(loans)) for loans in product(*options))
