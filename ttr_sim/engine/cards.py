"""Train cards: the deck and its reshuffle, the face-up row and its reset, drawing, paying."""

from ttr_sim.engine import actions
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, FINE, WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.rng import RESHUFFLE, item_key, purpose_key, sort_by_key
from ttr_sim.log import ACTION_NAMES, SOURCE_NAMES

ACTION_DRAW = ACTION_NAMES.index("draw")
FROM_ROW, FROM_DECK = SOURCE_NAMES.index("row"), SOURCE_NAMES.index("deck")
NO_CARD = -1


@compiled
def shuffle_discards(board, state, purpose):
    """Make the discards the deck, ordered by deal and purpose."""
    view, hidden, scratch = state.mover_view, state.hidden, state.scratch
    key = purpose_key(hidden.deal_key, purpose)
    n = 0
    for color in range(N_COLORS):
        for copy in range(view.discards[color]):
            scratch.items[n] = color
            scratch.keys[n] = item_key(key, board.card_identity[board.first_card[color] + copy])
            n += 1
        view.discards[color] = 0
    sort_by_key(scratch, n)
    for i in range(n):
        hidden.deck[i] = scratch.sorted_items[i]
    hidden.deck_at, hidden.deck_end = 0, n
    view.deck_cards, view.discard_cards = n, 0


@compiled
def draw_from_deck(board, state):
    """Take the top card, refilling an empty deck: color or NO_CARD."""
    view, hidden = state.mover_view, state.hidden
    if view.deck_cards == 0:
        if view.discard_cards == 0:
            return NO_CARD
        shuffle_discards(board, state, RESHUFFLE + hidden.reshuffles)
        hidden.reshuffles += 1
    # A view shows only the number of cards: hidden.deck itself is never in it.
    color = hidden.deck[hidden.deck_at]
    hidden.deck_at += 1
    view.deck_cards -= 1
    return color


@compiled
def discard_cards(state, color, n):
    state.mover_view.discards[color] += n
    state.mover_view.discard_cards += n


@compiled
def _turn_up_cards(board, state):
    """Fill the row while cards are left and count the new ones."""
    view, log = state.mover_view, state.turn_log
    turned = 0
    while view.row_cards < board.row_size:
        color = draw_from_deck(board, state)
        if color == NO_CARD:
            break
        view.row[color] += 1
        view.row_cards += 1
        log.fill[log.n_fill] = color
        log.n_fill += 1
        turned += 1
    return turned


@compiled
def fill_row(board, state, at_end_of_turn):
    """Fill the row, and reset it while it holds too many wilds.

    Both conditions for leaving it are needed: with few plain cards no row could ever stand, and with
    just enough of them one might not turn up for ages. A row that is left is tried again at the end of
    later turns, and `stuck_turn` keeps it from being counted twice in one.
    """
    view, hidden = state.mover_view, state.hidden
    was_stuck_before = hidden.stuck_turn < view.turn
    turned = _turn_up_cards(board, state)
    if board.row_size == 0 or not (turned > 0 or (at_end_of_turn and was_stuck_before)):
        return
    resets = 0
    while view.row[WILD] >= board.reset_at:
        plain = view.row_cards - view.row[WILD] + view.discard_cards - view.discards[WILD]
        for i in range(hidden.deck_at, hidden.deck_end):
            plain += hidden.deck[i] != WILD
        if resets == board.max_resets or plain < board.row_size - (board.reset_at - 1):
            hidden.stuck += 1
            hidden.stuck_turn = view.turn
            return
        for color in range(N_COLORS):
            discard_cards(state, color, view.row[color])
            view.row[color] = 0
        view.row_cards = 0
        resets += 1
        hidden.resets += 1
        _turn_up_cards(board, state)


@compiled
def is_row_open(board, view):
    """Whether the row may be drawn from (`needs_pile`: not without a pile)."""
    return not board.needs_pile or can_draw_from_deck(view)


@compiled
def can_draw_from_row(board, view, color):
    if color == WILD and view.decision == ASK_SECOND:
        return False
    return view.row[color] > 0 and is_row_open(board, view)


@compiled
def can_draw_from_deck(view):
    return view.deck_cards + view.discard_cards > 0


