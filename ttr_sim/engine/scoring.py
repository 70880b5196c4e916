"""The end of the game: every score part, ranks, winners."""

from ttr_sim.engine.board import ABSENT, BY_LONGEST_PATH, BY_PASSENGERS, BY_STATIONS, BY_TICKETS
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.longest_path import longest_trail
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.stations import BY_RACE, lend_best_routes, lending_network


@compiled
def score_game(board, state):
    players = state.mover_view.players
    for seat in range(players):
        _score_tickets(board, state, seat)
        result = state.results[seat]
        result.longest = longest_trail(board, state, seat) if board.measure_longest else 0
        result.station_points = board.unused_points * state.mover_view.stations[seat]
        result.longest_points = result.globetrotter_points = 0
        result.passenger_points = result.merchandise_points = 0
    _score_longest_path(board, state)
    _score_globetrotter(board, state)
    _score_passengers(board, state)
    _score_merchandise(board, state)
    for seat in range(players):
        _add_up(board, state, seat)
    _rank(board, state)


@part
def _score_tickets(board, state, seat):
    """Count completed tickets by number and points, after stations have lent their best routes."""
    holding, result = state.holdings[seat], state.results[seat]
    labels = state.mover_view.network[seat]
    if board.stations > 0:
        lend_best_routes(board, state, seat)
        labels = lending_network(board, state, seat)
    result.completed = result.failed = result.ticket_points = result.ticket_penalty = 0
    for i in range(holding.n_tickets):
        ticket = holding.tickets[i]
        if is_completed(board, state, holding, labels, i):
            result.completed += 1
            result.ticket_points += board.ticket_points[ticket]
        else:
            result.failed += 1
            if board.failed_subtract:
                result.ticket_penalty -= board.ticket_points[ticket]


@compiled
def is_completed(board, state, holding, labels, i):
    """Return whether the networks meet a ticket; after the one that wins a race nothing further counts."""
    if board.race_tickets > 0 and state.hidden.end == BY_RACE:
        return holding.shown[i] != 0
    return is_met(board, labels, holding.tickets[i])


@compiled
def completed_count(state, seat):
    """Count the completed tickets as bonuses and tie-breaks do: by number, the bonus ticket included."""
    return state.results[seat].completed + state.mover_view.bonus_ticket[seat]


@part
def _score_longest_path(board, state):
    longest = longest_of_all(state)
    for seat in range(state.mover_view.players):
        if board.longest_points != ABSENT and longest > 0 and state.results[seat].longest == longest:
            state.results[seat].longest_points = board.longest_points


@compiled
def longest_of_all(state):
    longest = 0
    for seat in range(state.mover_view.players):
        longest = max(longest, state.results[seat].longest)
    return longest


@part
def _score_globetrotter(board, state):
    most = 0
    for seat in range(state.mover_view.players):
        most = max(most, completed_count(state, seat))
    for seat in range(state.mover_view.players):
        if board.globetrotter_points != ABSENT and most > 0 and completed_count(state, seat) == most:
            state.results[seat].globetrotter_points = board.globetrotter_points


@part
def _score_passengers(board, state):
    for seat in range(state.mover_view.players):
        held = 0
        for color in range(board.n_colors):
            held += state.mover_view.held_passengers[seat, color]
        state.results[seat].passengers = held
    for i in range(board.n_passenger_colors):
        _score_passenger_color(board, state, board.passenger_color[i])


@part
def _score_passenger_color(board, state, color):
    """Score the most to all tied, the second most only when one seat alone has most."""
    held, players = state.mover_view.held_passengers, state.mover_view.players
    most, second, with_most = 0, 0, 0
    for seat in range(players):
        most = max(most, held[seat, color])
    for seat in range(players):
        with_most += held[seat, color] == most
        if held[seat, color] < most:
            second = max(second, held[seat, color])
    for seat in range(players):
        if most > 0 and held[seat, color] == most:
            state.results[seat].passenger_points += board.most_points
        elif with_most == 1 and second > 0 and held[seat, color] == second:
            state.results[seat].passenger_points += board.second_points


@part
def _score_merchandise(board, state):
    """Score ranks: tied seats share the better one, and the ranks below are skipped."""
    held, players = state.mover_view.merchandise, state.mover_view.players
    for seat in range(players):
        better = 0
        for other in range(players):
            better += held[other] > held[seat]
        if held[seat] > 0:
            state.results[seat].merchandise_points = board.merchandise_points[players, better]


@part
def _add_up(board, state, seat):
    view, result = state.mover_view, state.results[seat]
    if board.race_tickets > 0:
        result.score = completed_count(state, seat)
        return
    result.score = view.score[seat] + result.ticket_points + result.ticket_penalty
    result.score += result.longest_points + result.globetrotter_points + result.passenger_points
    result.score += result.station_points + result.merchandise_points


@part
def _rank(board, state):
    for seat in range(state.mover_view.players):
        rank = 1
        for other in range(state.mover_view.players):
            rank += _is_ahead(board, state, other, seat)
        state.results[seat].rank = rank


@part
def _is_ahead(board, state, one, other):
    difference = state.results[one].score - state.results[other].score
    for i in range(board.n_tie_breaks):
        if difference != 0:
            break
        difference = _tie_break(state, one, board.tie_breaks[i]) - _tie_break(state, other, board.tie_breaks[i])
    return difference > 0


@compiled
def _tie_break(state, seat, kind):
    """Return a number of which more is better: of stations those left, since fewer used win.

    Only holding the longest path counts, not its length, and all who are tied for it hold it. What
    is still tied after the last tie-break is shared. `+ 0` widens a field to the type of the others.
    """
    if kind == BY_TICKETS:
        return completed_count(state, seat)
    if kind == BY_STATIONS:
        return state.mover_view.stations[seat] + 0
    if kind == BY_LONGEST_PATH:
        longest = longest_of_all(state)
        return 1 if longest > 0 and state.results[seat].longest == longest else 0
    if kind == BY_PASSENGERS:
        return state.results[seat].passengers + 0
    return 0
