"""Stations: what they cost, where they stand, and the best lending at the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import BLUE, RED, Position, edition_of, new_game, scored, with_rules
from ttr_sim.edition.model import Edition, End, Stations
from ttr_sim.engine.actions import ANSWER_STATION, WILD, build_station, pass_turn
from ttr_sim.log import END_NAMES


def build(game: Position, seat: int, *names: str) -> None:
    """Stations of a seat in these cities, unpaid."""
    table, hidden = game.view, game.state["hidden"]
    for name in names:
        place, count = game.city(name), game.edition.stations.count
        hidden["station_cities"][seat][count - int(table["stations"][seat])] = place
        table["station_owner"][place] = seat
        table["stations"][seat] -= 1


def payments(game: Position) -> set[tuple[int, int]]:
    return {(answer >> 16 & 255, answer >> 24 & 255) for answer in game.choices() if answer & 255 == ANSWER_STATION}


def test_europe_station_costs_one_two_and_three_cards_of_a_color() -> None:
    game = new_game("europe").rig(hands={0: "rrrb*"})
    assert payments(game) == {(RED, 0), (BLUE, 0), (WILD, 1)}
    build(game, 0, "Roma")
    assert payments(game) == {(RED, 0), (RED, 1), (BLUE, 1)}
    build(game, 0, "Paris")
    assert payments(game) == {(RED, 0), (RED, 1)}
    build(game, 0, "London")
    assert payments(game) == set()
    assert game.why_not(build_station(game.city("Wien"), RED, 0)) == "no station may be built"


def test_europe_station_is_paid_into_the_discards() -> None:
    game = new_game("europe").rig(hands={0: "rrb*"})
    build(game, 0, "Roma")
    game.apply(build_station(game.city("Wien"), RED, 1))
    game.expect(hand="rb", discards="r*", seat=1, turn=1)
    assert int(game.view["station_owner"][game.city("Wien")]) == 0
    check_invariants(game)


def test_europe_city_holds_one_station() -> None:
    game = new_game("europe").rig(hands={0: "rrr"})
    build(game, 0, "Roma")
    build(game, 1, "Paris")
    for name in ("Roma", "Paris"):
        assert game.why_not(build_station(game.city(name), RED, 0)) == "the city already has a station"
    assert game.can_answer(build_station(game.city("Wien"), RED, 0))


def test_no_pass_while_a_station_can_be_built() -> None:
    """All cards are in hands, no ticket is left, and no train: the station is all that can be done."""
    game = new_game("europe").rig_tickets({}, [[], []], hoarder=1)
    game.rig(hands={0: "r"}, row="", deck="")
    game.view["trains"][0] = 0
    assert len(game.choices()) == len(game.edition.cities)
    assert game.why_not(pass_turn()) == "a player who can act may not pass"
    assert not kernels.is_to_pass(game.boards, game.states)
    game.apply(build_station(game.city("Wien"), RED, 0))
    assert game.seat == 1


@pytest.mark.parametrize(
    ("edition", "where", "points"),
    [("europe", "Roma", [8, 12]), (with_rules("usa", stations=Stations(2, 7)), "Denver", [7, 14])],
)
def test_stations_not_built_score(edition: str | Edition, where: str, points: list[int]) -> None:
    game = new_game(edition).rig(hands={0: "rrr"})
    game.apply(build_station(game.city(where), RED, 0))
    assert game.points_for("station") == points


# Lending


def lent(game: Position, seat: int = 0) -> list[int]:
    kernels.lend(game.boards, game.states, seat)
    built = game.edition.stations.count - int(game.view["stations"][seat])
    return [int(row) for row in game.state["results"][seat]["lent"][:built]]


def ticket_results(game: Position) -> tuple[int, int, int]:
    """Completed tickets of seat 0, their points and the penalty."""
    result = game.score()[0]
    return int(result["completed"]), scored(result, "ticket"), scored(result, "ticket_penalty")


def one_loan_from_danzig(edition: str | Edition = "europe") -> Position:
    """Seat 0 needs one route of seat 1, out of Frankfurt, for its ticket from Bruxelles to Danzig."""
    game = new_game(edition)
    game.rig_tickets({0: [game.ticket("Bruxelles", "Danzig")]})
    game.give_between(0, ("Bruxelles", "Frankfurt"), ("Berlin", "Danzig"))
    return game.give_between(1, ("Berlin", "Frankfurt"))


def test_station_lends_another_players_route() -> None:
    game = one_loan_from_danzig()
    assert ticket_results(game) == (0, 0, -9)
    build(game, 0, "Frankfurt")
    assert lent(game) == [game.route("Berlin", "Frankfurt")]
    assert ticket_results(game) == (1, 9, 0)


def test_nothing_is_lent_once_a_race_is_won() -> None:
    game = one_loan_from_danzig(with_rules("europe", stations=Stations(1, 0), end=End(None, 6, False)))
    build(game, 0, "Frankfurt")
    assert lent(game) == [game.route("Berlin", "Frankfurt")]
    game.state["hidden"]["end"] = END_NAMES.index("tickets")
    assert lent(game) == [-1]


def test_lending_more_tickets_comes_before_fewer_routes() -> None:
    """A ticket worth nothing is completed by a loan: the points are those of no loan at all."""
    worthless = tuple(replace(entry, points=0) for entry in edition_of("europe").tickets)
    game = one_loan_from_danzig(with_rules("europe", tickets=worthless))
    build(game, 0, "Frankfurt")
    assert lent(game) == [game.route("Berlin", "Frankfurt")]
    assert int(game.score()[0]["completed"]) == 1


def test_station_does_not_lend_free_routes_nor_ones_that_do_not_touch_its_city() -> None:
    game = new_game("europe").give_between(0, ("Berlin", "Danzig"))
    game.rig_tickets({0: [game.ticket("Berlin", "Roma")]})
    build(game, 0, "Berlin")
    assert lent(game) == [-1]
    game.give_between(1, ("Paris", "Pamplona"))
    assert lent(game) == [-1]


def test_station_lends_the_same_route_for_all_tickets() -> None:
    """Two tickets want different routes into Paris: the one worth more decides."""
    game = new_game("europe")
    game.rig_tickets({0: [game.ticket("Amsterdam", "Pamplona"), game.ticket("Barcelona", "Bruxelles")]})
    game.give_between(0, ("Amsterdam", "Frankfurt"), ("Barcelona", "Pamplona"), ("Pamplona", "Paris"))
    game.give_between(1, ("Frankfurt", "Paris"), ("Bruxelles", "Paris"))
    build(game, 0, "Paris")
    assert lent(game) == [game.route("Bruxelles", "Paris")]
    assert ticket_results(game) == (1, 8, -7)
    build(game, 0, "Frankfurt")
    assert ticket_results(game) == (2, 15, 0)


def test_three_stations_around_one_city() -> None:
    """Three loans meet in Paris, which none of the owner's routes touches."""
    game = new_game("europe")
    game.rig_tickets({0: [game.ticket("Barcelona", "Bruxelles"), game.ticket("Madrid", "Dieppe")]})
    game.give_between(0, ("Pamplona", "Madrid"), ("Pamplona", "Barcelona"))
    loans = [game.route("Paris", "Pamplona"), game.route("Bruxelles", "Paris"), game.route("Dieppe", "Paris")]
    game.give(1, *loans)
    build(game, 0, "Pamplona", "Bruxelles", "Dieppe")
    assert lent(game) == loans
    assert int(game.score()[0]["completed"]) == 2


