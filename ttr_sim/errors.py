"""What is told to the user in one sentence instead of a traceback."""


class UserError(Exception):
    """Wrong use or bad input; the command line prints the sentence and exits with 2."""
