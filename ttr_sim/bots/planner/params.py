"""The planner's parameters, and PARAM: their positions in seat.parameters. The racer has the first of them too."""

from ttr_sim.bots.api import Parameter
from ttr_sim.engine.records import numbered

ROUTE_TASTES = (
    Parameter("greed", 1.0, 0.0, 2.0, "share of a route's points that counts when paths are compared"),
    Parameter("tempo", 0.85, 0.0, 3.0, "value of a turn, in units of what a turn spent on long routes scores"),
    Parameter("train", 0.2, 0.0, 2.0, "value of a train, in the same unit"),
    Parameter("thrift", 0.3, 0.0, 1.0, "share of the cards in hand that makes a route cheaper"),
    Parameter("faceup", 0.2, 0.0, 1.0, "share of the face-up cards that makes a route cheaper"),
    Parameter("gray", 0.2, 0.0, 1.0, "wish for any color when a gray route lacks cards of its best one"),
    Parameter("patience", 0.15, 0.0, 2.0, "wilds and needed cards it will spend on a claim, per train"),
    Parameter("hurry", 3.0, 0.0, 40.0, "turns before the end when it stops saving cards"),
    Parameter("tunnel", 0.6, 0.0, 3.0, "extra cards it expects a tunnel to cost"),
    Parameter("passenger", 0.15, 0.0, 5.0, "weight of the points for passengers"),
    Parameter("goods", 1.5, 0.0, 20.0, "points a merchandise card counts for"),
)
TICKET_TASTES = (
    Parameter("caution", 1.0, -5.0, 20.0, "value a ticket must add to be kept, in turns spent on long routes"),
    Parameter(
        "curiosity",
        -0.5,
        -5.0,
        5.0,
        "value that drawing tickets must add beyond its turn, in the same unit",
    ),
    Parameter("eager", 0.0, 0.0, 50.0, "cards the plan may still need when it draws tickets"),
    Parameter("station", 2.0, -20.0, 40.0, "points it would rather give up than build a station"),
    Parameter("block", 0.0, 0.0, 10.0, "readiness to claim what an opponent clearly needs"),
)
# At 0 each of them changes nothing; the racer plays without them.
FORESIGHT = (
    Parameter("pace", 0.0, -0.5, 2.0, "share by which the game lasts longer than it looks"),
    Parameter("reserve", 0.0, -5.0, 10.0, "turns by which the game lasts longer than it looks"),
    Parameter("detour", 0.0, 0.0, 1.0, "1: looks for another way where the cheapest takes too many turns or trains"),
    Parameter("synergy", 0.0, 0.0, 1.0, "1: counts planned routes as its own when it considers drawing tickets"),
    Parameter(
        "ambition",
        0.0,
        0.0,
        30.0,
        "above 0: draws tickets before it claims, once its tickets lack no more cards than that",
    ),
    Parameter("hope", 0.0, -0.8, 0.2, "how much surer than 0.8 it is of completing a ticket that it may draw"),
    Parameter("tour", 0.0, 0.0, 0.85, "how much more than 0.15 of the bonus for most tickets each one counts"),
    Parameter("chain", 0.0, 0.0, 10.0, "weight of the longest path when a route extends its own"),
    Parameter("focus", 0.0, 0.0, 5.0, "extra wish for cards that its tickets need, beside those of other routes"),
    Parameter("joker", 0.0, -1.0, 2.0, "extra wish for wilds"),
    Parameter("alarm", 0.0, -1.0, 5.0, "how much more opponents' routes at its ends make a claim urgent"),
    Parameter("hoard", 0.0, 0.0, 60.0, "cards it likes to hold before it claims what no opponent is near"),
    Parameter("horizon", 0.0, -6.0, 60.0, "turns before the end, beyond 6, from which it plans again each turn"),
    Parameter("finish", 8.0, 0.0, 40.0, "above 0: ends a won game; points it expects of each ticket that rivals hold"),
    Parameter("reach", 0.0, 0.0, 20.0, "trains left beyond the last ones that it takes for an end of the game too"),
    Parameter("calm", 0.0, 0.0, 40.0, "turns before the end from which it draws no tickets while it is ahead"),
    Parameter("doubt", 0.0, 0.0, 5.0, "turns by which a route is dearer when rivals have reached both its ends"),
    Parameter("sight", 1.0, 0.0, 5.0, "weight of the points of an attraction that a route is the first to touch"),
    Parameter("district", 1.0, 0.0, 5.0, "weight of a district's points when a route joins two parts of it"),
    Parameter("loop", 0.2, 0.0, 5.0, "weight of the first Mandala's points when a route closes a loop"),
    Parameter("lottery", 0.0, 0.0, 1.0, "1: draws its first mix of decks by chance, to measure what it never chooses"),
    Parameter("thin", 0.2, 0.0, 0.5, "share of all cards in deck and discards below which a large hand is spent"),
)

PARAM = numbered("Param", [parameter.name for parameter in ROUTE_TASTES + TICKET_TASTES + FORESIGHT])
