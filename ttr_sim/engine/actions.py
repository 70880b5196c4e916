"""Decisions, the numbers that answer them, and the reasons to refuse an answer.

An answer is one int64: `kind | a << 8 | b << 16 | c << 24`. Bots build it with the functions here.
"""

from ttr_sim.edition.limits import MAX_COLORS
from ttr_sim.engine.jit import compiled

# Decisions: the question that a bot answers (view.decision).
ASK_MIX = 0  # setup where mixes are announced: answer ticket_mix(...)
ASK_KEEP = 1  # view.offered[:view.n_offered]: answer keep(mask)
ASK_TURN = 2  # any action
ASK_SECOND = 3  # second card: draw_row(color) or draw_deck()
ASK_TUNNEL = 4  # view.tunnel_cost more cards: pay_tunnel(wilds) or give_up()
ASK_PASSENGER = 5  # view.passenger_city: passenger(color)
GAME_OVER = 6

# Answers: their kind, the lowest byte.
ANSWER_DRAW_ROW = 0  # a = color
ANSWER_DRAW_DECK = 1
ANSWER_CLAIM = 2  # a = route, b = color of the colored cards (WILD: none), c = wilds
ANSWER_TICKETS = 3  # a..d = cards from each deck where mixes are announced, else ignored
ANSWER_STATION = 4  # a = city, b = color (WILD: none), c = wilds
ANSWER_DISCARD = 5
ANSWER_PASS = 6
ANSWER_KEEP = 7  # a = mask over the offered tickets
ANSWER_PAY_TUNNEL = 8  # c = wilds among the extra cards
ANSWER_GIVE_UP = 9
ANSWER_PASSENGER = 10  # a = color

DEFAULT = -1  # no opinion: a sensible rule decides
WILD = MAX_COLORS  # index of wilds wherever colors are counted: behind room for every color


@compiled
def draw_row(color):
    """Take a face-up card of this color (WILD for a wild)."""
    return ANSWER_DRAW_ROW | color << 8


@compiled
def draw_deck():
    return ANSWER_DRAW_DECK


@compiled
def claim(route, color, wilds):
    """Claim with `wilds` wilds, the rest in one color (WILD: none)."""
    return ANSWER_CLAIM | route << 8 | color << 16 | wilds << 24


@compiled
def draw_tickets():
    return ANSWER_TICKETS


@compiled
def ticket_mix(first, second, third, fourth):
    """Draw that many tickets of each deck, where mixes are announced."""
    return ANSWER_TICKETS | first << 8 | second << 16 | third << 24 | fourth << 32


@compiled
def build_station(city, color, wilds):
    return ANSWER_STATION | city << 8 | color << 16 | wilds << 24


@compiled
def discard_tickets():
    return ANSWER_DISCARD


@compiled
def pass_turn():
    return ANSWER_PASS


@compiled
def keep(mask):
    """Keep the offered tickets with their bits set."""
    return ANSWER_KEEP | mask << 8


@compiled
def pay_tunnel(wilds):
    """Pay the extra cards: wilds, the rest in the color laid down."""
    return ANSWER_PAY_TUNNEL | wilds << 24


@compiled
def give_up():
    return ANSWER_GIVE_UP


@compiled
def passenger(color):
    return ANSWER_PASSENGER | color << 8


@compiled
def unpack(answer):
    """Kind and the first three numbers of an answer."""
    return answer & 255, (answer >> 8) & 255, (answer >> 16) & 255, (answer >> 24) & 255


@compiled
def cards_of_deck(answer, deck):
    """Number of cards of a deck in an announced mix."""
    return (answer >> (8 + 8 * deck)) & 255


# Reasons of every `why_not`, and their sentences.
FINE, NOT_NOW, NO_CARD_LEFT, NO_SUCH_CARD, ROW_IS_CLOSED, WILD_IS_FIRST_CARD_ONLY, NO_SUCH_ROUTE = range(7)
ROUTE_NOT_OPEN, TOO_FEW_TRAINS, WRONG_COLOR, WRONG_WILDS, TOO_FEW_CARDS, NO_TICKET_LEFT, WRONG_MIX = range(7, 14)
KEEP_MORE, NOT_OFFERED, NO_STATION_LEFT, CITY_TAKEN, NOTHING_TO_DISCARD, CAN_STILL_ACT = range(14, 20)
NO_SUCH_PASSENGER, UNKNOWN_ANSWER = range(20, 22)

REASONS = (
    "it is fine",
    "this is not what is being decided",
    "neither the deck nor the discards hold a card",
    "no such card lies face up",
    "neither the deck nor the discards hold a card, and so the row is closed",
    "a face-up wild may only be the first card",
    "there is no such route",
    "the route is claimed or closed",
    "too few trains are left",
    "the route takes another color",
    "the number of wilds does not fit",
    "the hand lacks these cards",
    "no ticket is left to draw",
    "the decks cannot serve this mix",
    "more tickets must be kept",
    "a ticket was not offered",
    "no station may be built",
    "the city already has a station",
    "there is nothing to discard or to replace it",
    "a player who can act may not pass",
    "no passenger of this color waits there",
    "the answer has no meaning",
)
