"""The command line as a whole: help, mistyped words, exit codes, speed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from tests.cli.failing import fail_with
from tests.conftest import Outcome
from ttr_sim import __version__
from ttr_sim.cli.main import COMMANDS, INTERRUPTED, WRONG_USE, cli
from ttr_sim.errors import UserError

Command = Callable[..., Outcome]
HEAVY = (
    "numpy",
    "pandas",
    "numba",
    "pyarrow",
    "duckdb",
    "matplotlib",
    "scipy",
    "networkx",
    "rich",
    "jinja2",
    "joblib",
    "openpyxl",
)


def test_help_lists_every_command(command: Command) -> None:
    outcome = command("--help")
    assert outcome.code == 0
    for name, help_line in COMMANDS.items():
        assert name in outcome.out and help_line in outcome.out


def test_version(command: Command) -> None:
    assert command("--version").out.strip() == f"ttr-sim, version {__version__}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(command: Command, name: str) -> None:
    outcome = command(name, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: ttr-sim {name}")
    assert f"ttr-sim {name} " in outcome.out.split("Usage:")[1].split("\n", 1)[1], "an example is missing"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chek"], 'Error: there is no command "chek" (did you mean "check"?); see ttr-sim --help\n'),
        (["xyzzy"], 'Error: there is no command "xyzzy"; see ttr-sim --help\n'),
        (["check"], "Error: Missing argument 'FOLDER'; see ttr-sim check --help\n"),
        (["editions", "--jsn"], "Error: No such option '--jsn'. Did you mean '--json'? See ttr-sim editions --help\n"),
        (["export", "usa"], "Error: Missing option '--to'. Choose from: editor; see ttr-sim export --help\n"),
        (["replay", "run", "abc"], "Error: Invalid value for 'GAME': 'abc' is not a whole number; see ttr-sim replay"),
        (["study", "--seed", "1.5"], "Error: Invalid value for '--seed': '1.5' is not a whole number; see ttr-sim"),
        (
            ["balance", "usa", "--margin", "x"],
            "Error: Invalid value for '--margin': 'x' is not a number; see ttr-sim balance",
        ),
        (["show", "uss"], 'Error: there is no edition or folder "uss" (did you mean "usa"?)'),
    ],
)
def test_wrong_use_is_one_sentence(command: Command, words: list[str], sentence: str) -> None:
    outcome = command(*words)
    assert (outcome.code, outcome.out) == (WRONG_USE, "")
    assert outcome.err.startswith(sentence)
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("raised", "code", "printed"),
    [
        (UserError("no such thing"), WRONG_USE, "Error: no such thing\n"),
        (KeyboardInterrupt(), INTERRUPTED, "Interrupted.\n"),
        (click.ClickException("not now"), WRONG_USE, "Error: not now\n"),
    ],
)
def test_exit_codes(
    command: Command, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, printed: str
) -> None:
    fail_with(raised, monkeypatch)
    outcome = command("bots")
    assert outcome.code == code
    assert outcome.err.lstrip("\n") == printed


def test_help_loads_nothing_heavy() -> None:
    """This is what keeps `--help` under 0.3 seconds."""
    code = (
        "import sys; from ttr_sim.cli.main import cli; "
        "cli(['--help'], standalone_mode=False); "
        f"sys.exit(', '.join(sorted(set({HEAVY!r}) & set(sys.modules))) or 0)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_module_is_the_command() -> None:
    words = [sys.executable, "-m", "ttr_sim", "--version"]
    ended = subprocess.run(words, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == f"ttr-sim, version {__version__}"


def test_names_print_in_any_encoding() -> None:
    words = [sys.executable, "-m", "ttr_sim", "show", "germany"]
    ended = subprocess.run(words, capture_output=True, env={"PYTHONIOENCODING": "koi8-r"}, check=False)
    assert ended.returncode == 0
    assert rb"D\xfcsseldorf" in ended.stdout


def test_completion_knows_commands_editions_bots_and_runs(tmp_path: Path) -> None:
    def completed(typed: str) -> list[str]:
        words = typed.split(" ")
        shell = {"COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1), "_TTR_SIM_COMPLETE": "bash_complete"}
        call = [sys.executable, "-c", "from ttr_sim.cli.main import main; main()"]
        ended = subprocess.run(call, capture_output=True, text=True, env=shell, check=False, cwd=tmp_path)
        return ended.stdout.splitlines()

    (tmp_path / "my_bots.py").write_text("")
    (tmp_path / "runs" / "usa-2p-0a1b2c3d").mkdir(parents=True)
    (tmp_path / "runs" / "usa-2p-0a1b2c3d" / "run.json").write_text("{}")
    assert completed("ttr-sim ch") == ["plain,check"]
    for command in ("show", "run", "study", "compare usa"):
        assert "plain,europe" in completed(f"ttr-sim {command} eu")
    assert completed("ttr-sim run usa --bots pl") == ["plain,planner"]
    assert completed("ttr-sim run usa --bots planner,my") == ["plain,planner,my_bots.py:"]
    for command in ("replay", "audit", "report", "run --resume", "compare usa"):
        assert "plain,runs/usa-2p-0a1b2c3d" in completed(f"ttr-sim {command} runs/u")


def test_commands_are_printed_as_the_program_was_called(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTR_SIM_CALLED_AS", "scripts/ttr-sim")
    assert "  scripts/ttr-sim study usa  " in command("--help").out
    assert command("bots", "--help").out.startswith("Usage: scripts/ttr-sim bots")
    assert "Example: scripts/ttr-sim bots --json" in command("bots", "--help").out
    assert "try: scripts/ttr-sim run usa --players 2; see scripts/ttr-sim run --help" in command("run").err
    monkeypatch.delenv("TTR_SIM_CALLED_AS")
    assert "  ttr-sim study usa  " in command("--help").out


@pytest.mark.parametrize("columns", [60, 80, 300])
def test_the_width_of_the_terminal_is_obeyed(command: Command, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    longest = max(map(len, command("bots").out.splitlines()))
    assert min(columns, 100) - 15 < longest <= min(columns, 100)


def test_group_lists_what_it_loads() -> None:
    context = click.Context(cli)
    assert isinstance(cli, click.Group)
    assert [name for name in COMMANDS if cli.get_command(context, name) is None] == []
    assert cli.get_command(context, "xyzzy") is None
