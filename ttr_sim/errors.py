"""Errors that a user reads as one sentence instead of a traceback."""


class UserError(Exception):
    """Wrong use or bad input; the command line prints the sentence and exits with 2."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, after all work came to rest; its text is the sentence on how to resume."""
