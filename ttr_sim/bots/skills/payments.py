"""Paying: what is missing for a route, and the set of cards that hurts least."""

from ttr_sim.engine.actions import WILD, claim
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.claims import fewest_wilds
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.tunnels import is_tunnel

SPARE = 1  # for a tunnel
THIN = 8  # so few cards in deck and discards: the same ones may be revealed again and again
CANNOT_PAY = 1000  # harm of a route that the hand cannot pay


@compiled
def colored_cards(board, view, route):
    """Cards in hand of the route's color; for gray, of the color there is most of."""
    if board.route_color[route] != GRAY:
        return view.hand[board.route_color[route]]
    most = view.hand[0]
    for color in range(1, board.n_colors):
        most = max(most, view.hand[color])
    return most


@compiled
def face_up_cards(board, view, route):
    """Cards in the row of the route's color; for gray, of the color there is most of in hand and row."""
    if board.route_color[route] != GRAY:
        return view.row[board.route_color[route]]
    best = 0
    for color in range(1, board.n_colors):
        if view.hand[color] + view.row[color] > view.hand[best] + view.row[best]:
            best = color
    return view.row[best]


@compiled
def tunnel_spare(board, view, route):
    """Cards to hold beyond a tunnel's length before it is tried: most ask for one more or none.

    Where few cards are left all that can be revealed is paid, or the same tunnel could fail for ever.
    """
    if not is_tunnel(board, route) or view.final_turns >= 0:
        return 0
    hidden = view.deck_cards + view.discard_cards
    return SPARE if hidden > THIN else min(board.tunnel_reveal, hidden)


@compiled
def missing_cards(board, view, route):
    """Cards still to be drawn before the route can be paid, wilds in hand and a tunnel's spare counted."""
    length, wilds = board.route_length[route] + tunnel_spare(board, view, route), view.hand[WILD]
    if wilds < board.route_wilds[route]:
        colored = min(colored_cards(board, view, route), length - board.route_wilds[route])
        return length - colored - wilds
    return max(0, length - wilds - colored_cards(board, view, route))


@compiled
def lacking_cards(board, view, route):
    """Cards still to be drawn, wilds in hand left aside."""
    length = board.route_length[route]
    return length - min(length, colored_cards(board, view, route))


@compiled
def payment_harm(board, view, mind, route, color):
    """Wilds spent and cards eaten that the plan needs elsewhere, paying in this color."""
    length = board.route_length[route]
    wilds = fewest_wilds(length, board.route_wilds[route], view.hand[color])
    if wilds > view.hand[WILD]:
        return CANNOT_PAY
    eaten = 0
    if board.route_color[route] == GRAY:
        left = view.hand[color] - (length - wilds)
        eaten = max(0, min(length - wilds, mind.need[color] - left))
    return wilds - board.route_wilds[route] + eaten


@compiled
def best_payment(board, view, mind, route):
    """(harm, color) of the payment that hurts least; its harm is CANNOT_PAY when there is none."""
    color = board.route_color[route]
    if color != GRAY:
        return payment_harm(board, view, mind, route, color), color
    best, best_color = CANNOT_PAY, 0
    for candidate in range(board.n_colors):
        harm = payment_harm(board, view, mind, route, candidate)
        if harm < best:
            best, best_color = harm, candidate
    return best, best_color


@compiled
def claim_in_color(board, view, route, color):
    """The claim with as few wilds as can be."""
    length = board.route_length[route]
    wilds = fewest_wilds(length, board.route_wilds[route], view.hand[color])
    return claim(route, WILD if wilds == length else color, wilds)
