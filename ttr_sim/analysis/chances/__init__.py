"""The chance of each seat to win at each moment of a game, estimated from the log, and what it says of the games."""
