"""Final scores, and the longest trail against trying every trail of small networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import networkx as nx
import pytest

from tests.referee.built import built, changed, game_log, messages, turn
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Bonus, Edition, Stations
from ttr_sim.referee import scoring
from ttr_sim.referee.claims import claim_route
from ttr_sim.referee.position import Holding, Lead, Position
from ttr_sim.referee.rulebook import Ends

MERCHANDISE = {
    **{(4, 3, 2, 1): [8, 6, 4, 2], (4, 4, 2, 1): [8, 8, 4, 2], (3, 2, 2, 2): [8, 6, 6, 6]},
    **{(2, 2, 2, 2): [8, 8, 8, 8], (5, 0, 1, 0): [8, 0, 6, 0], (0, 0, 0, 0): [0, 0, 0, 0]},
}
PASSENGERS = {
    **{(3, 2, 1): [20, 10, 0], (3, 3, 2): [20, 20, 0], (3, 2, 2): [20, 10, 10]},
    **{(3, 0, 0): [20, 0, 0], (2, 2, 2): [20, 20, 20], (0, 0, 0): [0, 0, 0]},
}


@pytest.mark.parametrize(("held", "points"), MERCHANDISE.items())
def test_merchandise_of_four(held: tuple[int, ...], points: list[int]) -> None:
    """Tied players all score the rank; the ranks after it are ignored; no cards, no bonus."""
    assert scoring.points_by_rank(list(held), (8, 6, 4, 2)) == points


@pytest.mark.parametrize(("held", "points"), PASSENGERS.items())
def test_passengers_of_a_color(held: tuple[int, ...], points: list[int]) -> None:
    """Tied for most: no second; tied for second: all of them; nobody scores with none."""
    assert scoring.majority_points(list(held), most=20, second=10) == points


@pytest.mark.parametrize("holders", [range(5), [2]], ids=["shared by five", "the last tie-break decides"])
def test_win_of_five_seats_with_equal_scores(holders: Sequence[int]) -> None:
    log = game_log(5, winners=sum(1 << seat for seat in holders), margin=0, lead_changes=0)
    shares = {seat: 1 / len(holders) for seat in holders}
    log.seats[:] = [
        changed(row, rank=1 if row.seat in shares else 2, win_share=shares.get(row.seat, 0.0)) for row in log.seats
    ]
    position = built("usa", log)
    finals = [scoring.FinalScore(score=70, tickets_completed=3, has_longest_path=seat in holders) for seat in range(5)]
    scoring.check_standings(position, finals)
    assert messages(position) == []


Links = list[tuple[int, int]]


def owning(edition: Edition | str, *owned: str, players: int = 2) -> Position:
    """Make the end of a game: each seat's routes by name."""
    position = built(edition, game_log(players))
    for seat, names in enumerate(owned):
        for name in names.split(", "):
            route = free_route(position, name)
            position.owner[route] = seat
            position.seats[seat].routes.append(route)
            position.seats[seat].network.join(position.edition.routes[route].a, position.edition.routes[route].b)
    return position


def free_route(position: Position, name: str) -> int:
    cities, ends = position.edition.cities, set(name.split("-"))
    routes = enumerate(position.edition.routes)
    return next(n for n, r in routes if {cities[r.a].name, cities[r.b].name} == ends and position.owner[n] is None)


def bonuses(position: Position, name: str) -> list[int | None]:
    """Points of every seat."""
    return [final.points[f"{name}_points"] for final in scoring.final_scores(position)]


def with_lending(edition: str) -> Edition:
    return replace(load_edition(edition), stations=Stations(count=1, unused_points=0))


def lend(position: Position, city: str, name: str) -> None:
    """Give the first seat a station that lends it a rival's route."""
    number = next(n for n, entry in enumerate(position.edition.cities) if entry.name == city)
    route = free_route(position, name)
    position.owner[route] = 1
    position.seats[0].stations = [number]
    position.log.seats[:] = [changed(row, lent="" if row.seat else f"{number}:{route}") for row in position.log.seats]


def test_an_attraction_scores_for_every_player_with_a_route_to_it() -> None:
    """Times Square has a coin, and a second route there adds nothing."""
    first, second = "Midtown West-Times Square, Lincoln Center-Times Square", "Times Square-United Nations"
    owned = (first, second, "East Village-Gramercy Park")
    assert bonuses(owning("new_york", *owned, players=4), "attraction") == [1, 2, 0, 0]
    dear = replace(load_edition("new_york"), attractions=Bonus(points=3))
    assert bonuses(owning(dear, second), "attraction") == [6, 0]


