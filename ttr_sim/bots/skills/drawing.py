"""Drawing cards by wishes: mind.wish is what one card of a color is worth now."""

from ttr_sim.engine.actions import ASK_TURN, DEFAULT, WILD, draw_deck, draw_row
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.compiled import compiled, part

NOTHING = -1.0  # worth of a card that cannot be had
NO_COLOR = -1


@compiled
def clear_wishes(mind):
    for color in range(WILD + 1):
        mind.wish[color] = 0


@compiled
def draw_card(board, view, mind):
    """The card to take now; DEFAULT when none can be had."""
    deck = _deck_worth(board, view, mind)
    color = _best_in_row(board, view, mind, NO_COLOR)
    row = mind.wish[color] if color != NO_COLOR else NOTHING
    if view.decision == ASK_TURN and view.row[WILD] > 0:
        second = max(deck, _second_worth(board, view, mind, color, row))
        if mind.wish[WILD] > max(0.0, row, deck) + max(0.0, second):
            return draw_row(WILD)
    if color != NO_COLOR and row >= deck:
        return draw_row(color)
    if deck != NOTHING:
        return draw_deck()
    if view.decision == ASK_TURN and view.row[WILD] > 0:
        return draw_row(WILD)
    return DEFAULT


@compiled
def _best_in_row(board, view, mind, but):
    best = NO_COLOR
    for color in range(board.n_colors):
        if view.row[color] > 0 and color != but and (best == NO_COLOR or mind.wish[color] > mind.wish[best]):
            best = color
    return best


@part
def _second_worth(board, view, mind, first, worth):
    """What the row offers after its best card is gone."""
    if first != NO_COLOR and view.row[first] > 1:
        return worth
    second = _best_in_row(board, view, mind, first)
    return mind.wish[second] if second != NO_COLOR else NOTHING


@part
def _deck_worth(board, view, mind):
    """The mean wish of the cards that may lie on top of the deck."""
    if not can_draw_from_deck(view):
        return NOTHING
    cards, worth = 0, 0.0
    for color in range(WILD + 1):
        n = hidden_cards(board, view, color)
        cards += n
        worth += n * mind.wish[color]
    return worth / cards if cards > 0 else 0.0


@compiled
def hidden_cards(board, view, color):
    """Cards of a color in the deck, or in hands that were not seen to take them."""
    if view.deck_cards == 0:
        return view.discards[color]
    n = board.color_cards[color] - view.hand[color] - view.row[color] - view.discards[color]
    for seat in range(view.players):
        if seat != view.seat:
            n -= view.known[seat, color]
    return max(0, n)
