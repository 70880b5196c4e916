"""How long the game may still last, from what all can see."""

from ttr_sim.edition.limits import MAX_LENGTH
from ttr_sim.engine.compiled import compiled, part

TRAINS_PER_CLAIM = 3.2  # of a brisk player
TURNS_PER_TICKET = 3.5  # where completed tickets end the game


@compiled
def turn_points(board, mind):
    """What a turn brings to one who fills the board with its longest routes: the measure of all prices."""
    if mind.turn_points == 0:
        mind.turn_points = _longest_first(board)
    return mind.turn_points


@part
def _longest_first(board):
    if board.race_tickets > 0:
        return 1.0  # prices are turns, nothing else counts
    trains, turns, points = board.trains, 0.0, 0.0
    for length in range(MAX_LENGTH, 0, -1):
        for route in range(board.n_routes):
            if board.route_length[route] == length and length <= trains and _leads_its_group(board, route):
                trains -= length
                turns += 1.0 + length / 2.0
                points += board.route_points[route]
    return max(points, 1.0) / max(turns, 1.0)


@part
def _leads_its_group(board, route):
    return board.group_routes[board.first_of_group[board.route_group[route]]] == route


@compiled
def turns_of_game(board):
    """Turns a brisk player takes for a whole game."""
    if board.race_tickets > 0:
        return board.race_tickets * TURNS_PER_TICKET
    return board.trains / 2.0 + board.trains / TRAINS_PER_CLAIM


@compiled
def turns_left(board, view):
    """Turns the mover can still count on, this one included."""
    if view.final_turns >= 0:
        return 1.0
    least = 1000.0
    for seat in range(view.players):
        if seat != view.seat:
            least = min(least, _turns_of(board, view, seat))
    return least + 1.0


@part
def _turns_of(board, view, seat):
    """Turns until this seat could end the game if it did nothing else."""
    trains = max(0, view.trains[seat] - max(0, board.trains_left))
    cards = max(0, trains - view.hand_cards[seat])
    turns = cards / 2.0 + trains / TRAINS_PER_CLAIM
    if board.race_tickets > 0:
        missing = board.race_tickets - view.completed[seat] - view.bonus_ticket[seat]
        turns = min(turns, missing * TURNS_PER_TICKET)
    return turns