def test_a_district_is_closed_with_the_last_bus() -> None:
    position = owning("london", "Elephant & Castle-Waterloo")
    assert bonuses(position, "district") == [0, 0]
    state, route = position.seats[0], free_route(position, "Globe Theatre-Waterloo")
    state.hand["*"] = state.trains = 2
    position.turn = position.seat = 0
    claim_route(position, turn("claim", route=route, cards=2, wilds=2, claimed=True, wanted_by=0))
    assert state.trains == 0
    assert bonuses(position, "district") == [3, 0]


# Of the second player, who also owns a route that closes no district.
DISTRICTS = {
    "side by side": ("British Museum-Covent Garden", 1),
    "through another place": ("British Museum-Piccadilly Circus, Covent Garden-Piccadilly Circus", 1),
    "all places touched, in two networks": (
        "Baker Street-Regent's Park, Regent's Park-King's Cross, Hyde Park-Piccadilly Circus",
        0,
    ),
    "two districts in one network": (
        "King's Cross-Regent's Park, Regent's Park-Baker Street, Baker Street-Hyde Park, "
        "Hyde Park-Buckingham Palace, Buckingham Palace-Big Ben, Big Ben-Trafalgar Square, "
        "Trafalgar Square-Piccadilly Circus",
        7,
    ),
    "two districts in two networks": (
        "British Museum-Covent Garden, Elephant & Castle-Waterloo, Globe Theatre-Waterloo",
        4,
    ),
}


@pytest.mark.parametrize(("routes", "points"), DISTRICTS.values(), ids=DISTRICTS)
def test_districts(routes: str, points: int) -> None:
    assert bonuses(owning("london", "Baker Street-Piccadilly Circus", routes), "district") == [0, points]


def test_a_lent_route_closes_no_district() -> None:
    position = owning(with_lending("london"), "Elephant & Castle-Waterloo")
    lend(position, "Waterloo", "Globe Theatre-Waterloo")
    assert bonuses(position, "district") == [0, 0]


TO_RATIAM = "Jodhpur-Ahmadabad, Ahmadabad-Ratiam, Jodhpur-Jaipur, Jaipur-Ratiam"


MANDALA = {
    "two ways that meet in a city": ("Ratiam-Khandwa, Ratiam-Bhopal, Bhopal-Khandwa", 5),
    "a bridge": ("Ratiam-Khandwa", 0),
    "a bridge, and routes beyond": ("Ratiam-Khandwa, Khandwa-Manmad, Manmad-Poona", 0),
    "two ways that share nothing": ("Ratiam-Bhopal, Ahmadabad-Khandwa, Bhopal-Khandwa", 5),
}


@pytest.mark.parametrize(("routes", "points"), MANDALA.values(), ids=MANDALA)
def test_a_ticket_of_the_mandala(routes: str, points: int) -> None:
    """From Jodhpur to Khandwa, after two ways to Ratiam."""
    position = owning("india", f"{TO_RATIAM}, {routes}")
    position.seats[0].completed = [ticket_of(position, "Jodhpur-Khandwa")]
    assert bonuses(position, "mandala") == [points, 0]


def ticket_of(position: Position, name: str) -> Holding:
    number = next(n for n, ticket in enumerate(position.edition.tickets) if f"{ticket.a}-{ticket.b}" == name)
    return Holding(number, order=0)


@pytest.mark.parametrize("route", ["Agra-Jaipur", "Ahmadabad-Khandwa"], ids=["completes the ticket", "second way"])
def test_a_lent_route_is_no_way_of_the_mandala(route: str) -> None:
    position = owning(with_lending("india"), f"{TO_RATIAM}, {route}")
    lend(position, "Khandwa", "Ratiam-Khandwa")
    position.seats[0].held = [ticket_of(position, "Jodhpur-Khandwa")]
    assert bonuses(position, "mandala") == [0, 0]
    assert len(position.seats[0].completed) == 1


def test_six_tickets_of_the_mandala_score_as_five() -> None:
    """Of a player with one route of each group, without the longest path, which would take long to find."""
    edition = replace(load_edition("india"), longest_path=None, tie_breaks=("tickets",))
    for tickets, points in enumerate((0, 5, 10, 20, 30, 40, 40)):
        position = built(edition, game_log(2))
        position.seats[0].routes = [n for n, route in enumerate(position.edition.routes) if route.copy == 0]
        position.seats[0].completed = [Holding(ticket, order=ticket) for ticket in range(tickets)]
        assert bonuses(position, "mandala") == [points, 0]


