"""An answer that the rules refuse, in words."""

from __future__ import annotations

from ttr_sim.bots.model import LoadedBots
from ttr_sim.edition.model import Edition
from ttr_sim.engine.calls import RAISED
from ttr_sim.engine.words import DECISIONS, answer_in_words


def describe_failure(bots: LoadedBots, bot: int, decision: int, answer: int) -> str:
    """As in `my_bots.py:Greedy was to take a turn and answered "claim Denver - Omaha ...", which the rules refuse`."""
    asked = f"{bots.specs[bot]} was to {DECISIONS.get(decision, 'choose')}"
    if answer == RAISED:
        trouble = getattr(bots.owners[bot], "trouble", None)
        return f"{asked} and {trouble or 'raised an exception (an index out of range, or a division by zero)'}"
    return f'{asked} and answered "{_in_words(bots.edition, answer)}", which the rules refuse'


def _in_words(edition: Edition, answer: int) -> str:
    try:
        return answer_in_words(edition, answer, [])
    except IndexError:
        return f"the meaningless answer {answer}"
