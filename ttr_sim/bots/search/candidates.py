"""What the search chooses among: the planner's answer and what else is worth a try."""

from ttr_sim.bots.search.desk import MAX_CANDIDATES
from ttr_sim.bots.skills.claiming import build_for_loans
from ttr_sim.bots.skills.paying import CANNOT_PAY, cheapest_of_group, claim_in_color, claim_payable, missing_cards
from ttr_sim.bots.skills.tickets import draw_from
from ttr_sim.engine.actions import ASK_TURN, DEFAULT, discard_tickets, draw_deck, draw_row
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.choices import count_choices, nth_choice
from ttr_sim.engine.claims import may_claim
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.moves import why_not
from ttr_sim.engine.reasons import FINE
from ttr_sim.engine.state import N_COLORS
from ttr_sim.engine.tickets import may_draw_tickets


@compiled
def collect_candidates(board, view, mind, desk, first, most):
    """Set the candidates, at most this many: the planner's answer first, then the likeliest to be better."""
    desk.n = 0
    _add(board, view, desk, first, most)
    if view.decision == ASK_TURN:
        _add_actions(board, view, mind, desk, most)
        return
    for k in range(min(count_choices(board, view), MAX_CANDIDATES)):
        _add(board, view, desk, nth_choice(board, view, k), most)


@part
def _add_actions(board, view, mind, desk, most):
    _add_claims(board, view, mind, desk, most)
    _add(board, view, desk, build_for_loans(board, view, mind), most)
    if may_draw_tickets(board, view):
        for deck in range(board.n_decks):
            _add(board, view, desk, draw_from(board, view, deck), most)
    _add(board, view, desk, discard_tickets(), most)
    if can_draw_from_deck(view):
        _add(board, view, desk, draw_deck(), most)
    for color in range(N_COLORS):
        _add(board, view, desk, draw_row(color), most)


@part
def _add_claims(board, view, mind, desk, most):
    """Add the targets that the hand can pay for; in the last turn every route."""
    for i in range(mind.n_targets):
        harm, route, color = cheapest_of_group(board, view, mind, mind.targets[i])
        if harm < CANNOT_PAY:
            _add(board, view, desk, claim_in_color(board, view, route, color), most)
    if view.final_turns >= 0:
        for route in range(board.n_routes):
            if may_claim(board, view, view.seat, route) and missing_cards(board, view, route) == 0:
                _add(board, view, desk, claim_payable(board, view, mind, route), most)


@compiled
def _add(board, view, desk, answer, most):
    """Add an answer that is legal and not there yet."""
    if desk.n >= min(most, MAX_CANDIDATES) or answer == DEFAULT or why_not(board, view, answer) != FINE:
        return
    for i in range(desk.n):
        if desk.answers[i] == answer:
            return
    desk.answers[desk.n] = answer
    desk.n += 1
