"""The end of the game: every score part, the longest trail, ranks.

Each rule fills its entry of `results[seat].points`. log.SCORE_PARTS names the entries.
"""

from ttr_sim.engine.board import ABSENT, BY_LONGEST_PATH, BY_PASSENGERS, BY_STATIONS, BY_TICKETS
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import has_road, is_met, is_set_joined, join_cities
from ttr_sim.engine.records import PART
from ttr_sim.engine.stations import BY_RACE, lend_best_routes, lending_network


@compiled
def score_game(board, state):
    players = state.mover_view.players
    for seat in range(players):
        points = state.results[seat].points
        for part in range(len(PART)):
            points[part] = 0
        points[PART.route] = state.mover_view.score[seat]
        points[PART.station] = board.unused_points * state.mover_view.stations[seat]
        score_tickets(board, state, seat)
    score_longest_path(board, state)
    score_globetrotter(board, state)
    score_passengers(board, state)
    score_merchandise(board, state)
    score_attractions(board, state)
    score_districts(board, state)
    score_mandala(board, state)
    for seat in range(players):
        result = state.results[seat]
        result.score = 0
        for part in range(len(PART)):
            result.score += result.points[part]
        # A race scores no points at all, only tickets.
        if board.race_tickets > 0:
            result.score = completed_count(state, seat)
    for seat in range(players):
        state.results[seat].rank = 1
        for other in range(players):
            state.results[seat].rank += _is_ahead(board, state, other, seat)


@compiled
def score_tickets(board, state, seat):
    """Score the tickets, and count them, after stations have lent their best routes."""
    holding, result = state.holdings[seat], state.results[seat]
    labels = state.mover_view.network[seat]
    # A ticket completed over a lent route is completed for every purpose but the longest path.
    if board.stations > 0:
        lend_best_routes(board, state, seat)
        labels = lending_network(board, state, seat)
    result.completed = result.failed = 0
    for i in range(holding.n_tickets):
        ticket = holding.tickets[i]
        if is_completed(board, state, holding, labels, i):
            result.completed += 1
            result.points[PART.ticket] += board.ticket_points[ticket]
        else:
            result.failed += 1
            if board.failed_subtract:
                result.points[PART.ticket_penalty] -= board.ticket_points[ticket]


@compiled
def is_completed(board, state, holding, labels, i):
    """Whether the network meets a ticket. Nothing counts after a race is won."""
    if board.race_tickets > 0 and state.hidden.end == BY_RACE:
        return holding.shown[i] != 0
    return is_met(board, labels, holding.tickets[i])


@compiled
def completed_count(state, seat):
    """Number of completed tickets, with the bonus ticket."""
    return state.results[seat].completed + state.mover_view.bonus_ticket[seat]


@compiled
def score_longest_path(board, state):
    """Score the longest path to all tied. Nobody scores it without a route."""
    for seat in range(state.mover_view.players):
        state.results[seat].longest = longest_trail(board, state, seat) if board.measure_longest else 0
    for seat in range(state.mover_view.players):
        if board.longest_points != ABSENT and _holds_longest_path(state, seat):
            state.results[seat].points[PART.longest] = board.longest_points


@compiled
def _holds_longest_path(state, seat):
    longest = 0
    for other in range(state.mover_view.players):
        longest = max(longest, state.results[other].longest)
    return longest > 0 and state.results[seat].longest == longest


@compiled
def score_globetrotter(board, state):
    """Score the most completed tickets to all tied."""
    most = 0
    for seat in range(state.mover_view.players):
        most = max(most, completed_count(state, seat))
    for seat in range(state.mover_view.players):
        if board.globetrotter_points != ABSENT and most > 0 and completed_count(state, seat) == most:
            state.results[seat].points[PART.globetrotter] = board.globetrotter_points