def test_lending_among_equals_uses_fewest_routes() -> None:
    game = new_game("europe")
    game.rig_tickets({0: [game.ticket("Bruxelles", "Danzig")]})
    game.give_between(0, ("Bruxelles", "Frankfurt"), ("Berlin", "Frankfurt"), ("Berlin", "Danzig"))
    game.give_between(1, ("Paris", "Pamplona"))
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
    game.rig_tickets({0: [game.ticket(*pair) for pair in ends]})
    game.give_between(0, ("Amsterdam", "Frankfurt"), ("Frankfurt", "München"))
    game.give_between(0, ("Barcelona", "Pamplona"), ("Pamplona", "Paris"))
    game.give_between(1, ("Frankfurt", "Paris"), ("Bruxelles", "Paris"))
    build(game, 0, "Paris")
    assert lent(game) == [game.route("Bruxelles", "Paris")]


def test_lent_routes_do_not_count_for_the_longest_path() -> None:
    game = new_game("europe")
    game.rig_tickets({0: [game.ticket("Berlin", "Roma")]})
    game.give_between(0, ("Berlin", "Wien"))
    game.give_between(1, ("Wien", "Budapest"))
    build(game, 0, "Wien")
    assert int(game.score()[0]["longest"]) == 3


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
                game.give(seat, row)
        game.rig_tickets({0: random.sample(range(len(game.edition.tickets)), 8)})
        build(game, 0, *(entry.name for entry in random.sample(game.edition.cities, 3)))
        expected = _best_by_brute_force(game, 0)
        assert _value(game, 0, lent(game)) == expected


def _value(game: Position, seat: int, loans: list[int]) -> tuple[int, int, int]:
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


def _best_by_brute_force(game: Position, seat: int) -> tuple[int, int, int]:
    options = []
    for place in range(game.edition.stations.count - int(game.view["stations"][seat])):
        at = int(game.state["hidden"]["station_cities"][seat][place])
        rows = [row for row, entry in enumerate(game.edition.routes) if at in (entry.a, entry.b)]
        options.append([-1, *(row for row in rows if game.view["owner"][row] not in (-1, seat))])
    return max(_value(game, seat, list(loans)) for loans in product(*options))
