"""Drawing cards: `memory.wish` is the worth of one more card of a color, to the targets or to long routes."""

from ttr_sim.bots.planner.paying import NO_COLOR, count_needs, fullest_color
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, DEFAULT, WILD, draw_deck, draw_row
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.cards import can_draw_from_deck, is_row_open
from ttr_sim.engine.jit import compiled

NOTHING = -1.0  # worth of a card that is not there
SCARCITY = 0.02  # how much more a color is wished for with every missing card of it
FULLEST = 0.95  # wish for the color a gray route has most of; a required color has 1
ANY_COLOR = 0.3  # wish of a simple style for any color where a gray route lacks cards
OTHER_COLOR = 0.5  # share of a gray route's wish that goes to colors other than its fullest


@compiled
def draw_for_targets(board, view, memory, any_color):
    """Draw for the targets, or without targets for the route that pays most per turn."""
    if view.decision not in (ASK_TURN, ASK_SECOND):
        return DEFAULT
    if memory.n_targets > 0:
        wish_for_targets(board, view, memory, any_color)
    else:
        wish_for_long(board, view, memory, 1, view.trains[view.seat])
    return draw_card(board, view, memory)


@compiled
def wish_for_targets(board, view, memory, any_color):
    """Wish for the colors that the targets lack.

    To gray targets any color is worth `any_color` at least.
    """
    for color in range(WILD + 1):
        memory.wish[color] = 0
    if memory.focus > 0:  # the extra wish for cards that the aims alone lack
        n_targets = memory.n_targets
        memory.n_targets = memory.n_aims
        count_needs(board, view, memory)
        memory.n_targets = n_targets
        for color in range(board.n_colors):
            if memory.need[color] > view.hand[color]:
                memory.wish[color] += memory.focus
                memory.wish[WILD] = memory.focus
    count_needs(board, view, memory)
    lacking = 0
    for color in range(board.n_colors):
        missing = memory.need[color] - view.hand[color]
        if missing > 0:
            memory.wish[color] += 1.0 + SCARCITY * missing
            lacking += missing
    if lacking > 0 or memory.need[WILD] > view.hand[WILD]:
        memory.wish[WILD] += 1.0 + (memory.need[WILD] > view.hand[WILD])
    # Each gray target, the longest first, takes the color with most to spare.
    for color in range(WILD):
        memory.spare[color] = max(0, view.hand[color] - memory.need[color])
    for length in range(board.longest_route, 0, -1):
        for i in range(memory.n_targets):
            route = memory.targets[i]
            if board.route_length[route] != length or board.route_color[route] != GRAY:
                continue
            best, cards = fullest_color(board, view, memory.spare), length - board.route_wilds[route]
            if memory.spare[best] < cards:
                for color in range(board.n_colors):
                    memory.wish[color] = max(memory.wish[color], any_color)
                memory.wish[best] = max(memory.wish[best], FULLEST)
                memory.wish[WILD] = max(memory.wish[WILD], 1.0)
            memory.spare[best] = max(0, memory.spare[best] - cards)
    memory.wish[WILD] += memory.joker


@compiled
def wish_for_long(board, view, memory, least, most):
    """Wish for each color as much as the best route of these lengths pays per turn."""
    for color in range(WILD + 1):
        memory.wish[color] = 0
    for index in range(board.n_classes):
        length, color = board.class_length[index], board.class_color[index]
        if not least <= length <= most or view.open_classes[view.seat, index] == 0:
            continue
        if color != GRAY:
            _raise_wish(board, view, memory, index, color, 1.0)
            continue
        fullest = fullest_color(board, view, view.hand)
        for candidate in range(board.n_colors):
            _raise_wish(board, view, memory, index, candidate, 1.0 if candidate == fullest else OTHER_COLOR)
    for color in range(board.n_colors):
        memory.wish[WILD] = max(memory.wish[WILD], memory.wish[color])


@compiled
def _raise_wish(board, view, memory, index, color, share):
    length = board.class_length[index]
    missing = max(1, length - view.hand[color] - view.hand[WILD])
    points = float(length)
    if board.routes_score:
        points = board.route_points[board.class_routes[board.first_of_class[index]]]
    pays = share * points / (1.0 + (missing - 1) / 2.0)
    memory.wish[color] = max(memory.wish[color], pays)


@compiled
def longest_open(board, view, trains):
    """Length of the longest route the mover may still claim with this many trains, or 0."""
    longest = 0
    for index in range(board.n_classes):
        length = board.class_length[index]
        if length > longest and length <= trains and view.open_classes[view.seat, index] > 0:
            longest = length
    return longest


@compiled
def draw_card(board, view, memory):
    """Draw the card with the best wish, or DEFAULT when there is none to take.

    A face-up wild takes the whole turn, so it must be worth the two cards that could be drawn instead.
    """
    if not is_row_open(board, view):
        return DEFAULT
    deck = NOTHING  # the mean wish over the cards that may lie on top
    if can_draw_from_deck(view):
        cards, worth = 0, 0.0
        for index in range(board.n_colors + 1):
            hidden = index if index < board.n_colors else WILD
            n = hidden_cards(board, view, hidden)
            cards += n
            worth += n * memory.wish[hidden]
        deck = worth / cards if cards > 0 else 0.0
    color = _best_in_row(board, view, memory, NO_COLOR)
    row = memory.wish[color] if color != NO_COLOR else NOTHING
    if view.decision == ASK_TURN and view.row[WILD] > 0:
        second = row
        if color == NO_COLOR or view.row[color] < 2:  # after the best card is gone
            next_color = _best_in_row(board, view, memory, color)
            second = memory.wish[next_color] if next_color != NO_COLOR else NOTHING
        if memory.wish[WILD] > max(0.0, row, deck) + max(0.0, deck, second):
            return draw_row(WILD)
    if color != NO_COLOR and row >= deck:
        return draw_row(color)
    if deck != NOTHING:
        return draw_deck()
    if view.decision == ASK_TURN and view.row[WILD] > 0:
        return draw_row(WILD)
    return DEFAULT


@compiled
def _best_in_row(board, view, memory, excluded):
    best, best_wish = NO_COLOR, NOTHING
    for color in range(board.n_colors):
        wish = memory.wish[color] + view.color_tie[color]
        if view.row[color] > 0 and color != excluded and wish > best_wish:
            best, best_wish = color, wish
    return best


@compiled
def hidden_cards(board, view, color):
    """Count the cards of a color in the deck, or in hands that took them unseen."""
    if view.deck_cards == 0:
        return view.discards[color]
    n = board.color_cards[color] - view.hand[color] - view.row[color] - view.discards[color]
    for seat in range(view.players):
        if seat != view.seat:
            n -= view.known[seat, color]
    return max(0, n)
