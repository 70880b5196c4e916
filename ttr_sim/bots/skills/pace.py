"""How long the game may still last, from what all can see."""

from ttr_sim.engine.compiled import compiled

TRAINS_PER_CLAIM = 3.2  # of a brisk player
TURNS_PER_TICKET = 3.5  # where completed tickets end the game


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


@compiled
def _turns_of(board, view, seat):
    """Turns until this seat could end the game if it did nothing else."""
    trains = max(0, view.trains[seat] - max(0, board.trains_left))
    cards = max(0, trains - view.hand_cards[seat])
    turns = cards / 2.0 + trains / TRAINS_PER_CLAIM
    if board.race_tickets > 0:
        missing = board.race_tickets - view.completed[seat] - view.bonus_ticket[seat]
        turns = min(turns, missing * TURNS_PER_TICKET)
    return turns