@compiled
def why_not_draw(board, view, kind, color):
    if view.decision != ASK_TURN and view.decision != ASK_SECOND:
        return actions.NOT_NOW
    if kind == actions.ANSWER_DRAW_DECK:
        return FINE if can_draw_from_deck(view) else actions.NO_CARD_LEFT
    if color >= N_COLORS or view.row[color] == 0:
        return actions.NO_SUCH_CARD
    if not is_row_open(board, view):
        return actions.ROW_IS_CLOSED
    return FINE if can_draw_from_row(board, view, color) else actions.WILD_IS_FIRST_CARD_ONLY


@compiled
def apply_draw(board, state, kind, color):
    """Take one card and return whether the turn is over."""
    view, log, seat = state.mover_view, state.turn_log, state.mover_view.seat
    is_second = view.decision == ASK_SECOND
    source = FROM_ROW
    if kind == actions.ANSWER_DRAW_DECK:
        source = FROM_DECK
        color = draw_from_deck(board, state)
    state.holdings[seat].hand[color] += 1
    view.hand_cards[seat] += 1
    # The log fills in two steps, since a first card from the row is replaced before the second is chosen.
    log.action = ACTION_DRAW
    if is_second:
        log.card2, log.card2_from = color, source
    else:
        log.card1, log.card1_from = color, source
    if source == FROM_ROW:
        view.row[color] -= 1
        view.row_cards -= 1
        view.taken[seat, color] += 1
        view.known[seat, color] += 1
        fill_row(board, state, False)
    if not is_second:
        log.fill2_from = log.n_fill
    # A wild drawn blind counts as one card; a face-up one is the whole draw.
    if is_second or (source == FROM_ROW and color == WILD):
        return True
    if not can_draw_from_deck(view) and not (is_row_open(board, view) and view.row_cards > view.row[WILD]):
        return True
    view.drawn_card = color
    view.decision = ASK_SECOND
    return False


@compiled
def fewest_wilds(length, needed, colored):
    """Fewest wilds that can be paid with this many colored cards in hand."""
    return max(needed, length - colored)


@compiled
def count_payments_in_color(view, color, length, needed):
    """Count the payments with at least one card of the color."""
    return max(0, min(length - 1, view.hand[WILD]) - fewest_wilds(length, needed, view.hand[color]) + 1)


@compiled
def count_payments(board, view, color, length, needed):
    """Count the ways to pay, in the color or (GRAY) any one."""
    total = 0
    if color == GRAY:
        for any_color in range(board.n_colors):
            total += count_payments_in_color(view, any_color, length, needed)
    else:
        total = count_payments_in_color(view, color, length, needed)
    return total + (view.hand[WILD] >= length)


@compiled
def nth_payment(board, view, color, length, needed, k):
    """The k-th legal payment as (color, wilds), wilds alone last."""
    first, last = color, color + 1
    if color == GRAY:
        first, last = 0, board.n_colors
    for candidate in range(first, last):
        n = count_payments_in_color(view, candidate, length, needed)
        if k < n:
            return candidate, fewest_wilds(length, needed, view.hand[candidate]) + k
        k -= n
    return WILD, length


@compiled
def why_not_pay(view, color, wilds, length, needed):
    """FINE if the hand holds `wilds` wilds and the rest in one color."""
    if color > WILD or wilds < needed or wilds > length or (color == WILD) != (wilds == length):
        return actions.WRONG_WILDS
    if view.hand[WILD] < wilds or (color != WILD and view.hand[color] < length - wilds):
        return actions.TOO_FEW_CARDS
    return FINE


@compiled
def _spend_cards(state, seat, color, n):
    """Move cards of one color from a hand to the discards, in front of everybody."""
    view = state.mover_view
    state.holdings[seat].hand[color] -= n
    view.hand_cards[seat] -= n
    # Everybody sees a payment, so it also lowers the number of cards known to be in the hand.
    view.spent[seat, color] += n
    view.known[seat, color] = max(0, view.known[seat, color] - n)
    discard_cards(state, color, n)


@compiled
def pay_cards(state, seat, color, n, wilds):
    """Pay n cards: wilds, and the rest of one color."""
    if n > wilds:
        _spend_cards(state, seat, color, n - wilds)
    if wilds > 0:
        _spend_cards(state, seat, WILD, wilds)


@compiled
def log_payment(log, color, cards, wilds):
    log.color = color if cards > wilds else log.color
    log.cards = cards
    log.wilds = wilds
