"""Randomness: streams by purpose, and orders as sorts by mix(seed, deal, purpose, identity).

Adding a card leaves the order of all others, and no choice of a bot changes the cards before the first reshuffle.
"""

import numpy as np

from ttr_sim.engine.jit import compiled

_U = np.uint64  # Numba makes float64 of uint64 with int64, so every operand here is uint64
_GOLD = _U(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = _U(0xBF58476D1CE4E5B9), _U(0x94D049BB133111EB)
_27, _30, _31, _32, _40, _57 = _U(27), _U(30), _U(31), _U(32), _U(40), _U(57)

# Purposes: one stream each. Give a new one a number of its own: any other change deals other games.
TRAIN_DECK = 1
PASSENGERS = 2
DETERMINISE = 3
TIES = 4
TICKET_DECK = 16  # + deck
RETURNED_TICKETS = 32  # + deck
RESHUFFLE = 64  # + number of earlier reshuffles
BOT = 1 << 32  # + rotation and place in the lineup

TINY = 2.0**-30  # tie-breaking numbers are smaller: far below any difference that means something
_FRACTION = TINY / 2.0**24

N_BUCKETS = 128  # of the sort: by the keys' first seven bits


@compiled
def mix(z):
    """SplitMix64's finalizer: every bit of the result depends on every bit of z."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@compiled
def deal_key(seed, deal):
    return mix(_U(seed) ^ mix(_U(deal) + _GOLD))


@compiled
def purpose_key(key, purpose):
    return mix(key + _U(purpose) * _GOLD)


@compiled
def item_key(key, identity):
    return mix(key ^ identity)


@compiled
def tie_number(key, identity):
    """A number from 0 to TINY to add to compared values, so that no name wins ties.

    It reveals only 24 bits of the key, because bots see it: all of them would reveal the deal.
    """
    return np.float64(item_key(key, identity) >> _40) * _FRACTION


@compiled
def draw_key(seat):
    """Draw the key of a new stream from a bot's own stream."""
    seat.stream = seat.stream + _GOLD
    return mix(seat.stream)


@compiled
def draw_below(seat, n):
    """Draw 0 .. n - 1 from a bot's own stream."""
    return np.int64(((draw_key(seat) >> _32) * _U(n)) >> _32)


@compiled
def sort_by_key(scratch, n):
    """Sort scratch.items[:n] by scratch.keys[:n] into scratch.sorted_items.

    Buckets by leading bits first, then insertion: keys are random, so a bucket holds one or two.
    """
    buckets = scratch.buckets
    for i in range(N_BUCKETS + 1):
        buckets[i] = 0
    for i in range(n):
        buckets[np.int64(scratch.keys[i] >> _57) + 1] += 1
    for i in range(N_BUCKETS):
        buckets[i + 1] += buckets[i]
    for i in range(n):
        bucket = np.int64(scratch.keys[i] >> _57)
        at = np.int64(buckets[bucket])
        buckets[bucket] += 1
        scratch.sorted_keys[at] = scratch.keys[i]
        scratch.sorted_items[at] = scratch.items[i]
    for i in range(1, n):
        key, item = scratch.sorted_keys[i], scratch.sorted_items[i]
        j = i
        while j > 0 and scratch.sorted_keys[j - 1] > key:
            scratch.sorted_keys[j] = scratch.sorted_keys[j - 1]
            scratch.sorted_items[j] = scratch.sorted_items[j - 1]
            j -= 1
        scratch.sorted_keys[j] = key
        scratch.sorted_items[j] = item
