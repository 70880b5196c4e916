"""The records of one game, one block of memory that kernels pass as one pointer.

A bot is given the mover's view and its own memory.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from ttr_sim.edition import limits
from ttr_sim.log import SCORE_PARTS, TURNS

N_COLORS = limits.MAX_COLORS + 1  # and the wilds
ROUTE_WORDS = limits.MAX_ROUTES // 64
MAX_CLASSES = limits.MAX_ROUTES  # kinds of routes that cost the same: color, length, locomotives
MAX_FILL = 2 * limits.MAX_ROW * (limits.MAX_RESETS + 1)  # upper bound of the cards turned up within one turn
MAX_TICKET_EVENTS = 2 * limits.MAX_TICKETS  # upper bound of the tickets drawn within one turn
N_PARAMETERS = 48
N_MEMORY = 1_400

_i1, _u1, _i2, _i4, _i8 = np.int8, np.uint8, np.int16, np.int32, np.int64
_u8, _f8 = np.uint64, np.float64


def numbered(name: str, words: list[str]) -> Any:
    """Number a list by name: `PART.longest` is a constant to a kernel."""
    return namedtuple(name, words)(*range(len(words)))


PART = numbered("Part", [part.name for part in SCORE_PARTS])  # entries of RESULT.points and BOARD.scores


def _scalars(kind: type, *names: str) -> list[tuple[str, type]]:
    return [(name, kind) for name in names]


# Only its owner may see this. View and holding begin with it, so that one copy moves it from holding to view.
# Behind the last ticket, and the last one offered, stands 0.
OWN: list[Any] = [
    ("n_tickets", _i4),
    ("n_offered", _i4),
    ("hand", _i2, N_COLORS),
    ("offered", _i2, limits.MAX_OFFER),
    ("tickets", _i2, limits.MAX_TICKETS),  # kept, oldest first; shown ones (instant tickets) stay
]

# Open to everybody at the table, and the mover's own hand and tickets.
VIEW = np.dtype(
    [
        *OWN,
        *_scalars(
            _i4,
            "players",
            "seat",  # the mover
            "turn",  # -1 at setup
            "decision",
            "final_turns",  # turns left once the final round runs, else -1
            "deck_cards",
            "discard_cards",
            "row_cards",
            "board_version",  # changes with every route claimed
            "keep_at_least",
            "route",  # the tunnel or claim being decided
            "laid_color",
            "laid_wilds",
            "tunnel_cost",
            "passenger_city",
            "merchandise_left",
            "bonus_tickets_left",
            "passes",
            "drawn_card",  # first card of this turn's draw while the second is asked, else -1
        ),
        ("row", _i2, N_COLORS),
        ("discards", _i2, N_COLORS),
        ("deck_tickets", _i2, limits.MAX_DECKS),
        ("trains", _i2, limits.MAX_PLAYERS),
        ("score", _i2, limits.MAX_PLAYERS),
        ("hand_cards", _i2, limits.MAX_PLAYERS),
        ("held_tickets", _i2, limits.MAX_PLAYERS),
        ("completed", _i2, limits.MAX_PLAYERS),  # tickets shown as completed (instant tickets only)
        ("bonus_ticket", _i1, limits.MAX_PLAYERS),
        ("stations", _i1, limits.MAX_PLAYERS),
        ("merchandise", _i1, limits.MAX_PLAYERS),
        ("held_passengers", _i2, (limits.MAX_PLAYERS, limits.MAX_COLORS)),
        ("taken", _i2, (limits.MAX_PLAYERS, N_COLORS)),  # cards each was seen to take from the row
        ("spent", _i2, (limits.MAX_PLAYERS, N_COLORS)),
        ("known", _i2, (limits.MAX_PLAYERS, N_COLORS)),  # at least this many are in the hand, as all could see
        ("owner", _i1, limits.MAX_ROUTES),  # -1: free
        ("station_owner", _i1, limits.MAX_CITIES),
        ("passengers", _i2, (limits.MAX_CITIES, limits.MAX_COLORS)),
        ("network", _i1, (limits.MAX_PLAYERS, limits.MAX_CITIES)),  # cities with one label are joined by own routes
        ("open_routes", _u8, (limits.MAX_PLAYERS, ROUTE_WORDS)),  # bit: this seat may claim the route
        ("open_classes", _u1, (limits.MAX_PLAYERS, MAX_CLASSES)),  # number of them, by class
        # numbers from 0 to rng.TINY that break ties, others in every game
        ("route_tie", _f8, limits.MAX_ROUTES),
        ("ticket_tie", _f8, limits.MAX_TICKETS),
        ("city_tie", _f8, limits.MAX_CITIES),
        ("color_tie", _f8, N_COLORS),
    ],
    align=True,
)

# A bot's own memory, emptied at the start of each game (parameters are then filled in).
BOT_MEMORY = np.dtype(
    [
        ("stream", _u8),
        ("wants", _u8, ROUTE_WORDS),  # published: the routes a planning bot is after
        ("parameters", _f8, N_PARAMETERS),
        ("memory", _i8, N_MEMORY),
    ],
    align=True,
)

# A seat's cards and tickets, the master copy behind the view's.
HOLDING = np.dtype(
    [
        *OWN,
        ("order", _i4, limits.MAX_TICKETS),  # each ticket's number in the order of drawing
        ("met_turn", _i2, limits.MAX_TICKETS),  # turn the own network met it, NULL before
        ("shown", _i1, limits.MAX_TICKETS),
        ("offered_order", _i4, limits.MAX_OFFER),
        ("kept_mask", _i4),
    ],
    align=True,
)

HIDDEN = np.dtype(
    [
        ("deal_key", _u8),
        *_scalars(_i4, "deck_at", "deck_end", "stuck_turn", "end", "n_drawn_tickets"),
        *_scalars(_i4, "resets", "stuck", "reshuffles", "lead_changes"),
        *_scalars(_i4, "leader", "last_leader", "lead_since"),
        ("turns_taken", _i2, limits.MAX_PLAYERS),
        ("routes_claimed", _i2, limits.MAX_PLAYERS),
        ("ring_at", _i4, limits.MAX_DECKS),
        ("ring", _i2, (limits.MAX_DECKS, limits.MAX_TICKETS)),  # each ticket deck, as a ring from ring_at on
        ("deck", _i1, limits.MAX_CARDS),
        ("station_cities", _i1, (limits.MAX_PLAYERS, limits.MAX_STATIONS)),  # in the order built
    ],
    align=True,
)


def _log_row(others: list[Any]) -> np.dtype:
    """Lay out a row of the log: number columns by name, and as an array.

    Both are the same memory, so a rule writes `log.route` and the writer copies the array: a column
    that is added to log.py needs no line here nor in log_writer.py.
    """
    plain = np.dtype([("columns", _i2, len(TURNS)), *others], align=True)
    fields = [(name, plain[name], offset) for name, (_, offset, *_) in (plain.fields or {}).items()]
    fields += [(column.name, np.dtype(_i2), 2 * i) for i, column in enumerate(TURNS) if column.type != "text"]
    names, formats, offsets = zip(*fields, strict=True)
    layout: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": plain.itemsize}
    row: np.dtype = np.dtype(layout, align=True)
    return row


# The log's row of the turn being played, and of setup as turn -1.
TURN_LOG = _log_row(
    [
        *_scalars(_i4, "n_fill", "fill2_from", "n_tunnel", "n_tickets"),
        ("row", _i2, N_COLORS),  # before the turn, by color
        ("fill", _i1, MAX_FILL),  # fill1 and, from fill2_from on, fill2
        ("tunnel", _i1, limits.MAX_TUNNEL_REVEAL),
        ("ticket", _i2, MAX_TICKET_EVENTS),
        ("ticket_seat", _i1, MAX_TICKET_EVENTS),
        ("ticket_kept", _i1, MAX_TICKET_EVENTS),
    ]
)

# A bot that decides for a seat: its code, and whether it publishes wants, is guarded, searches.
DRIVER = np.dtype(
    [
        ("address", _i8),
        ("parameters", _f8, N_PARAMETERS),
        ("bot", _i4),  # its number in the batch
        *_scalars(_i1, "plans", "guarded", "searches"),
    ],
    align=True,
)

# Final scores of a seat.
RESULT = np.dtype(
    [
        ("points", _i4, len(PART)),  # by part: log.SCORE_PARTS
        *_scalars(_i4, "score", "rank", "completed", "failed", "longest", "passengers"),
        ("lent", _i2, limits.MAX_STATIONS),  # route lent to each station built, -1: none
    ],
    align=True,
)

# Memory for work in progress; nothing in it outlives the call that fills it. Arrays made by kernels would cost an
# allocation each time.
SCRATCH = np.dtype(
    [
        ("keys", _u8, limits.MAX_CARDS),
        ("sorted_keys", _u8, limits.MAX_CARDS),
        ("items", _i2, limits.MAX_CARDS),
        ("sorted_items", _i2, limits.MAX_CARDS),
        ("buckets", _i2, 130),
        ("own_routes", _i2, limits.MAX_ROUTES),  # longest trail: the routes of one seat ...
        ("first_own", _i2, limits.MAX_CITIES + 2),  # ... by city, into own_at and far_city
        ("own_at", _i2, 2 * limits.MAX_ROUTES),
        ("far_city", _i2, 2 * limits.MAX_ROUTES),
        ("total", _i2, limits.MAX_CITIES),  # length of all routes of a network, by its label
        ("odd", _i2, limits.MAX_CITIES),  # its cities with an odd number of routes
        ("used", _i1, limits.MAX_ROUTES),
        ("path_city", _i2, limits.MAX_ROUTES + 1),
        ("path_next", _i2, limits.MAX_ROUTES + 1),
        ("path_route", _i2, limits.MAX_ROUTES + 1),
        (
            "labels",
            _i1,
            limits.MAX_CITIES,
        ),  # a network on trial, taken as a slice: Numba gives a whole field another type
        ("lend", _i2, limits.MAX_STATIONS),
        ("looped", _i1, limits.MAX_TICKETS),  # Mandala: by held ticket
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("mover_view", VIEW),
        ("holdings", HOLDING, limits.MAX_PLAYERS),
        ("hidden", HIDDEN),
        ("seats", BOT_MEMORY, limits.MAX_PLAYERS),
        ("drivers", DRIVER, limits.MAX_PLAYERS),
        ("turn_log", TURN_LOG),
        ("results", RESULT, limits.MAX_PLAYERS),
        ("scratch", SCRATCH),
        ("view_copy", VIEW),
    ],
    align=True,
)

# Memory for a searching bot: it is given the view of a world that only looks like the game, and behind the world is
# room for the copies it makes of it. `pulse`, unless it is 0, is the address of its heartbeat: a number to count up.
WORKSPACE = np.dtype([("world", STATE), ("pulse", _i8), ("room", np.uint8, 3 * STATE.itemsize)], align=True)
