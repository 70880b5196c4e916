"""How often Python looks for garbage: a report makes millions of objects, of which few only refer to each other."""

import gc

OBJECTS = 5_000  # made since the last look: with twice as many, large tables of a long run wait too long to be freed


def collect_seldom() -> None:
    gc.set_threshold(OBJECTS)
