"""The planner's parameters, and their places in seat.parameters. The racer has the first of them too."""

from ttr_sim.bots.style import Parameter

(
    GREED,
    TEMPO,
    TRAIN,
    THRIFT,
    FACEUP,
    GRAY,
    PATIENCE,
    HURRY,
    TUNNEL,
    PASSENGER,
    GOODS,
    CAUTION,
    CURIOSITY,
    EAGER,
    STATION,
    BLOCK,
) = range(16)

ROUTE_TASTES = (
    Parameter("greed", 1.0, 0.0, 2.0, "share of a route's points that counts when ways are weighed"),
    Parameter("tempo", 0.85, 0.0, 3.0, "worth of a turn, in what a turn of long routes pays"),
    Parameter("train", 0.2, 0.0, 2.0, "worth of a train, in what a turn of long routes pays"),
    Parameter("thrift", 0.3, 0.0, 1.0, "share of the cards in hand that make a route cheaper"),
    Parameter("faceup", 0.2, 0.0, 1.0, "share of the cards that lie face up that make a route cheaper"),
    Parameter("gray", 0.2, 0.0, 1.0, "wish for any color where a gray route lacks cards of its fullest one"),
    Parameter("patience", 0.15, 0.0, 2.0, "wilds and needed cards it spends on a claim without waiting"),
    Parameter("hurry", 3.0, 0.0, 40.0, "turns before the end from which cards are no longer spared"),
    Parameter("tunnel", 0.6, 0.0, 3.0, "extra cards it expects a tunnel to ask"),
    Parameter("passenger", 0.15, 0.0, 5.0, "weight of passengers' points"),
    Parameter("goods", 1.5, 0.0, 20.0, "points a merchandise card is worth"),
)
TICKET_TASTES = (
    Parameter("caution", 1.0, -5.0, 20.0, "turns of long routes that a ticket must gain beyond its price to be kept"),
    Parameter("curiosity", -0.5, -5.0, 5.0, "turns of long routes that drawing tickets must promise beyond its own"),
    Parameter("eager", 0.0, 0.0, 50.0, "cards the plan may still lack when tickets are drawn"),
    Parameter("station", 2.0, -20.0, 40.0, "points it would rather pay than build a station"),
    Parameter("block", 0.0, 0.0, 10.0, "readiness to take what an opponent evidently needs"),
)
