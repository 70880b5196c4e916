"""Command lines that a user can paste: the command as it was called, by whatever path."""

from __future__ import annotations

import os
import shlex
import sys

NAME = "ttr-sim"
CALLED_AS = "TTR_SIM_CALLED_AS"  # scripts/ttr-sim sets it to its own path, unless that is on the PATH


def program() -> str:
    return os.environ.get(CALLED_AS) or NAME


def command_line(*words: object) -> str:
    """Return a command of ttr-sim with these words, ready to paste into a shell."""
    return shlex.join([program(), *map(str, words)])


def typed() -> str:
    """Return the command line that started this process, ready to paste into a shell."""
    return command_line(*sys.argv[1:])
