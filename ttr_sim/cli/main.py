"""The command group: lists the commands, loads one only when it is called, turns errors into sentences."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from ttr_sim import __version__
from ttr_sim.cli.output import MAX_WIDTH, flush_output, prepare_output, print_message
from ttr_sim.errors import NAME, Interrupted, UserError, command_line, did_you_mean, program

# Exit codes. Bad input is wrong use, and only a bug crashes.
FINE, FINDINGS, WRONG_USE, CRASHED, INTERRUPTED = 0, 1, 2, 70, 130
PIPE_CLOSED = 141  # as of a program that the signal of a closed pipe ends
COMPLETION = "_TTR_SIM_COMPLETE"  # set by the shell
NUMBERS = {"integer": "a whole number", "float": "a number"}
NO_MEMORY = "there is not enough memory; try fewer --jobs or fewer games, or raise the memory limit"

COMMANDS = {
    "study": "Run an edition at several player counts and write its report.",
    "run": "Play many games and log them.",
    "report": "Write the report of one or more runs.",
    "watch": "Judge a board again at each save.",
    "open": "Open the page of an edition, a report or a run in the browser.",
    "compare": "Compare two runs, or two editions, on the same deals.",
    "balance": "Find the fewest edits that make a board fair, and prove them.",
    "editions": "List the editions.",
    "bots": "List the bots and their parameters.",
    "show": "Show the numbers of a board and draw it.",
    "check": "Report every problem of an edition folder.",
    "new": "Start your own edition from a copy.",
    "tune": "Tune a bot for your own board.",
    "export": "Write an edition as files of the map editor.",
    "replay": "Show one game of a run, turn by turn.",
    "runs": "List run folders with their size and age.",
    "audit": "Check the games of a run against the rules.",
    "help": "Show how to use a command.",
}
# Commands that share a file. Any other command has the file of its name.
FILES = {
    **dict.fromkeys(("show", "check", "new", "export"), "editions"),
    **dict.fromkeys(("report", "replay", "open"), "runs"),
    "audit": "run",
    "tune": "bots",
    "watch": "watching",
}


class LazyGroup(click.Group):
    """Lists the commands by their one-line help, so that `--help` imports none of them."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    # An unknown name must not come as far as the import of a module by that name.
    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        if name == "help":
            return _with_our_name(help_command)
        return _with_our_name(getattr(import_module(f"ttr_sim.cli.{FILES.get(name, name)}"), f"{name}_command"))

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = words[0] if words else ""
        # click would say "No such command" without a suggestion.
        if name not in COMMANDS and not name.startswith("-"):
            context.fail(f'there is no command "{name}"{did_you_mean(name, COMMANDS)}')
        return super().resolve_command(context, words)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _with_our_name(command: click.Command) -> click.Command:
    """Copy a command, with examples that can be pasted however the program was called."""
    command = copy(command)
    for part in ("help", "epilog"):
        text = getattr(command, part) or ""
        setattr(command, part, re.sub(rf"(?<![\w/-]){NAME} ", lambda name: f"{program()} ", text))
    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": MAX_WIDTH})
@click.version_option(__version__, prog_name="ttr-sim")
def cli() -> None:
    """Play a Ticket to Ride board thousands of times and see whether it is balanced.

    \b
    ttr-sim study usa                       a full report on a board
    ttr-sim new my-map --from usa           your own board to edit
    ttr-sim watch my-map --open             what each save fixed, and what it made worse
    ttr-sim check my-map                    every problem, with file and line
    ttr-sim compare usa my-map              what the change did, on the same deals
    """


