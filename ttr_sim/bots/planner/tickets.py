"""Tickets: which of the offered ones to keep, whether to draw more, and from which deck."""

from ttr_sim.bots.planner.citysets import all_joined, count_cities, join_by_route, join_free
from ttr_sim.bots.planner.goals import add_ticket, collect_goals, ticket_gain, ticket_loss
from ttr_sim.bots.planner.memory import MAX_GOALS
from ttr_sim.bots.planner.plan import (
    A_BIT,
    ANY_GOAL,
    FOREVER,
    MAX_STARTS,
    are_too_far,
    begin_candidates,
    build_candidate,
    measure_way,
    turns_for,
)
from ttr_sim.bots.planner.ways import NOWHERE, find_way, price_by_trains, use_prices
from ttr_sim.engine.actions import cards_of_deck, draw_tickets
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.tickets import count_bits, mix_size

NO_FAVORITE = -1
NO_GOAL = -1
NOTHING = -1e6
SUCCESS = 0.8  # chance that a ticket with some way to go is completed after all
SECOND_BEST = 0.5  # share of what further good tickets of one draw are worth: they ask for the same turns


@compiled
def best_mask(board, view, memory, turns, caution):
    """Return the set of offered tickets to keep, as a mask: each unmet one must gain `caution` more than its price.

    Prices must be set. Trials that begin alike follow each other, so that what they share is laid once.
    """
    _collect_offered(board, view, memory, caution)
    begin_candidates(memory)
    _rank_offered(view, memory)
    best, best_choice = -1e9, mask_of_all(view)
    for start in range(max(1, memory.n_goals)):
        for number in range(1 << view.n_offered):
            mask = _ranked_mask(view, memory, number)
            if count_bits(mask) >= view.keep_at_least:
                value = _value_of(board, view, memory, mask, start, turns)
                if value > best:
                    best, best_choice = value, mask
    return best_choice


@compiled
def best_mask_by_trains(board, view, memory, loan):
    """Return the set of offered tickets to keep for a bot that counts trains only: all that they can still reach."""
    price_by_trains(board, view, memory, loan)
    return best_mask(board, view, memory, FOREVER, 0.0)


@part
def _collect_offered(board, view, memory, caution):
    """Set the goals: those of the tickets held, and behind them those offered."""
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


@part
def _rank_offered(view, memory):
    """Rank the offered tickets: counted in that order, those that differ in what is laid last follow each other."""
    n = 0
    for place in range(memory.n_goals, -1, -1):
        goal = memory.order[place] if place < memory.n_goals else NO_GOAL
        for i in range(view.n_offered):
            if memory.offered_goal[i] == goal:
                memory.ranked[n] = i
                n += 1


@part
def _ranked_mask(view, memory, number):
    mask = 0
    for i in range(view.n_offered):
        mask |= ((number >> i) & 1) << memory.ranked[i]
    return mask


@part
def _value_of(board, view, memory, mask, start, turns):
    """Return what keeping these gains by the trial that lays the goal at `start` first; NOTHING where there is none."""
    value, goals = _worth_unlaid(view, memory, mask), _goals_with(view, memory, mask)
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


@part
def _worth_unlaid(view, memory, mask):
    value = 0.0
    for i in range(view.n_offered):
        if (mask >> i) & 1:
            value -= view.ticket_tie[view.offered[i]]
            value += memory.offered_worth[i]
    return value


@part
def _goals_with(view, memory, mask):
    """Return the goals of the tickets held and of these, a bit each; no more than a plan has room for."""
    goals, n = (1 << memory.n_held) - 1, memory.n_held
    for i in range(view.n_offered):
        if (mask >> i) & 1 and memory.offered_goal[i] != NO_GOAL and n < MAX_GOALS:
            goals |= 1 << memory.offered_goal[i]
            n += 1
    return goals


@compiled
def mask_of_all(view):
    return (1 << view.n_offered) - 1


@compiled
def best_deck(board, view, memory, turns):
    """Return (expected gain, deck) of the most promising deck to draw tickets from. Prices must be set."""
    use_prices(board, memory)
    join_free(board, view, memory)
    memory.bound_trains = 0
    if memory.synergy > 0:
        _own_the_plan(board, memory)
    best, best_worth = 0, NOTHING
    for deck in range(board.n_decks):
        n = min(mix_size(board, view) if board.mix else board.deck_draw[deck], view.deck_tickets[deck])
        if n > 0:
            worth = _worth_of_drawing(board, view, memory, deck, n, turns)
            if worth > best_worth:
                best, best_worth = deck, worth
    return best_worth, best


