"""The action that draws tickets, with a mix of the decks where one is announced."""

from ttr_sim.engine.actions import cards_of_deck, draw_tickets
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.tickets import mix_size

NO_FAVORITE = -1


@compiled
def draw_from(board, view, favorite):
    """As many as there are of the favorite deck, the rest of the others; NO_FAVORITE: of each in turn."""
    answer = draw_tickets()
    if not board.mix:
        return answer
    left = mix_size(board, view)
    if favorite != NO_FAVORITE:
        n = min(left, view.deck_tickets[favorite])
        answer = _add(answer, favorite, n)
        left -= n
    deck = 0
    while left > 0:
        if cards_of_deck(answer, deck) < view.deck_tickets[deck]:
            answer = _add(answer, deck, 1)
            left -= 1
        deck = (deck + 1) % board.n_decks
    return answer


@compiled
def _add(answer, deck, n):
    return answer + (n << (8 + 8 * deck))
