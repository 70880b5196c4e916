"""The final scoring: every item of every seat's score computed again, then ranks, winners and margin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields

from ttr_sim.log import SCORE_PARTS
from ttr_sim.referee.claims import settle_lending
from ttr_sim.referee.position import Position, SeatState
from ttr_sim.referee.rulebook import Ends, Rulebook

RULE = "scoring"
STANDINGS_RULE = "standings"

Link = tuple[int, int, int]  # a route: its two cities and its length
Cities = frozenset[tuple[int, bool, int]]  # city, whether it is odd, the part it belongs to
Taken = tuple[Cities, int]  # open cities of the routes taken so far, and the number of odd ones that are closed


@dataclass(slots=True)
class FinalScore:
    """The log's `seats` columns that the game decides, by name. None where the edition lacks the rule."""

    score: int = 0
    tickets_completed: int = 0
    tickets_failed: int | None = None
    longest_path: int | None = None
    routes: int = 0
    trains_left: int = 0
    stations_left: int | None = None
    passengers: str | None = None
    merchandise: int | None = None
    bonus_ticket: bool | None = None
    turns: int = 0
    has_longest_path: bool = False
    points: dict[str, int | None] = field(default_factory=dict)  # by column of SCORE_PARTS

    @property
    def tickets_and_bonus(self) -> int:
        return self.tickets_completed + bool(self.bonus_ticket)


COUNTS = tuple(field.name for field in fields(FinalScore) if field.name not in ("has_longest_path", "points"))

TIE_BREAKS: dict[str, Callable[[FinalScore], int]] = {
    "tickets": lambda final: final.tickets_and_bonus,
    "stations": lambda final: final.stations_left or 0,
    "longest_path": lambda final: final.has_longest_path,
    "passengers": lambda final: len(final.passengers or ""),
}


def final_scores(position: Position) -> list[FinalScore]:
    """Score every seat, item by item."""
    edition = position.edition
    for seat, state in enumerate(position.seats):
        position.seat = seat
        # Tickets that lent routes connect are completed for every purpose.
        for holding in settle_lending(position, seat):
            holding.completed = True
            state.held.remove(holding)
            state.completed.append(holding)
    position.seat = None
    scores = [
        FinalScore(
            tickets_completed=len(state.completed),
            tickets_failed=len(state.held) if edition.ticket_rules.failed_subtract else None,
            routes=len(state.routes),
            trains_left=state.trains,
            stations_left=edition.stations.count - len(state.stations) if edition.stations else None,
            passengers="".join(color * n for color, n in state.passengers.items()) if edition.passengers else None,
            merchandise=state.merchandise if edition.merchandise else None,
            bonus_ticket=state.bonus_ticket if edition.bonus_ticket else None,
            turns=state.turns,
        )
        for state in position.seats
    ]
    if edition.longest_path is not None or "longest_path" in edition.tie_breaks:
        routes = edition.routes
        for final, state in zip(scores, position.seats, strict=True):
            final.longest_path = longest_trail((routes[r].a, routes[r].b, routes[r].length) for r in state.routes)
        longest = max(final.longest_path or 0 for final in scores)
        for final in scores:  # all tied seats hold it, and none without a route
            final.has_longest_path = 0 < longest == final.longest_path
    for seat, final in enumerate(scores):
        final.points = dict.fromkeys((part.column for part in SCORE_PARTS), None)
        if edition.is_race:
            final.score = final.tickets_and_bonus
        else:
            final.points |= _points(position, scores, seat)
            final.score = sum(points or 0 for points in final.points.values())
    return scores


def check_scores(position: Position, scores: list[FinalScore]) -> None:
    """Compare each seat's row of the log, column by column."""
    for seat, (row, final) in enumerate(zip(position.log.seats, scores, strict=True)):
        position.seat = seat
        position.expect(RULE, "score", row.score, final.score)
        for column, points in final.points.items():
            position.expect(RULE, column, getattr(row, column), points)
        for name in COUNTS[1:]:
            position.expect(RULE, name, getattr(row, name), getattr(final, name))
    position.seat = None


