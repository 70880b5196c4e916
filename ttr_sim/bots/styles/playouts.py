"""Playouts of sampled worlds by planners in all seats, shared out among the candidates of `search` by halving.

Each candidate is played on the same worlds. After each phase the worse half is dropped, so that most playouts go to
the candidates that are hard to tell apart.
"""

from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.ways import FAR, NOWHERE, find_way, price_by_trains, reset_search, use_prices
from ttr_sim.bots.styles import planner
from ttr_sim.engine.actions import ANSWER_DRAW_DECK, ANSWER_DRAW_ROW, ASK_KEEP, ASK_TURN, DEFAULT, pass_turn, unpack
from ttr_sim.engine.bot_abi import copy_record, count_up
from ttr_sim.engine.game import apply, begin_turn, finish_turn, go_on, must_pass, show_own
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import default_answer
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.rng import draw_below, item_key
from ttr_sim.engine.setup import SETUP_TURN
from ttr_sim.engine.tickets import ask_to_keep, keep_offered
from ttr_sim.engine.worlds import copy_game, determinise
from ttr_sim.log import NULL

N_TASTES = len(planner.PLANNER.parameters)
NO_HORIZON = -6.0  # planning again each turn near the end makes playouts slower and hardly stronger
MARGIN_HALF = 40.0  # points ahead that count half as much as any number of points
FIRST_ROUNDS = 4  # rounds before any candidate is dropped
SURE = 2.0**2  # squared standard errors below the planner's answer: losing a good one costs less than trying the bad
CLEAR = 3.5**2  # and above it: no further playouts are needed
TRUST = 60.0  # how much likelier others hold tickets that fit their routes; 0: not at all
LOAN = 6.0  # trains that a route of another counts for where stations can lend it
FINE_GRAIN = 1 << 30


@compiled
def best_candidate(board, desk, budget, errors, share):
    """Find the best candidate: the planner's (0), unless another gains `errors` squared standard errors."""
    desk.rounds = desk.playouts = 0
    for i in range(desk.n):
        desk.alive[i] = 1
        desk.gain[i] = desk.square[i] = 0.0
    # As many halvings as leave one other candidate, and one more phase to try that one.
    phase, phases, others = 1, 1, desk.n - 1
    while others > 1:
        others -= others // 2
        phases += 1
    while desk.playouts < budget and _count_alive(desk) > 1:
        _play_round(board, desk, share)
        if desk.rounds < FIRST_ROUNDS:
            continue
        while phase < phases and desk.playouts * phases >= budget * phase:
            _drop_worse_half(desk)
            phase += 1
        for i in range(1, desk.n):
            if desk.gain[i] <= 0 and _is_sure(desk, i, SURE):
                desk.alive[i] = 0
        if _is_settled(desk):
            break
    best = 0
    for i in range(1, desk.n):
        is_better = desk.alive[i] and desk.gain[i] > 0 and _is_sure(desk, i, errors)
        if is_better and (best == 0 or desk.gain[i] > desk.gain[best]):
            best = i
    return best


@compiled
def _count_alive(desk):
    alive = 0
    for i in range(desk.n):
        alive += desk.alive[i]
    return alive


@compiled
def _play_round(board, desk, share):
    """Try each remaining candidate on one more world."""
    if desk.pulse != 0:
        count_up(desk.pulse)
    sample_world(board, desk, desk.rounds)
    mover = desk.sample.mover_view.seat
    for i in range(desk.n):
        if desk.alive[i]:
            copy_game(desk.play, desk.sample)
            if leaves_plan(desk, i):
                memory_of(desk.play.seats[mover]).plan_version = 0
            play_out(board, desk.play, desk.answers[i])
            desk.value[i] = value_for(desk.play, mover, share)
            gain = desk.value[i] - desk.value[0]
            desk.gain[i] += gain
            desk.square[i] += gain * gain
            desk.playouts += 1
    desk.rounds += 1


@compiled
def leaves_plan(desk, i):
    """Check whether the planner has to plan again after this candidate."""
    return i > 0 and unpack(desk.answers[i])[0] not in (ANSWER_DRAW_DECK, ANSWER_DRAW_ROW)


@compiled
def _is_sure(desk, i, errors):
    """Check whether the squared mean gain exceeds `errors` squared standard errors."""
    n, gain = float(desk.rounds), desk.gain[i]
    return gain * gain * (n - 1.0) >= errors * (n * desk.square[i] - gain * gain)


@compiled
def _is_settled(desk):
    """Check whether one candidate surely beats the planner's answer and leads the others by far."""
    best, second = 0, 0
    for i in range(1, desk.n):
        if desk.alive[i] and (best == 0 or desk.gain[i] > desk.gain[best]):
            best, second = i, best
        elif desk.alive[i] and (second == 0 or desk.gain[i] > desk.gain[second]):
            second = i
    clear = second == 0 or 2.0 * desk.gain[second] < desk.gain[best]
    return best > 0 and desk.gain[best] > 0 and clear and _is_sure(desk, best, CLEAR)


