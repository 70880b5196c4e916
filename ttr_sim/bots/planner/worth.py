"""Worth of goals, turns and claims, and the turns that are left."""

from ttr_sim.bots.planner.memory import MAX_GOALS
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.engine.actions import passenger
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import has_road, is_met

RACE_TICKET = 12.0  # turns a completed ticket is worth where only their number counts
TICKET_COUNTS = 0.15  # share of the bonus for most tickets that one more is worth
AT_ONCE = 0.3  # weight of the points that one more passenger would score right now
CONTEST = 1.5  # how fast a color loses interest with the distance between the first two
TRAINS_PER_CLAIM = 3.2  # of a fast player
TURNS_PER_TICKET = 3.5  # turns a ticket takes where completed tickets end the game
LEAST_TURNS = 1.5  # turns expected at least before the final round


@compiled
def collect_goals(board, view, memory):
    """Set the goals: kept tickets not met yet, and the bonus ticket."""
    memory.n_goals = 0
    labels = view.network[view.seat]
    for i in range(view.n_tickets):
        if memory.n_goals < MAX_GOALS and not is_met(board, labels, view.tickets[i]):
            add_ticket(board, memory, view.tickets[i])
    is_bonus_open = board.bonus_tickets > 0 and view.bonus_tickets_left > 0 and not view.bonus_ticket[view.seat]
    if memory.n_goals < MAX_GOALS and is_bonus_open:
        add_goal(memory, board.bonus_source, board.bonus_target, RACE_TICKET)


@compiled
def add_ticket(board, memory, ticket):
    value = ticket_gain(board, ticket) + ticket_loss(board, ticket) + memory.ticket_bonus
    add_goal(memory, board.ticket_a_set[ticket], board.ticket_b_set[ticket], value)


@compiled
def add_goal(memory, first, second, value):
    memory.goal_a[memory.n_goals] = first
    memory.goal_b[memory.n_goals] = second
    memory.goal_value[memory.n_goals] = value
    memory.n_goals += 1


@compiled
def count_unmet(board, view):
    n = 0
    for i in range(view.n_tickets):
        n += not is_met(board, view.network[view.seat], view.tickets[i])
    return n


@compiled
def lead_of(board, view, hidden_ticket):
    """Sure lead in points over the best rival, with `hidden_ticket` for each ticket of rivals."""
    own, best = float(view.score[view.seat]), -1000.0
    for i in range(view.n_tickets):
        ticket = view.tickets[i]
        own += (
            ticket_gain(board, ticket)
            if is_met(board, view.network[view.seat], ticket)
            else -ticket_loss(board, ticket)
        )
    for seat in range(view.players):
        if seat != view.seat:
            best = max(best, view.score[seat] + hidden_ticket * view.held_tickets[seat])
    return own - best


@compiled
def ticket_gain(board, ticket):
    """Worth of completing a ticket, apart from the loss it avoids."""
    if board.race_tickets > 0:
        return RACE_TICKET
    return board.ticket_points[ticket] + TICKET_COUNTS * max(0, board.globetrotter_points)


@compiled
def ticket_loss(board, ticket):
    return float(board.ticket_points[ticket]) if board.failed_subtract else 0.0


@compiled
def turn_points(board, memory):
    """Points a turn brings when claiming the longest routes first: the unit of all prices.

    Computed once a game, as it loops over the whole board.
    """
    if memory.turn_points > 0:
        return memory.turn_points
    if board.race_tickets > 0:
        memory.turn_points = 1.0  # prices are turns, nothing else counts
        return memory.turn_points
    trains, turns, points = board.trains, 0.0, 0.0
    for length in range(board.longest_route, 0, -1):
        for route in range(board.n_routes):
            # A seat can own only one route of a group, so the first stands for all.
            leads = board.group_routes[board.first_of_group[board.route_group[route]]] == route
            if leads and board.route_length[route] == length and length <= trains:
                trains -= length
                turns += 1.0 + length / 2.0
                points += board.route_points[route]
    memory.turn_points = max(points, 1.0) / max(turns, 1.0)
    return memory.turn_points


