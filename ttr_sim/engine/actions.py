"""What a bot can be asked, and the numbers it answers with.

An answer is one int64: `kind | a << 8 | b << 16 | c << 24`. Bots build it with the functions here.
"""

from ttr_sim.engine.compiled import compiled

# Decisions: what the engine asks (view.decision).
ASK_MIX = 0  # setup where mixes are announced: answer ticket_mix(...)
ASK_KEEP = 1  # view.offered[:view.n_offered]: answer keep(mask)
ASK_TURN = 2  # any action
ASK_SECOND = 3  # second card: draw_row(color) or draw_deck()
ASK_TUNNEL = 4  # view.tunnel_cost more cards: pay_tunnel(wilds) or give_up()
ASK_PASSENGER = 5  # view.passenger_city: passenger(color)
GAME_OVER = 6

# Answers: their kind, the lowest byte.
DRAW_ROW = 0  # a = color
DRAW_DECK = 1
CLAIM = 2  # a = route, b = color of the colored cards (WILD: none), c = wilds
TICKETS = 3  # a..d = cards from each deck where mixes are announced, else ignored
STATION = 4  # a = city, b = color (WILD: none), c = wilds
DISCARD = 5
PASS = 6
KEEP = 7  # a = mask over the offered tickets
PAY_TUNNEL = 8  # c = wilds among the extra cards
GIVE_UP = 9
PASSENGER = 10  # a = color

DEFAULT = -1  # no opinion: a sensible rule decides
WILD = 12  # index of wilds wherever colors are counted


@compiled
def draw_row(color):
    """Take a face-up card of this color (WILD for a wild)."""
    return DRAW_ROW | color << 8


@compiled
def draw_deck():
    return DRAW_DECK


@compiled
def claim(route, color, wilds):
    """Claim a route with `wilds` wilds and the rest of its cards in one color (WILD: wilds alone)."""
    return CLAIM | route << 8 | color << 16 | wilds << 24


@compiled
def draw_tickets():
    return TICKETS


@compiled
def ticket_mix(first, second, third, fourth):
    """Draw that many tickets of each deck, where mixes are announced."""
    return TICKETS | first << 8 | second << 16 | third << 24 | fourth << 32


@compiled
def build_station(city, color, wilds):
    return STATION | city << 8 | color << 16 | wilds << 24


@compiled
def discard_tickets():
    return DISCARD


@compiled
def pass_turn():
    return PASS


@compiled
def keep(mask):
    """Keep the offered tickets whose bits are set."""
    return KEEP | mask << 8


@compiled
def pay_tunnel(wilds):
    """Pay the tunnel's extra cards with `wilds` wilds, the rest in the color laid down."""
    return PAY_TUNNEL | wilds << 24


@compiled
def give_up():
    return GIVE_UP


@compiled
def passenger(color):
    return PASSENGER | color << 8


@compiled
def kind_of(answer):
    return answer & 255


@compiled
def first_of(answer):
    return (answer >> 8) & 255


@compiled
def second_of(answer):
    return (answer >> 16) & 255


@compiled
def third_of(answer):
    return (answer >> 24) & 255


@compiled
def cards_of_deck(answer, deck):
    """Cards of a deck in an announced mix."""
    return (answer >> (8 + 8 * deck)) & 255
