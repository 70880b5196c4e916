"""The planner's parameters by their places in seat.parameters; styles/planner.py says what they mean."""

(
    GREED,
    TEMPO,
    TRAIN,
    THRIFT,
    PATIENCE,
    CAUTION,
    CURIOSITY,
    EAGER,
    GRAY,
    HURRY,
    FACEUP,
    TUNNEL,
    STATION,
    PASSENGER,
    GOODS,
    BLOCK,
) = range(16)
