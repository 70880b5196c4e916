"""Paying for routes, tunnels and stations with the cards that hurt the plan least."""

from ttr_sim.engine.actions import DEFAULT, WILD, build_station, claim, give_up, pay_tunnel
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.cards import fewest_wilds
from ttr_sim.engine.claims import fewest_extra_wilds, is_tunnel, may_claim
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.stations import station_cost

NO_ROUTE = -1
NO_COLOR = -1
SPARE = 1  # for a tunnel
THIN = 8  # cards in deck and discards; with no more, the same ones may be revealed again and again
CANNOT_PAY = 1000  # harm of a route that the hand cannot pay


@compiled
def missing_cards(board, view, route):
    """Count the cards still to be drawn before the route can be paid for, a tunnel's spare included."""
    length, wilds = board.route_length[route] + tunnel_spare(board, view, route), view.hand[WILD]
    if wilds < board.route_wilds[route]:
        colored = min(colored_cards(board, view, route), length - board.route_wilds[route])
        return length - colored - wilds
    return max(0, length - wilds - colored_cards(board, view, route))


@compiled
def lacking_cards(board, view, route):
    """Count the cards still to be drawn, ignoring wilds in hand."""
    length = board.route_length[route]
    return length - min(length, colored_cards(board, view, route))


@compiled
def colored_cards(board, view, route):
    """Count cards in hand of the route's color, for gray of the fullest one."""
    if board.route_color[route] != GRAY:
        return view.hand[board.route_color[route]]
    return most_of_a_color(board, view)


@compiled
def most_of_a_color(board, view):
    most = view.hand[0]
    for color in range(1, board.n_colors):
        most = max(most, view.hand[color])
    return most


@compiled
def fullest_color(board, view, cards):
    """The color with most of these cards."""
    fullest = 0
    for color in range(1, board.n_colors):
        if cards[color] + view.color_tie[color] > cards[fullest] + view.color_tie[fullest]:
            fullest = color
    return fullest


@compiled
def likely_color(board, view):
    """Color in which a gray route would be paid: the most frequent in hand and row."""
    likely, most = 0, -1.0
    for color in range(board.n_colors):
        in_sight = view.hand[color] + view.row[color] + view.color_tie[color]
        if in_sight > most:
            likely, most = color, in_sight
    return likely


@compiled
def tunnel_spare(board, view, route):
    """Count the cards to hold beyond a tunnel's length before trying it."""
    if not is_tunnel(board, route) or view.final_turns >= 0:
        return 0
    # Most tunnels ask for one more card or none; with few cards left the same tunnel could fail forever.
    hidden = view.deck_cards + view.discard_cards
    return SPARE if hidden > THIN else min(board.tunnel_reveal, hidden)


@compiled
def count_needs(board, view, memory):
    """Set memory.need: cards of each color for the targets, and wilds for ferries."""
    for color in range(memory.need.shape[0]):
        memory.need[color] = 0
    for i in range(memory.n_targets):
        route = memory.targets[i]
        color, wilds = board.route_color[route], board.route_wilds[route]
        memory.need[WILD] += wilds
        if color != GRAY:
            memory.need[color] += board.route_length[route] - wilds + tunnel_spare(board, view, route)


