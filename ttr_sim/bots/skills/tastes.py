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
    GRAYNESS,
    HURRY,
    FACE_UP,
    TUNNEL,
    STATION,
    PASSENGER,
    GOODS,
    BLOCK,
) = range(16)