@part
def _own_the_plan(board, memory):
    """Let other tickets use the plan's routes for nothing, and none of its trains."""
    for i in range(memory.n_aims):
        memory.cost[memory.targets[i]] = 0
        join_by_route(board, memory, memory.targets[i])
        memory.bound_trains += board.route_length[memory.targets[i]]


@part
def _worth_of_drawing(board, view, memory, deck, n, turns):
    """Return the expected gain of drawing n tickets of a deck: the best is kept, others when they gain."""
    found, mean = _weigh_deck(board, view, memory, deck, turns)
    if found == 0:
        return NOTHING
    best, best_good = _expected_best(memory, found, min(n, found))
    return best + SECOND_BEST * (mean * min(n, found) - best_good)


@compiled
def _weigh_deck(board, view, memory, deck, turns):
    """Sort what each ticket of a deck may gain into memory.gains; return their number and their mean gain above 0."""
    found, total = 0, 0.0
    for index in range(board.first_ticket[deck], board.first_ticket[deck + 1]):
        ticket = board.deck_tickets[index]
        if not _is_mine(view, ticket):
            gain = _gain_of(board, view, memory, ticket, turns)
            total += max(0.0, gain)
            found = _sort_in(memory, found, gain)
    return found, total / max(1, found)


@part
def _is_mine(view, ticket):
    for i in range(view.n_tickets):
        if view.tickets[i] == ticket:
            return True
    return False


@compiled
def _gain_of(board, view, memory, ticket, turns):
    """Return what the ticket would bring alone: completed over the cheapest way, or failed when it must be."""
    failed = -ticket_loss(board, ticket)
    most = ticket_gain(board, ticket) + memory.ticket_bonus - failed + A_BIT  # a dearer ticket is better failed
    a, b = board.ticket_a_set[ticket], board.ticket_b_set[ticket]
    trains_left = view.trains[view.seat] - memory.bound_trains
    if are_too_far(board, view, memory, a, b, turns, trains_left):
        return failed
    end = _find_way_between(board, view, memory, a, b, most)
    if end == NOWHERE:
        return failed
    routes, trains, lack, lent = measure_way(board, view, memory, end)
    if trains > trains_left or lent > view.stations[view.seat] or turns_for(view, routes, lack) > turns:
        return failed
    done = ticket_gain(board, ticket) + memory.ticket_bonus - memory.distance[end]
    success = SUCCESS + memory.hope
    return max(failed, done if routes == 0 else success * done + (1.0 - success) * failed)


@part
def _find_way_between(board, view, memory, a, b, limit):
    """Search from the end that is joined with more cities, as further tickets may begin there."""
    first, second = all_joined(memory, a), all_joined(memory, b)
    if memory.root != first and (memory.root == second or count_cities(first) < count_cities(second)):
        first, second = second, first
    return find_way(board, view, memory, first, second, limit)


@part
def _sort_in(memory, found, gain):
    """Insert the gain into memory.gains, kept in falling order; return their new number."""
    index = found
    while index > 0 and memory.gains[index - 1] < gain:
        memory.gains[index] = memory.gains[index - 1]
        index -= 1
    memory.gains[index] = gain
    return found + 1


@part
def _expected_best(memory, found, n):
    """Return the mean of the best of n drawn from the sorted gains, and the mean of its part above 0."""
    chance = n / found
    best, good = 0.0, 0.0
    for i in range(found - n + 1):
        best += chance * memory.gains[i]
        good += chance * max(0.0, memory.gains[i])
        if i < found - n:
            chance *= (found - i - n) / (found - i - 1.0)
    return best, good


@compiled
def gain_of_discarding(board, view, memory, turns):
    """Return what new tickets instead of all held ones would gain. Prices must be set."""
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
    """Return the action that draws tickets, with a mix of the decks where one is announced.

    As many as there are of the favorite deck, the rest from the others; NO_FAVORITE: one from each in turn.
    """
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