@compiled
def score_passengers(board, state):
    """Score each color's majority. A tie for most leaves no second."""
    held, players = state.mover_view.held_passengers, state.mover_view.players
    for seat in range(players):
        state.results[seat].passengers = 0
    for i in range(board.n_passenger_colors):
        color = board.passenger_color[i]
        most, second, with_most = 0, 0, 0
        for seat in range(players):
            state.results[seat].passengers += held[seat, color]
            most = max(most, held[seat, color])
        for seat in range(players):
            with_most += held[seat, color] == most
            if held[seat, color] < most:
                second = max(second, held[seat, color])
        for seat in range(players):
            if most > 0 and held[seat, color] == most:
                state.results[seat].points[PART.passenger] += board.most_points
            elif with_most == 1 and second > 0 and held[seat, color] == second:
                state.results[seat].points[PART.passenger] += board.second_points


@compiled
def score_merchandise(board, state):
    """Score ranks. Tied seats share the better one."""
    held, players = state.mover_view.merchandise, state.mover_view.players
    for seat in range(players):
        better = 0
        for other in range(players):
            better += held[other] > held[seat]
        if held[seat] > 0:
            state.results[seat].points[PART.merchandise] = board.merchandise_points[players, better]


@compiled
def score_attractions(board, state):
    """Score each marked city for every seat with a route to it."""
    for seat in range(state.mover_view.players if board.attraction_points > 0 else 0):
        for city in range(board.n_cities):
            if board.is_attraction[city] and has_road(board, state.mover_view, seat, city):
                state.results[seat].points[PART.attraction] += board.attraction_points


@compiled
def score_districts(board, state):
    """Score each district with all its cities in one network."""
    for seat in range(state.mover_view.players):
        for i in range(board.n_districts):
            if is_set_joined(board, state.mover_view.network[seat], board.districts[i]):
                state.results[seat].points[PART.district] += board.district_points[i]


@compiled
def score_mandala(board, state):
    """Score the number of tickets that a seat's routes meet even without any one of them.

    Two ways then join their ends that share no route.
    """
    view, labels, looped = state.mover_view, state.scratch.labels[:], state.scratch.looped
    for seat in range(view.players if board.n_mandala > 0 else 0):
        holding, n = state.holdings[seat], 0
        for i in range(holding.n_tickets):
            looped[i] = is_met(board, view.network[seat], holding.tickets[i])
        for dropped in range(board.n_routes):
            if view.owner[dropped] != seat:
                continue
            for city in range(board.n_cities):
                labels[city] = city
            for route in range(board.n_routes):
                if view.owner[route] == seat and route != dropped:
                    join_cities(board, labels, board.route_a[route], board.route_b[route])
            for i in range(holding.n_tickets):
                if not is_met(board, labels, holding.tickets[i]):
                    looped[i] = 0
        for i in range(holding.n_tickets):
            n += looped[i]
        if n > 0:
            state.results[seat].points[PART.mandala] = board.mandala_points[min(n, board.n_mandala) - 1]


@compiled
def _is_ahead(board, state, one, other):
    difference = state.results[one].score - state.results[other].score
    for i in range(board.n_tie_breaks):
        if difference != 0:
            break
        difference = _tie_break(state, one, board.tie_breaks[i]) - _tie_break(state, other, board.tie_breaks[i])
    return difference > 0


@compiled
def _tie_break(state, seat, kind):
    """A number of which more is better. Of stations the ones left, since fewer used win.

    Only holding the longest path counts, not its length, and all tied for it hold it. A tie
    after the last tie-break is shared. `+ 0` widens a field to the type of the others.
    """
    if kind == BY_TICKETS:
        return completed_count(state, seat)
    if kind == BY_STATIONS:
        return state.mover_view.stations[seat] + 0
    if kind == BY_LONGEST_PATH:
        return 1 if _holds_longest_path(state, seat) else 0
    if kind == BY_PASSENGERS:
        return state.results[seat].passengers + 0
    return 0


