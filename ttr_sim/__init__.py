"""ttr-sim: a Monte-Carlo strategy and balance analyser for the Ticket to Ride family."""

__version__ = "0.1.0"
