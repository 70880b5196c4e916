"""Errors that a user reads as one sentence instead of a traceback, and the commands and spellings they suggest."""

from __future__ import annotations

import os
import shlex
import sys
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

NAME = "ttr-sim"
CALLED_AS = "TTR_SIM_CALLED_AS"  # scripts/ttr-sim sets it to its own path, unless that is on the PATH


class UserError(Exception):
    """Wrong use or bad input, in one sentence for the user."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. Its text, if any, says how to resume."""


def no_run(folder: Path) -> UserError:
    """Error about a folder without a run."""
    return UserError(f"there is no run in {folder} (no run.json); to list your runs: {command_line('runs')}")


def not_a_folder(file: Path) -> UserError:
    """Error about a file in place of a folder."""
    return UserError(f"{file} is a file; give the folder it is in")


def no_games(run: Path) -> UserError:
    """Error about a run without a finished game."""
    return UserError(f"{run} has no finished game yet; resume it with: {command_line('run', '--resume', run)}")


def program() -> str:
    """Name or path of the program as the user called it."""
    return os.environ.get(CALLED_AS) or NAME


def command_line(*words: object) -> str:
    """Quote a ttr-sim command so that it can be pasted into a shell."""
    return shlex.join([program(), *map(str, words)])


def typed() -> str:
    """Command line of this process, ready to paste into a shell."""
    return command_line(*sys.argv[1:])


def closest(word: str, known: Iterable[str]) -> str | None:
    """Find the known word nearest to `word`, ignoring case and accents."""
    by_plain = {plain(name): name for name in known}
    # difflib takes quadratic time, so a whole paragraph in place of a name is cut.
    matches = get_close_matches(plain(word[:100]), by_plain, n=1, cutoff=0.6)
    return by_plain[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Format ` (did you mean "X"?)`, or an empty text."""
    match = closest(word, known)
    return f' (did you mean "{match}"?)' if match else ""


def plain(text: str) -> str:
    """Lower-case a text and drop its accents."""
    split = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in split if not unicodedata.combining(letter)).casefold()
