"""Tickets: the choice from an offer, whether to draw more, and from which deck."""

from ttr_sim.bots.planner.memory import MAX_GOALS
from ttr_sim.bots.planner.plan import (
    ANY_GOAL,
    FOREVER,
    MAX_STARTS,
    ROUNDING,
    are_too_far,
    begin_candidates,
    build_candidate,
    measure_way,
    turns_for,
)
from ttr_sim.bots.planner.ways import (
    NOWHERE,
    all_joined,
    count_cities,
    find_way,
    join_by_route,
    join_free,
    price_by_trains,
    use_prices,
)
from ttr_sim.bots.planner.worth import add_ticket, collect_goals, ticket_gain, ticket_loss
from ttr_sim.engine.actions import cards_of_deck, draw_tickets
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.rng import draw_below
from ttr_sim.engine.tickets import count_bits, mix_size

NO_FAVORITE = -1
NO_GOAL = -1
NOTHING = -1e6
# Chance that a ticket with some way to go is completed after all.
SUCCESS = 0.8
# Share of the worth of further good tickets of one draw: they compete for the same turns.
SECOND_BEST = 0.5


@compiled
def best_mask(board, view, memory, turns, caution):
    """Choose the offered tickets to keep, as a mask.

    Each unmet one must gain `caution` more than its price. Prices must be set. Masks are counted so that candidates
    with a common beginning follow each other.
    """
    collect_goals(board, view, memory)
    memory.n_held = memory.n_goals
    for i in range(view.n_offered):
        ticket = view.offered[i]
        memory.offered_goal[i] = NO_GOAL
        if is_met(board, view.network[view.seat], ticket):
            memory.offered_worth[i] = ticket_gain(board, ticket)
        else:
            memory.offered_worth[i] = -(ticket_loss(board, ticket) + caution)
            memory.offered_goal[i] = memory.n_goals
            add_ticket(board, memory, ticket)
    begin_candidates(memory)
    # Ranked so that counting masks changes the last goals first.
    n = 0
    for place in range(memory.n_goals, -1, -1):
        goal = memory.order[place] if place < memory.n_goals else NO_GOAL
        for i in range(view.n_offered):
            if memory.offered_goal[i] == goal:
                memory.ranked[n] = i
                n += 1
    best, best_choice = -1e9, mask_of_all(view)
    for start in range(max(1, memory.n_goals)):
        for number in range(1 << view.n_offered):
            mask = 0
            for i in range(view.n_offered):
                mask |= ((number >> i) & 1) << memory.ranked[i]
            if count_bits(mask) >= view.keep_at_least:
                value = _value_of(board, view, memory, mask, start, turns)
                if value > best:
                    best, best_choice = value, mask
    return best_choice


@compiled
def best_mask_by_trains(board, view, memory, loan):
    """Choose all offered tickets within reach, for a bot that counts trains only."""
    price_by_trains(board, view, memory, loan)
    return best_mask(board, view, memory, FOREVER, 0.0)


@compiled
def _value_of(board, view, memory, mask, start, turns):
    """Gain of keeping these with the goal at `start` laid first, NOTHING without such a candidate."""
    value, goals, n = 0.0, (1 << memory.n_held) - 1, memory.n_held
    for i in range(view.n_offered):
        if (mask >> i) & 1:
            value -= view.ticket_tie[view.offered[i]]
            value += memory.offered_worth[i]
            if memory.offered_goal[i] != NO_GOAL and n < MAX_GOALS:
                goals |= 1 << memory.offered_goal[i]
                n += 1
    if goals == 0:
        return value
    before = 0
    for i in range(start):
        before += (goals >> memory.order[i]) & 1
    if before >= MAX_STARTS or not (goals >> memory.order[start]) & 1:
        return NOTHING
    if before > 0:
        return value + build_candidate(board, view, memory, start, goals, turns, memory.satisfied_by_value[mask])
    value += build_candidate(board, view, memory, start, goals, turns, ANY_GOAL)
    memory.satisfied_by_value[mask] = memory.satisfied
    return value


@compiled
def mask_of_all(view):
    return (1 << view.n_offered) - 1


@compiled
def best_deck(board, view, memory, turns):
    """Find the most promising deck to draw from, as (expected gain, deck)."""
    use_prices(board, memory)
    join_free(board, view, memory)
    memory.bound_trains = 0
    if memory.synergy > 0:  # the plan's routes are free for other tickets, but their trains are bound
        for i in range(memory.n_aims):
            memory.cost[memory.targets[i]] = 0
            join_by_route(board, memory, memory.targets[i])
            memory.bound_trains += board.route_length[memory.targets[i]]
    best, best_worth = 0, NOTHING
    for deck in range(board.n_decks):
        n = min(mix_size(board, view) if board.mix else board.deck_draw[deck], view.deck_tickets[deck])
        if n > 0:
            found, mean = _weigh_deck(board, view, memory, deck, turns)
            if found > 0:
                # The best ticket is kept, others when they gain.
                n = min(n, found)
                first, first_good = expected_best(memory, found, n)
                worth = first + SECOND_BEST * (mean * n - first_good)
                if worth > best_worth:
                    best, best_worth = deck, worth
    return best_worth, best