# The longest trail of a seat's routes, exact: a city may be passed again, a route may not.
#
# In each connected network: with at most two odd cities all routes make one trail. Otherwise a
# longest trail ends in two odd cities, so a depth-first search starts there only, and stops at a
# bound: every odd city but the two ends leaves one of its routes unused, and a route serves two.


@compiled
def longest_trail(board, state, seat):
    scratch, labels = state.scratch, state.mover_view.network[seat]
    n = _list_own_routes(board, state, seat)
    for city in range(board.n_cities):
        scratch.total[city] = scratch.odd[city] = 0
    for i in range(n):
        route = scratch.own_routes[i]
        scratch.total[labels[board.route_a[route]]] += board.route_length[route]
    for city in range(board.n_cities):
        scratch.odd[labels[city]] += _degree(scratch, city) & 1
    best = 0
    for label in range(board.n_cities):
        before = best
        if scratch.total[label] <= before:
            continue
        best = scratch.total[label]
        if scratch.odd[label] > 2:
            best, bound = before, _bound(board, scratch, labels, label)
            for city in range(board.n_cities):
                if best < bound and labels[city] == label and _degree(scratch, city) & 1:
                    best = max(best, _longest_from(board, scratch, city, best, bound))
    return best


@compiled
def _list_own_routes(board, state, seat):
    """List the seat's routes, and for each city its own routes, and count them."""
    scratch, owner = state.scratch, state.mover_view.owner
    n = 0
    for city in range(board.n_cities + 2):
        scratch.first_own[city] = 0
    for route in range(board.n_routes):
        if owner[route] == seat:
            scratch.own_routes[n] = route
            scratch.used[route] = 0
            scratch.first_own[board.route_a[route] + 2] += 1
            scratch.first_own[board.route_b[route] + 2] += 1
            n += 1
    for city in range(board.n_cities + 1):
        scratch.first_own[city + 1] += scratch.first_own[city]
    for i in range(n):
        route = scratch.own_routes[i]
        a, b = board.route_a[route], board.route_b[route]
        for near, far in ((a, b), (b, a)):
            at = scratch.first_own[near + 1]
            scratch.own_at[at] = route
            scratch.far_city[at] = far
            scratch.first_own[near + 1] = at + 1
    return n


@compiled
def _degree(scratch, city):
    return scratch.first_own[city + 1] - scratch.first_own[city]


@compiled
def _bound(board, scratch, labels, label):
    """A length that no trail exceeds: most odd cities leave a route unused."""
    lost, largest, second = 0, 0, 0
    for city in range(board.n_cities):
        if labels[city] != label or _degree(scratch, city) & 1 == 0:
            continue
        shortest = board.route_length[scratch.own_at[scratch.first_own[city]]]
        for at in range(scratch.first_own[city], scratch.first_own[city + 1]):
            shortest = min(shortest, board.route_length[scratch.own_at[at]])
        lost += shortest
        if shortest > largest:
            largest, second = shortest, largest
        elif shortest > second:
            second = shortest
    return scratch.total[label] - (lost - largest - second + 1) // 2


@compiled
def _longest_from(board, scratch, city, best, bound):
    """Search depth first over unused routes. Every mark of a used one is taken back."""
    depth, length = 0, 0
    scratch.path_city[0] = city
    scratch.path_next[0] = scratch.first_own[city]
    while depth >= 0:
        at, end = scratch.path_next[depth], scratch.first_own[scratch.path_city[depth] + 1]
        while at < end and scratch.used[scratch.own_at[at]]:
            at += 1
        if at == end or best >= bound:
            if depth > 0:
                route = scratch.path_route[depth]
                scratch.used[route] = 0
                length -= board.route_length[route]
            depth -= 1
            continue
        route = scratch.own_at[at]
        scratch.path_next[depth] = at + 1
        scratch.used[route] = 1
        length += board.route_length[route]
        best = max(best, length)
        depth += 1
        scratch.path_route[depth] = route
        scratch.path_city[depth] = scratch.far_city[at]
        scratch.path_next[depth] = scratch.first_own[scratch.far_city[at]]
    return best
