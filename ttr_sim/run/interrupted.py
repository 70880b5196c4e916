"""Ctrl-C, after everything was brought to rest."""


class Interrupted(KeyboardInterrupt):
    """Its text is the sentence on how to go on."""