@compiled
def _drop_worse_half(desk):
    """Keep the planner's answer and the better half of the others."""
    others = _count_alive(desk) - 1
    for _ in range(others // 2):
        worst = 0
        for i in range(1, desk.n):
            if desk.alive[i] and (worst == 0 or desk.gain[i] <= desk.gain[worst]):
                worst = i
        desk.alive[worst] = 0


@compiled
def seat_planners(world, seat):
    """Seat planners like the mover, with nothing of its plan."""
    copy_record(world.seats[world.mover_view.seat], seat)
    for other in range(world.mover_view.players):
        for i in range(N_TASTES):
            world.seats[other].parameters[i] = seat.parameters[i]
        world.seats[other].parameters[PARAM.horizon] = NO_HORIZON
        memory_of(world.seats[other]).turn_points = memory_of(seat).turn_points


@compiled
def sample_world(board, desk, number):
    """Sample all hidden cards of desk.world into desk.sample, with the number as the seed."""
    mover = desk.world.mover_view.seat
    copy_game(desk.sample, desk.world)
    determinise(board, desk.sample, mover, item_key(desk.world.hidden.deal_key, number))
    weigh_tickets(board, desk.sample, mover, TRUST, desk.fits)
    state, view = desk.sample, desk.sample.mover_view
    decision = view.decision
    if view.turn != SETUP_TURN:
        # The other seats' plans are made once for all playouts of this world.
        view.decision = ASK_TURN
        for seat in range(view.players):
            if seat != mover:
                view.seat = seat
                show_own(state)
                planner.choose(board, view, state.seats[seat])
        view.seat, view.decision = mover, decision
        show_own(state)
    elif decision == ASK_KEEP:
        # Earlier seats choose their first tickets again: the mover has not seen their choices.
        for seat in range(mover):
            view.seat = seat
            if ask_to_keep(state, seat, board.keep_at_start):
                show_own(state)
                keep_offered(state, seat, unpack(ask_planner(board, state))[1])
        view.seat = mover
        ask_to_keep(state, mover, board.keep_at_start)
        show_own(state)


@compiled
def ask_planner(board, state):
    view = state.mover_view
    answer = planner.choose(board, view, state.seats[view.seat])
    return default_answer(board, view) if answer == DEFAULT else answer


@compiled
def play_out(board, state, answer):
    """Play from this answer to the final scoring."""
    while True:
        at_setup = state.mover_view.turn == SETUP_TURN
        if apply(board, state, answer):
            if at_setup:
                begin_turn(state, 0, 0)
            else:
                finish_turn(board, state)
                if go_on(board, state):
                    return
        show_own(state)
        answer = pass_turn() if must_pass(board, state) else ask_planner(board, state)


@compiled
def value_for(state, seat, share):
    """Mix of the seat's share of the win and its squashed margin, from 0 to 1."""
    winners, best = 0, -1000000
    for other in range(state.mover_view.players):
        winners += state.results[other].rank == 1
        if other != seat:
            best = max(best, state.results[other].score)
    margin = float(state.results[seat].score - best)
    squashed = 0.5 + 0.5 * margin / (MARGIN_HALF + abs(margin))
    won = 1.0 / winners if state.results[seat].rank == 1 else 0.0
    return (1.0 - share) * won + share * squashed


# Beliefs about hidden tickets: a seat likelier holds a ticket along the routes it has built.


@compiled
def judge_fits(board, view, scratch, fits):
    """Set the share of each ticket's shortest way that every other seat has built."""
    mover = view.seat
    for seat in range(view.players):
        if seat != mover:
            view.seat = seat
            memory = memory_of(scratch[seat])
            price_by_trains(board, view, memory, LOAN)
            use_prices(board, memory)
            for ticket in range(board.n_tickets):
                fits[seat][ticket] = _way(board, view, memory, ticket)  # trains still needed
            for route in range(board.n_routes):
                if view.owner[route] == seat:
                    memory.cost[route] = board.route_length[route]
            reset_search(memory)
            for ticket in range(board.n_tickets):
                left, whole = fits[seat][ticket], _way(board, view, memory, ticket)
                fits[seat][ticket] = 1.0 - left / whole if left < whole else 0.0
    view.seat = mover


@compiled
def _way(board, view, memory, ticket):
    end = find_way(board, view, memory, board.ticket_a_set[ticket], board.ticket_b_set[ticket], FAR)
    return FAR if end == NOWHERE else memory.distance[end]


@compiled
def weigh_tickets(board, state, mover, trust, fits):
    """Redraw each hidden ticket of others in proportion to its fit."""
    if trust <= 0 or board.show_tickets:  # shown tickets leave only those that fit nothing yet
        return
    for seat in range(state.mover_view.players):
        if seat != mover:
            state.seats[seat].stream = item_key(state.hidden.deal_key, state.seats[seat].stream)
            for i in range(state.holdings[seat].n_tickets):
                _redraw(board, state, seat, i, trust, fits[seat])


@compiled
def _redraw(board, state, seat, i, trust, fits):
    """Swap the ticket with one of its deck, or itself, by weight."""
    view, hidden, holding = state.mover_view, state.hidden, state.holdings[seat]
    held = holding.tickets[i]
    deck, chosen = board.ticket_deck[held], -1
    weight = _weight(fits, held, trust)
    total = weight
    for k in range(view.deck_tickets[deck]):
        total += _weight(fits, hidden.ring[deck, (hidden.ring_at[deck] + k) % hidden.ring.shape[1]], trust)
    left = total * draw_below(state.seats[seat], FINE_GRAIN) / FINE_GRAIN - weight
    while left >= 0 and chosen + 1 < view.deck_tickets[deck]:
        chosen += 1
        left -= _weight(fits, hidden.ring[deck, (hidden.ring_at[deck] + chosen) % hidden.ring.shape[1]], trust)
    if chosen >= 0:
        at = (hidden.ring_at[deck] + chosen) % hidden.ring.shape[1]
        other = hidden.ring[deck, at]
        hidden.ring[deck, at] = held
        holding.tickets[i] = other
        holding.met_turn[i] = view.turn if is_met(board, view.network[seat], other) else NULL


@compiled
def _weight(fits, ticket, trust):
    return (1.0 + trust * fits[ticket]) * (1.0 + trust * fits[ticket])