TWO_WAYS: dict[str, tuple[Links, Ends, bool]] = {
    "one route": ([(0, 1)], ((0,), (1,)), False),
    "two circles apart": ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], ((0,), (3,)), False),
    "each between other cities of the ends": ([(0, 2), (1, 3)], ((0, 1), (2, 3)), True),
    "from two cities of one end": ([(0, 2), (1, 2)], ((0, 1), (2,)), True),
    "from two cities over a bridge": ([(0, 2), (1, 2), (2, 3)], ((0, 1), (3,)), False),
    "a route within an end is no way": ([(0, 1), (1, 2)], ((0, 1), (2,)), False),
}


@pytest.mark.parametrize(("links", "ends", "is_met"), TWO_WAYS.values(), ids=TWO_WAYS)
def test_two_ways(links: Links, ends: Ends, is_met: bool) -> None:
    assert scoring.has_two_ways(links, ends) == is_met


def test_two_ways_are_those_that_the_loss_of_no_route_parts() -> None:
    for seed in range(60):
        random = Random(seed)
        links = random.sample(list(combinations(range(8), 2)), random.randint(4, 12))
        drawn = random.sample(range(8), random.randint(2, 4))
        ends = tuple(drawn[:-1]), tuple(drawn[-1:])
        without = [[link for link in links if link != lost] for lost in [None, *links]]
        assert scoring.has_two_ways(links, ends) == all(joins(left, ends) for left in without), seed


def joins(links: Links, ends: Ends) -> bool:
    network = nx.Graph(links)
    network.add_nodes_from(range(8))
    return any(nx.has_path(network, a, b) for a in ends[0] for b in ends[1])


Edges = list[tuple[int, int, int]]


def best_of_all_trails(edges: Edges) -> int:
    """Every start, every way on."""

    def longest_from(city: int, rest: Edges) -> int:
        best = 0
        for place, (a, b, length) in enumerate(rest):
            for here, there in ((a, b), (b, a)):
                if here == city:
                    best = max(best, length + longest_from(there, rest[:place] + rest[place + 1 :]))
        return best

    return max((longest_from(city, edges) for edge in edges for city in edge[:2]), default=0)


def test_random_networks() -> None:
    for seed in range(60):
        random = Random(seed)
        pairs = random.sample(list(permutations(range(6), 2)), random.randint(0, 9))
        edges = [(a, b, random.randint(1, 6)) for a, b in pairs]
        assert scoring.longest_trail(edges) == best_of_all_trails(edges), seed


def complete(cities: int) -> Edges:
    return [(a, b, 1) for a, b in combinations(range(cities), 2)]


@pytest.mark.parametrize(
    ("edges", "longest"),
    [
        pytest.param([(0, 1, 1), (1, 2, 2), (2, 3, 2), (3, 1, 2)], 7, id="a loop, and a city visited twice"),
        pytest.param([(0, 1, 5), (0, 2, 4), (0, 3, 3)], 9, id="of three arms the shortest is left out"),
        pytest.param([(0, 1, 5), (2, 3, 6)], 6, id="parts that do not hang together do not add up"),
        # All cities are odd, so all but two leave out a route, which serves two.
        pytest.param(complete(6), 13, id="every one of six cities joined with every other"),
        pytest.param(complete(8), 25, id="every one of eight"),
    ],
)
def test_longest_trail(edges: Edges, longest: int) -> None:
    assert scoring.longest_trail(edges) == longest


def test_a_dense_network_takes_no_time() -> None:
    """A square of six by six cities has sixteen odd ones, paired along its border: seven of sixty routes stay out."""
    square = [(6 * y + x, 6 * y + x + 1, 1) for x in range(5) for y in range(6)]
    square += [(6 * y + x, 6 * y + x + 6, 1) for x in range(6) for y in range(5)]
    assert scoring.longest_trail(square) == 53


@pytest.mark.parametrize(
    ("moves", "leader", "since", "changes"),
    [
        ([(1, 0), (0, 2), (0, 4)], 0, 1, 0),  # the first leader is no change
        ([(0, 2), (1, 4)], 1, 1, 1),
        ([(0, 2), (1, 2), (0, 3)], 0, 2, 0),  # a shared lead is nobody's, and the same leader no change
        ([(0, 2), (1, 2), (1, 3)], 1, 2, 1),
    ],
)
def test_the_lead_after_moves_of_two_seats(moves: list[tuple[int, int]], leader: int, since: int, changes: int) -> None:
    """A move is the seat and its score then."""
    lead = Lead(2)
    for number, (seat, score) in enumerate(moves):
        lead.after_turn(number, seat, score)
    assert (lead.leader, lead.since, lead.changes) == (leader, since, changes)