@compiled
def expected_best(memory, found, n):
    """Mean of the best of n drawn from the sorted gains, and of its part above 0."""
    chance = n / found  # that the i-th best of all is the best of those drawn, for each i in turn
    best, good = 0.0, 0.0
    for i in range(found - n + 1):
        best += chance * memory.gains[i]
        good += chance * max(0.0, memory.gains[i])
        if i < found - n:
            chance *= (found - i - n) / (found - i - 1.0)
    return best, good


@compiled
def _weigh_deck(board, view, memory, deck, turns):
    """Sort a deck's gains into memory.gains: their number, and the mean of their parts above 0."""
    found, total = 0, 0.0
    for index in range(board.first_ticket[deck], board.first_ticket[deck + 1]):
        ticket = board.deck_tickets[index]
        is_held = False
        for i in range(view.n_tickets):
            is_held = is_held or view.tickets[i] == ticket
        if not is_held:
            gain = _gain_of(board, view, memory, ticket, turns)
            total += max(0.0, gain)
            place = found
            while place > 0 and memory.gains[place - 1] < gain:
                memory.gains[place] = memory.gains[place - 1]
                place -= 1
            memory.gains[place] = gain
            found += 1
    return found, total / max(1, found)


@compiled
def _gain_of(board, view, memory, ticket, turns):
    """Gain of the ticket alone: completed over the cheapest way, or failed when it must be."""
    failed = -ticket_loss(board, ticket)
    # A ticket that costs more than it can bring is better failed.
    most = ticket_gain(board, ticket) + memory.ticket_bonus - failed + ROUNDING
    a, b = board.ticket_a_set[ticket], board.ticket_b_set[ticket]
    trains_left = view.trains[view.seat] - memory.bound_trains
    if are_too_far(board, view, memory, a, b, turns, trains_left):
        return failed
    first, second = all_joined(memory, a), all_joined(memory, b)
    # Searching from the end joined with more cities pays, as further tickets may begin there.
    if memory.root != first and (memory.root == second or count_cities(first) < count_cities(second)):
        first, second = second, first
    end = find_way(board, view, memory, first, second, most)
    if end == NOWHERE:
        return failed
    routes, trains, missing, borrowed = measure_way(board, view, memory, end)
    if trains > trains_left or borrowed > view.stations[view.seat] or turns_for(view, routes, missing) > turns:
        return failed
    done = ticket_gain(board, ticket) + memory.ticket_bonus - memory.distance[end]
    success = SUCCESS + memory.hope
    return max(failed, done if routes == 0 else success * done + (1.0 - success) * failed)


@compiled
def gain_of_discarding(board, view, memory, turns):
    """Expected gain of new tickets instead of all held ones. Prices must be set."""
    use_prices(board, memory)
    join_free(board, view, memory)
    memory.bound_trains = 0
    gain = 0.0
    for i in range(view.n_tickets):
        ticket = view.tickets[i]
        if not is_met(board, view.network[view.seat], ticket):
            _, mean = _weigh_deck(board, view, memory, board.ticket_deck[ticket], turns)
            gain += mean - max(0.0, _gain_of(board, view, memory, ticket, turns))
    return gain


@compiled
def draw_from(board, view, favorite):
    """Draw tickets, where a mix is announced as many as possible of the favorite deck.

    The rest comes from the decks in turn, with NO_FAVORITE all of it.
    """
    answer = draw_tickets()
    if not board.mix:
        return answer
    left = mix_size(board, view)
    if favorite != NO_FAVORITE:
        n = min(left, view.deck_tickets[favorite])
        answer += n << (8 + 8 * favorite)
        left -= n
    deck = 0
    while left > 0:
        if cards_of_deck(answer, deck) < view.deck_tickets[deck]:
            answer += 1 << (8 + 8 * deck)
            left -= 1
        deck = (deck + 1) % board.n_decks
    return answer


@compiled
def draw_by_chance(board, view, seat):
    """Announce a mix with the deck of each ticket drawn by chance."""
    answer, left = draw_tickets(), mix_size(board, view)
    while left > 0:
        deck = draw_below(seat, board.n_decks)
        if cards_of_deck(answer, deck) < view.deck_tickets[deck]:
            answer += 1 << (8 + 8 * deck)
            left -= 1
    return answer
