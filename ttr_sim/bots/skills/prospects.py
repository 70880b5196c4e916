"""What drawing tickets is worth: each ticket that may come, judged against the network as it stands."""

from ttr_sim.bots.skills.goals import ticket_gain, ticket_loss
from ttr_sim.bots.skills.paths import NOWHERE, find_way
from ttr_sim.bots.skills.planning import measure_way, turns_for
from ttr_sim.bots.skills.prices import use_prices
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.tickets import mix_size

NOTHING = -1e6
SUCCESS = 0.8  # chance that a ticket with some way to go is completed after all
SECOND_BEST = 0.5  # share of what further good tickets of one draw are worth: they ask for the same turns


@compiled
def best_deck(board, view, mind, turns):
    """(expected gain, deck) of the most promising deck that an action, or the deal, draws from. Prices must be set."""
    use_prices(board, mind)
    best, best_worth = 0, NOTHING
    for deck in range(board.n_decks):
        n = min(mix_size(board, view) if board.mix else board.deck_draw[deck], view.deck_tickets[deck])
        if n > 0:
            worth = _worth_of_drawing(board, view, mind, deck, n, turns)
            if worth > best_worth:
                best, best_worth = deck, worth
    return best_worth, best


@part
def _worth_of_drawing(board, view, mind, deck, n, turns):
    """Expected gain of drawing n tickets of a deck: the best is kept, others when they gain."""
    found, mean = _weigh_deck(board, view, mind, deck, turns)
    if found == 0:
        return NOTHING
    best, best_good = _expected_best(mind, found, min(n, found))
    return best + SECOND_BEST * (mean * min(n, found) - best_good)


@compiled
def _weigh_deck(board, view, mind, deck, turns):
    """How many tickets may come, sorted into mind.gains; and the mean of what they gain."""
    found, total = 0, 0.0
    for place in range(board.first_ticket[deck], board.first_ticket[deck + 1]):
        ticket = board.deck_tickets[place]
        if not _is_mine(view, ticket):
            gain = _gain_of(board, view, mind, ticket, turns)
            total += max(0.0, gain)
            found = _sort_in(mind, found, gain)
    return found, total / max(1, found)


@compiled
def gain_of_discarding(board, view, mind, turns):
    """What new tickets in place of all held ones would gain more. Prices must be set."""
    use_prices(board, mind)
    gain = 0.0
    for i in range(view.n_tickets):
        ticket = view.tickets[i]
        if not is_met(board, view.network[view.seat], ticket):
            _, mean = _weigh_deck(board, view, mind, board.ticket_deck[ticket], turns)
            gain += mean - max(0.0, _gain_of(board, view, mind, ticket, turns))
    return gain


@part
def _is_mine(view, ticket):
    for i in range(view.n_tickets):
        if view.tickets[i] == ticket:
            return True
    return False


@compiled
def _gain_of(board, view, mind, ticket, turns):
    """What the ticket would bring alone: completed over the cheapest way, or failed when it must be."""
    failed = -ticket_loss(board, ticket)
    end = find_way(board, mind, board.ticket_a_set[ticket], board.ticket_b_set[ticket])
    if end == NOWHERE:
        return failed
    routes, trains, lack, lent = measure_way(board, view, mind, end)
    if trains > view.trains[view.seat] or lent > view.stations[view.seat] or turns_for(view, routes, lack) > turns:
        return failed
    done = ticket_gain(board, ticket) - mind.distance[end]
    return max(failed, done if routes == 0 else SUCCESS * done + (1.0 - SUCCESS) * failed)


@part
def _sort_in(mind, found, gain):
    """Keep mind.gains in falling order."""
    place = found
    while place > 0 and mind.gains[place - 1] < gain:
        mind.gains[place] = mind.gains[place - 1]
        place -= 1
    mind.gains[place] = gain
    return found + 1


@part
def _expected_best(mind, found, n):
    """Mean of the best of n drawn from the sorted gains, and the mean of its part above 0."""
    chance = n / found
    best, good = 0.0, 0.0
    for i in range(found - n + 1):
        best += chance * mind.gains[i]
        good += chance * max(0.0, mind.gains[i])
        if i < found - n:
            chance *= (found - i - n) / (found - i - 1.0)
    return best, good