def _points(position: Position, scores: list[FinalScore], seat: int) -> dict[str, int | None]:
    """Points of one seat by column. A rule that the edition lacks leaves its column null."""
    edition, state, final = position.edition, position.seats[seat], scores[seat]
    points: dict[str, int | None] = {}
    if edition.route_scores is not None:
        points["route_points"] = sum(edition.route_scores[edition.routes[r].length - 1] for r in state.routes)
    points["ticket_points"] = sum(edition.tickets[holding.ticket].points for holding in state.completed)
    if edition.ticket_rules.failed_subtract:
        points["ticket_penalty"] = -sum(edition.tickets[holding.ticket].points for holding in state.held)
    if edition.longest_path:
        points["longest_points"] = edition.longest_path.points * final.has_longest_path
    if edition.globetrotter:
        most = max(other.tickets_and_bonus for other in scores)
        points["globetrotter_points"] = edition.globetrotter.points * (0 < final.tickets_and_bonus == most)
    if edition.stations:
        points["station_points"] = edition.stations.unused_points * (final.stations_left or 0)
    if edition.passengers:
        rule, total = edition.passengers, 0
        for color in rule.colors:
            held = [other.passengers[edition.colors[color].letter] for other in position.seats]
            total += majority_points(held, rule.most, rule.second)[seat]
        points["passenger_points"] = total
    if edition.merchandise:
        ranks = edition.merchandise.points.get(position.players, ())
        points["merchandise_points"] = points_by_rank([other.merchandise for other in position.seats], ranks)[seat]
    return points | end_bonuses(position.rules, state)


def end_bonuses(rules: Rulebook, state: SeatState) -> dict[str, int | None]:
    """Points of attractions, districts and the Mandala, by column."""
    edition = rules.edition
    links = [(edition.routes[r].a, edition.routes[r].b) for r in state.routes]
    points: dict[str, int | None] = {}
    if edition.attractions:
        touched = {city for link in links for city in link}
        points["attraction_points"] = edition.attractions.points * sum(edition.cities[c].attraction for c in touched)
    if edition.districts:
        parts: dict[str | None, set[int]] = {}  # of the network, by region
        for number, city in enumerate(edition.cities):
            parts.setdefault(city.region, set()).add(state.network.root(number))
        worths = edition.districts.points.items()
        points["district_points"] = sum(worth for region, worth in worths if len(parts[region]) == 1)
    if edition.mandala:
        kept = (*state.completed, *state.held)
        safe = sum(has_two_ways(links, rules.ticket_ends[holding.ticket]) for holding in kept)
        steps = (0, *edition.mandala.points)
        points["mandala_points"] = steps[min(safe, len(steps) - 1)]
    return points


def has_two_ways(links: Iterable[tuple[int, int]], ends: Ends) -> bool:
    """Check for two ways between the ends that share no route."""
    from networkx import Graph, maximum_flow_value
    from networkx.algorithms.flow import edmonds_karp

    # Each route lets one unit through, and an end is joined to each of its cities by more than can be lost.
    graph = Graph()
    graph.add_edges_from(links, capacity=1)  # nobody owns two routes between the same cities
    for end, cities in zip(("from", "to"), ends, strict=True):
        graph.add_edges_from(((end, city) for city in cities), capacity=2)
    return bool(maximum_flow_value(graph, "from", "to", flow_func=edmonds_karp, cutoff=2) >= 2)


def majority_points(held: list[int], most: int, second: int) -> list[int]:
    """Score one color: the most and, where one seat alone has them, the second most. Nothing for none."""
    first = max(held)
    prizes = {first: most}
    # A tie for the most leaves no second place.
    if held.count(first) == 1:
        prizes[max((count for count in held if count < first), default=0)] = second
    return [prizes.get(count, 0) if count else 0 for count in held]


def points_by_rank(held: list[int], points: Sequence[int]) -> list[int]:
    """Score ranks: tied seats share one, the ranks after it are skipped, and no cards score nothing."""
    ranks = [sum(other > count for other in held) for count in held]
    return [points[rank] if count and rank < len(points) else 0 for count, rank in zip(held, ranks, strict=True)]