@click.command(epilog="Example: ttr-sim help study")
@click.argument("command", required=False)
@click.pass_context
def help_command(context: click.Context, command: str | None) -> None:
    """Show how to use a COMMAND, or list the commands."""
    words = ["--help"] if command is None else [command, "--help"]
    # The group runs once more, so that both spellings print the same.
    context.find_root().command.main(words, program(), standalone_mode=False)


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit with its code."""
    # Inherited by worker processes, which would import a `json.py` of the folder the user stands in.
    os.environ["PYTHONSAFEPATH"] = "1"
    # At Ctrl-C loky's tracker may report a semaphore that it has just removed itself.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    # Our matrices are small: threads of OpenBLAS would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    prepare_output()
    status = _run(sys.argv[1:] if words is None else words)
    failure = flush_output()
    if isinstance(failure, BrokenPipeError):  # `ttr-sim ... | head` has all the lines it wanted
        status = PIPE_CLOSED
    elif failure is not None:
        print_message(f"Error: the output could not be written: {failure.strerror or failure}")
        status = WRONG_USE
    sys.exit(status)


def _run(words: Sequence[str]) -> int:
    """Run a command, with a sentence on stderr for each error."""
    try:
        for word in words:
            # A name with stray bytes could be read from, but not written to, run.json and pages.
            if not word.isascii() and any("\ud800" <= letter <= "\udfff" for letter in word):
                raise UserError(f"{word} is not UTF-8; rename the file or folder")
        command = _with_our_name(cli)
        if COMPLETION in os.environ:
            command.main(words, prog_name=program(), complete_var=COMPLETION)
        # `command.main` would end the process by itself, at a closed pipe with the exit code for findings.
        with command.make_context(program(), list(words)) as context:
            status = command.invoke(context)
        return status if isinstance(status, int) else FINE
    except click.exceptions.Exit as ended:  # after --help or --version
        return ended.exit_code
    except BrokenPipeError:
        return PIPE_CLOSED
    except (KeyboardInterrupt, EOFError, click.Abort) as stop:
        # The first newline ends the line in which the terminal shows ^C.
        print_message(str(stop) or "\nInterrupted.")
        return INTERRUPTED
    except Exception as error:
        sentence = sentence_about(error)
        if sentence is not None:
            print_message(f"Error: {sentence}")
            return WRONG_USE
        from traceback import format_exception

        print_message("".join(format_exception(error)))
        print_message(
            f"Error: ttr-sim {__version__} crashed ({type(error).__name__}), which is a bug in ttr-sim; please report "
            "it to the maintainers, with the command and the lines above"
        )
        return CRASHED


def sentence_about(error: Exception) -> str | None:
    """Describe wrong use or a machine too small, but no bug."""
    match error:
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else program()
            message = re.sub(r"\s*\n\s*", " ", error.format_message()).rstrip(".")
            invalid_number = r"is not a valid (integer|float)(?: range)?$"
            message = re.sub(invalid_number, lambda found: f"is not {NUMBERS[found[1]]}", message)
            return f"{message} See {path} --help" if message.endswith("?") else f"{message}; see {path} --help"
        case click.ClickException():
            return error.format_message()
        case UserError():
            return str(error)
        case OSError() if error.errno not in (errno.ENOMEM, errno.EAGAIN):
            place = "a file or the output cannot be written or read"
            if error.filename is not None:
                name = str(error.filename)
                place = f"cannot use {name if len(name) <= 80 else f'{name[:80]}...'}"
            return f"{place}: {error.strerror or error}"
    # DuckDB and threads have no class of ours for this.
    is_out_of_memory = isinstance(error, MemoryError | OSError) or type(error).__name__ == "OutOfMemoryException"
    return NO_MEMORY if is_out_of_memory or str(error) == "can't start new thread" else None


@contextmanager
def damaged_runs_explained(*runs: Path) -> Iterator[None]:
    """Blame a crash on a damaged run, if there is one."""
    try:
        yield
    except Exception as error:
        if sentence_about(error) is not None:
            raise
        from ttr_sim.run.read import check_files, check_plan, open_run

        for run in runs:
            opened = open_run(run)
            faults = check_files(opened, 1) or [problem.message for problem in check_plan(opened)]
            if faults:
                audit = command_line("audit", run)
                raise UserError(f"{run} cannot be read ({faults[0]}); see all that is wrong with: {audit}") from error
        raise


@contextmanager
def continued_by(message: str) -> Iterator[None]:
    """Explain at Ctrl-C, while playing or analyzing, how to continue."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(message) from None
