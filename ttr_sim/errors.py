"""Errors that a user reads as one sentence instead of a traceback."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.command_line import command_line


class UserError(Exception):
    """Wrong use or bad input; the command line prints the sentence and exits with 2."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, after all work came to rest; its text is the sentence on how to resume."""


def no_run(folder: Path) -> UserError:
    """Return the error about a folder that holds no run."""
    return UserError(f"there is no run in {folder} (no run.json); to list your runs: {command_line('runs')}")


def not_a_folder(file: Path) -> UserError:
    """Return the error about a file in place of a folder."""
    return UserError(f"{file} is a file; give the folder it is in")


def no_games(run: Path) -> UserError:
    """Return the error about a run without a finished game."""
    return UserError(f"{run} has no finished game yet; resume it with: {command_line('run', '--resume', run)}")