@compiled
def lacking_for_targets(board, view, memory):
    """Count the cards still to be drawn for the targets."""
    count_needs(board, view, memory)
    lacking, spare = 0, 0
    for color in range(board.n_colors):
        lacking += max(0, memory.need[color] - view.hand[color])
        spare += max(0, view.hand[color] - memory.need[color])
    for i in range(memory.n_aims):
        route = memory.targets[i]
        if board.route_color[route] == GRAY:
            lacking += board.route_length[route] - board.route_wilds[route]
    # Wilds in hand and half of the spare cards fill gaps.
    return max(0, lacking - min(spare, lacking) // 2 - max(0, view.hand[WILD] - memory.need[WILD]))


@compiled
def lacking_for_aims(board, view, memory):
    """Count the cards still to be drawn for the aims alone."""
    n_targets = memory.n_targets
    memory.n_targets = memory.n_aims
    lacking = lacking_for_targets(board, view, memory)
    memory.n_targets = n_targets
    return lacking


@compiled
def cheapest_of_group(board, view, memory, route):
    """Find (harm, route, color): the route or a parallel one with the least harmful payment.

    The harm is CANNOT_PAY when none can be claimed and paid for.
    """
    group = board.route_group[route]
    least, best_harm, best_route, best_color = float(CANNOT_PAY), CANNOT_PAY, route, 0
    for index in range(board.first_of_group[group], board.first_of_group[group + 1]):
        candidate = board.group_routes[index]
        if not may_claim(board, view, view.seat, candidate) or missing_cards(board, view, candidate) > 0:
            continue
        harm, color = best_payment(board, view, memory, candidate)
        if harm + view.route_tie[candidate] < least:
            least = harm + view.route_tie[candidate]
            best_harm, best_route, best_color = harm, candidate, color
    return best_harm, best_route, best_color


@compiled
def best_payment(board, view, memory, route):
    """Find (harm, color) of the payment that hurts least, or CANNOT_PAY."""
    color = board.route_color[route]
    if color != GRAY:
        return payment_harm(board, view, memory, route, color), color
    least, best_harm, best_color = float(CANNOT_PAY), CANNOT_PAY, 0
    for candidate in range(board.n_colors):
        harm = payment_harm(board, view, memory, route, candidate)
        if harm + view.color_tie[candidate] < least:
            least, best_harm, best_color = harm + view.color_tie[candidate], harm, candidate
    return best_harm, best_color


@compiled
def payment_harm(board, view, memory, route, color):
    """Harm of paying in this color: wilds spent, and cards the targets need elsewhere."""
    length = board.route_length[route]
    wilds = fewest_wilds(length, board.route_wilds[route], view.hand[color])
    if wilds > view.hand[WILD]:
        return CANNOT_PAY
    needed = 0
    if board.route_color[route] == GRAY:
        left = view.hand[color] - (length - wilds)
        needed = max(0, min(length - wilds, memory.need[color] - left))
    return wilds - board.route_wilds[route] + needed


@compiled
def claim_payable(board, view, memory, route):
    """Claim a route in the color that hurts least."""
    _, color = best_payment(board, view, memory, route)
    return claim_in_color(board, view, route, color)


@compiled
def claim_in_color(board, view, route, color):
    """Claim with as few wilds as possible."""
    length = board.route_length[route]
    wilds = fewest_wilds(length, board.route_wilds[route], view.hand[color])
    return claim(route, WILD if wilds == length else color, wilds)


@compiled
def pay_or_give_up(board, view, memory, turns, most):
    """Pay a tunnel's extra cards with as few wilds as possible.

    Give up when that takes more than `most` needed cards and there is time to try again.
    """
    wilds = fewest_extra_wilds(view)
    if turns <= 2.0:
        return pay_tunnel(wilds)
    count_needs(board, view, memory)
    colored = view.tunnel_cost - wilds
    left = view.hand[view.laid_color] - colored
    harm = wilds + max(0, min(colored, memory.need[view.laid_color] - left))
    return give_up() if harm > most else pay_tunnel(wilds)


@compiled
def pay_for_station(board, view, memory, city):
    """Build here with the cards that hurt least, or DEFAULT when the hand cannot pay."""
    cost = station_cost(board, view, view.seat)
    least, color = float(CANNOT_PAY), NO_COLOR
    for candidate in range(board.n_colors):
        wilds = fewest_wilds(cost, 0, view.hand[candidate])
        left = view.hand[candidate] - (cost - wilds)
        harm = 2 * wilds + max(0, min(cost - wilds, memory.need[candidate] - left))
        if wilds <= view.hand[WILD] and harm + view.color_tie[candidate] < least:
            least, color = harm + view.color_tie[candidate], candidate
    if color == NO_COLOR:
        return DEFAULT
    wilds = fewest_wilds(cost, 0, view.hand[color])
    return build_station(city, WILD if wilds == cost else color, wilds)
