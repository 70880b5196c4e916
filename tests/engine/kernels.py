"""Small compiled entry points: single rules of the engine, callable from plain Python.

Arguments are 1-element record arrays, as everywhere where Python hands a game over.
"""

from ttr_sim.engine import actions
from ttr_sim.engine.claims import place_trains
from ttr_sim.engine.game import begin_turn, must_pass, show_own, why_not
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.scoring import longest_trail, score_game
from ttr_sim.engine.stations import lend_best_routes
from ttr_sim.engine.tickets import mark_met_tickets
from ttr_sim.engine.worlds import determinise, prepare_world


@compiled
def give_route(boards, states, seat, route):
    """Trains of the seat on a route, unpaid: all that a claim does to the map."""
    board, state = boards[0], states[0]
    mover = state.mover_view.seat
    state.mover_view.seat = seat
    place_trains(board, state, route)
    mark_met_tickets(board, state, seat)
    state.mover_view.seat = mover


@compiled
def meet_tickets(boards, states, seat):
    mark_met_tickets(boards[0], states[0], seat)


@compiled
def hand_over(states, seat):
    """Let a seat begin its turn now."""
    state = states[0]
    begin_turn(state, seat, max(0, state.mover_view.turn))
    show_own(state)


@compiled
def is_to_pass(boards, states):
    return must_pass(boards[0], states[0])


@compiled
def show_mover(states):
    show_own(states[0])


@compiled
def score(boards, states):
    score_game(boards[0], states[0])


@compiled
def measure_trail(boards, states, seat):
    return longest_trail(boards[0], states[0], seat)


@compiled
def lend(boards, states, seat):
    lend_best_routes(boards[0], states[0], seat)


@compiled
def sample_hidden(boards, states, seat, key):
    determinise(boards[0], states[0], seat, key)


@compiled
def make_world(boards, states, workspaces):
    prepare_world(boards[0], states[0], workspaces[0].world)


@compiled
def _note_if_legal(board, view, answer, found, n):
    found[n] = answer
    return n + (why_not(board, view, answer) == actions.FINE)


@compiled
def search_legal(boards, states, found):
    """Try every answer that could mean anything; how many are legal, and which.

    Every number with every color, known or not, too many wilds, and mixes that no deck can serve.
    """
    board, view = boards[0], states[0].mover_view
    n = 0
    for place in range(256):
        n = _note_if_legal(board, view, actions.keep(place), found, n)
        for color in range(N_COLORS + 2):
            for wilds in range(14):
                n = _note_if_legal(board, view, actions.claim(place, color, wilds), found, n)
                n = _note_if_legal(board, view, actions.build_station(place, color, wilds), found, n)
    size = 9 if board.mix else 1
    for first in range(size):
        for second in range(size if board.n_decks > 1 else 1):
            for third in range(size if board.n_decks > 2 else 1):
                for fourth in range(size if board.n_decks > 3 else 1):
                    n = _note_if_legal(board, view, actions.ticket_mix(first, second, third, fourth), found, n)
    for number in range(N_COLORS + 2):
        n = _note_if_legal(board, view, actions.draw_row(number), found, n)
        n = _note_if_legal(board, view, actions.passenger(number), found, n)
        n = _note_if_legal(board, view, actions.pay_tunnel(number), found, n)
    for answer in (actions.draw_deck(), actions.discard_tickets(), actions.pass_turn(), actions.give_up()):
        n = _note_if_legal(board, view, answer, found, n)
    return n
