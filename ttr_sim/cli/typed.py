"""The command as the user typed it."""

from __future__ import annotations

import shlex
import sys


def typed_command() -> str:
    """Return the command line that started this process, ready to paste into a shell."""
    return shlex.join(["ttr-sim", *sys.argv[1:]])