def check_standings(position: Position, scores: list[FinalScore]) -> None:
    """Compare ranks, win shares, winners, margin and lead: by score, then by the tie-breaks, then shared."""
    breaks = [TIE_BREAKS[name] for name in position.edition.tie_breaks]
    merits = [(final.score, *(value(final) for value in breaks)) for final in scores]
    ranks = [1 + sum(other > merit for other in merits) for merit in merits]
    # Seats that no tie-break separates share the win.
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    for seat, row in enumerate(position.log.seats):
        position.seat = seat
        position.expect(STANDINGS_RULE, "rank", row.rank, ranks[seat])
        position.expect(STANDINGS_RULE, "win_share", row.win_share, 1 / len(winners) if seat in winners else 0.0)
    position.seat = None
    game, margin = position.log.game, 0
    if len(winners) == 1:  # a shared win, or a tie-break, has no margin
        others = [final.score for seat, final in enumerate(scores) if seat != winners[0]]
        margin = scores[winners[0]].score - max(others)
    position.expect(STANDINGS_RULE, "winners", game.winners, sum(1 << seat for seat in winners))
    position.expect(STANDINGS_RULE, "margin", game.margin, margin)
    position.expect("lead", "lead_changes", game.lead_changes, position.lead.changes)
    leads_to_the_end = winners == [position.lead.leader]
    position.expect("lead", "lead_turn", game.lead_turn, position.lead.since if leads_to_the_end else None)


def longest_trail(routes: Iterable[Link]) -> int:
    """Trains of the longest trail that uses no route twice. A route is its two cities and its length."""
    # A trail is a connected set of routes with at most two odd cities. So each route is either taken or left, one
    # after the other, and a state needs no more than the cities that later routes touch.
    order = list(_side_by_side(list(routes)))
    left = Counter(city for a, b, _ in order for city in (a, b))
    longest: dict[Taken, int] = {(frozenset(), 0): 0}
    best = 0
    for a, b, length in order:
        left.subtract((a, b))
        done = [city for city in (a, b) if not left[city]]
        after: dict[Taken, int] = {}
        for (before, ends), trains in longest.items():
            for cities, total in ((before, trains), (_with_route(before, a, b), trains + length)):
                # The last of its cities to close makes a part complete: then it must be all there is.
                open_cities = frozenset(entry for entry in cities if entry[0] not in done)
                closed = cities - open_cities
                odd = ends + sum(is_odd for _, is_odd, _ in closed)
                is_complete = {part for _, _, part in closed} - {part for _, _, part in open_cities}
                if odd > 2:
                    continue
                if is_complete:
                    if not open_cities and len(is_complete) == 1:
                        best = max(best, total)
                    continue
                # Each part is named by its smallest city, so that equal states are one.
                smallest: dict[int, int] = {}
                for city, _, part in open_cities:
                    smallest[part] = min(city, smallest.get(part, city))
                named = frozenset((city, is_odd, smallest[part]) for city, is_odd, part in open_cities)
                state = named, odd
                after[state] = max(total, after.get(state, 0))
        longest = after
    return best


def _side_by_side(left: list[Link]) -> Iterator[Link]:
    """Order routes so that few cities are open at a time, by always closing the nearest to done."""
    waiting: set[int] = set()
    while left:
        count = Counter(city for a, b, _ in left for city in (a, b))
        waiting = {city for city in waiting if count[city]} or {min(count, key=lambda city: (count[city], city))}
        city = min(waiting, key=lambda city: (count[city], city))
        for route in [route for route in left if city in route[:2]]:
            left.remove(route)
            waiting.update(route[:2])
            yield route


def _with_route(cities: Cities, a: int, b: int) -> Cities:
    """Add a route: both ends change between odd and even, and their parts become one."""
    odd = {city: is_odd for city, is_odd, _ in cities}
    label = {city: part for city, _, part in cities}
    for city in (a, b):
        odd[city] = not odd.get(city, False)
        label.setdefault(city, city)
    kept, dropped = label[a], label[b]
    return frozenset((city, odd[city], kept if part == dropped else part) for city, part in label.items())
