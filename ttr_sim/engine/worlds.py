"""Worlds: states that a seat cannot tell from the game, made for bots that search."""

from ttr_sim.engine.bot_abi import copy_record
from ttr_sim.engine.determinise import determinise
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.rng import draw_key
from ttr_sim.engine.routesets import clear_routes


@compiled
def prepare_world(board, state, world):
    """Make `world` what the mover knows of the game, with a sample of what it does not know."""
    mover = state.mover_view.seat
    copy_game(world, state)
    for seat in range(state.mover_view.players):
        _empty(world.seats[seat])
        if seat != mover:
            world.holdings[seat].kept_mask = 0
    determinise(board, world, mover, draw_key(state.seats[mover]))


@compiled
def copy_game(target, source):
    """Copy what a game is played on from, without its drivers: nobody's wants are published in a world."""
    copy_record(target.mover_view, source.mover_view)
    copy_record(target.hidden, source.hidden)
    copy_record(target.now, source.now)
    for seat in range(source.mover_view.players):
        copy_record(target.holdings[seat], source.holdings[seat])
        copy_record(target.seats[seat], source.seats[seat])


@compiled
def _empty(room):
    room.stream = 0
    clear_routes(room.wants)
    for i in range(room.memory.shape[0]):
        room.memory[i] = 0
    for i in range(room.parameters.shape[0]):
        room.parameters[i] = 0
