"""Goals: pairs of city sets a bot wants joined, and what joining them is worth."""

from ttr_sim.bots.skills.mind import MAX_GOALS
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met

RACE_TICKET = 12.0  # turns a completed ticket is worth where only their number counts
TICKET_COUNTS = 0.15  # share of the bonus for most tickets that one more is worth


@compiled
def collect_goals(board, view, mind):
    """Set the goals: the kept tickets not met yet, and the bonus ticket."""
    mind.n_goals = 0
    labels = view.network[view.seat]
    for i in range(view.n_tickets):
        if mind.n_goals < MAX_GOALS and not is_met(board, labels, view.tickets[i]):
            add_ticket(board, mind, view.tickets[i])
    if mind.n_goals < MAX_GOALS and wants_bonus_ticket(board, view):
        add_goal(mind, board.bonus_source, board.bonus_target, RACE_TICKET)


@compiled
def wants_bonus_ticket(board, view):
    return board.bonus_tickets > 0 and view.bonus_tickets_left > 0 and not view.bonus_ticket[view.seat]


@compiled
def add_ticket(board, mind, ticket):
    value = ticket_gain(board, ticket) + ticket_loss(board, ticket) + mind.ticket_bonus
    add_goal(mind, board.ticket_a_set[ticket], board.ticket_b_set[ticket], value)


@compiled
def add_goal(mind, first, second, value):
    mind.goal_a[mind.n_goals] = first
    mind.goal_b[mind.n_goals] = second
    mind.goal_value[mind.n_goals] = value
    mind.n_goals += 1


@compiled
def order_goals(mind):
    """Set mind.order: most valuable first, so that long ways are laid first and short ones share them.

    Equals keep their order, hence `<` and not `<=`.
    """
    for i in range(mind.n_goals):
        goal, j = i, i
        while j > 0 and mind.goal_value[mind.order[j - 1]] < mind.goal_value[goal]:
            mind.order[j] = mind.order[j - 1]
            j -= 1
        mind.order[j] = goal


@compiled
def count_unmet(board, view):
    n = 0
    for i in range(view.n_tickets):
        n += not is_met(board, view.network[view.seat], view.tickets[i])
    return n


@compiled
def ticket_gain(board, ticket):
    """Return what completing a ticket adds, apart from the loss it avoids."""
    if board.race_tickets > 0:
        return RACE_TICKET
    return board.ticket_points[ticket] + TICKET_COUNTS * max(0, board.globetrotter_points)


@compiled
def ticket_loss(board, ticket):
    """Return what failing a ticket costs."""
    return float(board.ticket_points[ticket]) if board.failed_subtract else 0.0
