"""Goals: pairs of city sets a bot wants joined, and what joining them is worth."""

from ttr_sim.bots.planner.memory import MAX_GOALS
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met

RACE_TICKET = 12.0  # turns a completed ticket is worth where only their number counts
TICKET_COUNTS = 0.15  # share of the bonus for most tickets that one more is worth


@compiled
def collect_goals(board, view, memory):
    """Set the goals: the kept tickets not met yet, and the bonus ticket."""
    memory.n_goals = 0
    labels = view.network[view.seat]
    for i in range(view.n_tickets):
        if memory.n_goals < MAX_GOALS and not is_met(board, labels, view.tickets[i]):
            add_ticket(board, memory, view.tickets[i])
    if memory.n_goals < MAX_GOALS and wants_bonus_ticket(board, view):
        add_goal(memory, board.bonus_source, board.bonus_target, RACE_TICKET)


@compiled
def wants_bonus_ticket(board, view):
    return board.bonus_tickets > 0 and view.bonus_tickets_left > 0 and not view.bonus_ticket[view.seat]


@compiled
def add_ticket(board, memory, ticket):
    value = ticket_gain(board, ticket) + ticket_loss(board, ticket) + memory.ticket_bonus
    add_goal(memory, board.ticket_a_set[ticket], board.ticket_b_set[ticket], value)


@compiled
def add_goal(memory, first, second, value):
    memory.goal_a[memory.n_goals] = first
    memory.goal_b[memory.n_goals] = second
    memory.goal_value[memory.n_goals] = value
    memory.n_goals += 1


@compiled
def order_goals(memory):
    """Set memory.order: most valuable first, so that long ways are laid first and short ones share them.

    Equals keep their order, hence `<` and not `<=`.
    """
    for i in range(memory.n_goals):
        goal, j = i, i
        while j > 0 and memory.goal_value[memory.order[j - 1]] < memory.goal_value[goal]:
            memory.order[j] = memory.order[j - 1]
            j -= 1
        memory.order[j] = goal


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