@compiled
def turns_left(board, view):
    """Turns the mover can still count on, this one included."""
    if view.final_turns >= 0:
        return 1.0
    least = 1000.0
    for seat in range(view.players):
        if seat != view.seat:
            # Turns until this seat could end the game if it did nothing else.
            trains = max(0, view.trains[seat] - max(0, board.trains_left))
            cards = max(0, trains - view.hand_cards[seat])
            turns = cards / 2.0 + trains / TRAINS_PER_CLAIM
            if board.race_tickets > 0:
                missing = board.race_tickets - view.completed[seat] - view.bonus_ticket[seat]
                turns = min(turns, missing * TURNS_PER_TICKET)
            least = min(least, turns)
    return least + 1.0


@compiled
def turns_expected(board, view, seat):
    """Turns left, adjusted by the parameters pace and reserve."""
    turns = turns_left(board, view)
    if view.final_turns >= 0:
        return turns
    expected = turns * (1.0 + seat.parameters[PARAM.pace]) + seat.parameters[PARAM.reserve]
    return max(expected, min(turns, LEAST_TURNS))


@compiled
def turns_of_game(board):
    """Turns a fast player takes for a whole game."""
    if board.race_tickets > 0:
        return board.race_tickets * TURNS_PER_TICKET
    return board.trains / 2.0 + board.trains / TRAINS_PER_CLAIM


@compiled
def claim_worth(board, memory, route):
    """Points of the route, of its cities' passengers, of its merchandise and of end bonuses."""
    worth = (
        board.route_points[route] + memory.city_worth[board.route_a[route]] + memory.city_worth[board.route_b[route]]
    )
    if board.route_merchandise[route]:
        worth += memory.goods_worth
    return worth + memory.route_worth[route]


@compiled
def weigh_finds(board, view, memory, passenger_weight, goods_worth):
    """Set the current worth of merchandise and of the best passenger in each city."""
    memory.goods_worth = goods_worth if view.merchandise_left > 0 else 0.0
    if board.n_passenger_colors == 0:
        return
    for index in range(board.n_passenger_colors):
        color = board.passenger_color[index]
        memory.color_worth[color] = passenger_weight * color_worth(board, view, color)
    for city in range(board.n_cities):
        pool, best = board.pool_city[city], 0.0
        for index in range(board.n_passenger_colors):
            color = board.passenger_color[index]
            if view.passengers[pool, color] > 0:
                best = max(best, memory.color_worth[color])
        memory.city_worth[city] = best


@compiled
def weigh_end_bonuses(board, view, memory, sight, district, loop):
    """Set the current worth of each route for attractions, districts and the Mandala."""
    if board.attraction_points + board.n_districts + board.n_mandala == 0:
        return
    labels = view.network[view.seat]
    for route in range(board.n_routes):
        a, b = board.route_a[route], board.route_b[route]
        worth = 0.0
        for city in (a, b):
            if board.is_attraction[city] and not has_road(board, view, view.seat, city):
                worth += sight * board.attraction_points
        if labels[a] == labels[b]:
            worth += loop * board.mandala_points[0]
        else:
            worth += district * board.route_district_points[route]
        memory.route_worth[route] = worth


@compiled
def choose_passenger(board, view):
    """Take the passenger worth most."""
    pool = board.pool_city[view.passenger_city]
    best, best_worth = -1, -1.0
    for index in range(board.n_passenger_colors):
        color = board.passenger_color[index]
        if view.passengers[pool, color] > 0:
            worth = color_worth(board, view, color) + view.color_tie[color]
            if worth > best_worth:
                best, best_worth = color, worth
    return passenger(best)


@compiled
def color_worth(board, view, color):
    """Worth of one more passenger of a color, most in a close race."""
    own = view.held_passengers[view.seat, color]
    rival, waiting = 0, 0
    for seat in range(view.players):
        if seat != view.seat:
            rival = max(rival, view.held_passengers[seat, color])
    worth = AT_ONCE * (_points_with(board, view, color, own + 1) - _points_with(board, view, color, own))
    for city in range(board.n_cities):
        waiting += view.passengers[city, color]
    if abs(own - rival) <= waiting:
        worth += board.most_points / (2.0 + CONTEST * abs(own - rival))
    return worth


@compiled
def _points_with(board, view, color, own):
    """Points of holding `own` passengers of a color if nobody took another."""
    ahead = 0
    for seat in range(view.players):
        ahead += seat != view.seat and view.held_passengers[seat, color] > own
    if own == 0 or ahead > 1:
        return 0
    return board.most_points if ahead == 0 else board.second_points
