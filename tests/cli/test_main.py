"""The command line as a whole: help, exit codes, wrong use, completion, progress, and output that cannot be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from tests.conftest import Command
from ttr_sim import __version__
from ttr_sim.cli import main, output
from ttr_sim.cli.main import COMMANDS, CRASHED, INTERRUPTED, PIPE_CLOSED, WRONG_USE
from ttr_sim.cli.output import Progress, paragraph
from ttr_sim.errors import CALLED_AS, UserError, command_line

TTR_SIM = f"{sys.executable} -m ttr_sim"
HEAVY = {"numpy", "pandas", "numba", "pyarrow", "duckdb", "matplotlib", "scipy", "networkx", "rich", "jinja2", "joblib"}
needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
RUN = "run usa --players 2 --bots random"


def shell(line: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["bash", "-c", line], capture_output=True, check=False)


def test_every_command_is_listed_and_has_help_with_an_example(command: Command) -> None:
    listed = command("--help").out
    assert command("help").out == listed
    for name, help_line in COMMANDS.items():
        assert name in listed and help_line in listed
        outcome = command(name, "--help")
        assert (outcome.code, command("help", name).out) == (0, outcome.out)
        assert outcome.out.startswith(f"Usage: ttr-sim {name}")
        assert f"ttr-sim {name} " in outcome.out.split("Usage:")[1].split("\n", 1)[1], "an example is missing"


@pytest.mark.parametrize(
    ("raised", "code", "last"),
    [
        (UserError("no such thing"), WRONG_USE, "Error: no such thing"),
        (KeyboardInterrupt(), INTERRUPTED, "Interrupted."),
        (click.ClickException("not now"), WRONG_USE, "Error: not now"),
        (OSError(28, "No space left on device", "/far/page.html"), WRONG_USE, "/far/page.html: No space"),
        (MemoryError(), WRONG_USE, "not enough memory"),
        (OSError(12, "Cannot allocate memory"), WRONG_USE, "not enough memory"),
        (RuntimeError("can't start new thread"), WRONG_USE, "not enough memory"),
        (ZeroDivisionError("division by zero"), CRASHED, "a bug in ttr-sim; please report"),
        (AssertionError(), CRASHED, "a bug in ttr-sim; please report"),
    ],
)
def test_exit_codes(
    command: Command, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, last: str
) -> None:
    @click.command()
    def failing() -> None:
        raise raised

    monkeypatch.setattr(main, "import_module", lambda name: SimpleNamespace(bots_command=failing))
    outcome = command("bots")
    assert outcome.code == code
    assert last in outcome.err.splitlines()[-1]
    assert ("Traceback" in outcome.err) == (code == CRASHED)


def test_help_loads_nothing_heavy() -> None:
    """This is what keeps `--help` under 0.3 seconds."""
    code = (
        "import sys; from ttr_sim.cli.main import cli; "
        "cli(['--help'], standalone_mode=False); "
        f"sys.exit(', '.join(sorted({HEAVY!r} & set(sys.modules))) or 0)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_the_module_is_the_command_and_prints_names_in_any_encoding() -> None:
    assert shell(f"{TTR_SIM} --version").stdout.decode() == f"ttr-sim, version {__version__}\n"
    ended = shell(f"PYTHONIOENCODING=koi8-r {TTR_SIM} show germany")
    assert ended.returncode == 0
    assert rb"D\xfcsseldorf" in ended.stdout


def test_completion_knows_commands_editions_bots_and_runs(home: Path) -> None:
    def completed(typed: str) -> list[str]:
        words = typed.split(" ")
        shell = {"COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1), "_TTR_SIM_COMPLETE": "bash_complete"}
        call = [sys.executable, "-m", "ttr_sim"]
        ended = subprocess.run(call, capture_output=True, text=True, env=shell, check=False)
        return ended.stdout.splitlines()

    Path("my_bots.py").write_text("")
    Path("runs/usa-2p-0a1b2c3d").mkdir(parents=True)
    Path("runs/usa-2p-0a1b2c3d/run.json").write_text("{}")
    assert completed("ttr-sim ch") == ["plain,check"]
    for command in ("show", "run", "compare usa"):
        assert "plain,europe" in completed(f"ttr-sim {command} eu")
    assert completed("ttr-sim run usa --bots pl") == ["plain,planner"]
    assert completed("ttr-sim run usa --bots planner,my") == ["plain,planner,my_bots.py:"]
    for command in ("replay", "run --resume", "compare usa"):
        assert "plain,runs/usa-2p-0a1b2c3d" in completed(f"ttr-sim {command} runs/u")


def test_commands_are_printed_as_the_program_was_called(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTR_SIM_CALLED_AS", "scripts/ttr-sim")
    assert "  scripts/ttr-sim study usa  " in command("--help").out
    assert command("bots", "--help").out.startswith("Usage: scripts/ttr-sim bots")
    assert "Example: scripts/ttr-sim bots planner" in command("bots", "--help").out
    assert "try: scripts/ttr-sim run usa --players 2; see scripts/ttr-sim run --help" in command("run").err


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("editions > /dev/full", marks=needs_full_disk),
        pytest.param("--help > /dev/full", marks=needs_full_disk),
        "editions >&-",
    ],
)
def test_output_that_cannot_be_written_is_one_sentence(line: str) -> None:
    ended = shell(f"{TTR_SIM} {line}")
    assert ended.returncode == WRONG_USE
    assert ended.stderr.startswith(b"Error: ") and ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", ["show germany --json", "editions", "--help", "bots --help"])
def test_a_closed_pipe_ends_silently(words: str) -> None:
    ended = shell(f"{TTR_SIM} {words} | true; exit ${{PIPESTATUS[0]}}")
    # A short output may be written before the other end is closed. The first one is larger than a pipe.
    assert ended.returncode == PIPE_CLOSED or (ended.returncode == 0 and "germany" not in words)
    assert ended.stderr == b""


@needs_full_disk
def test_messages_that_cannot_be_written_fail_without_a_traceback() -> None:
    ended = shell(f"{TTR_SIM} chek 2> /dev/full")
    assert (ended.returncode, ended.stdout) == (WRONG_USE, b"")


def test_names_that_are_not_utf8_are_refused() -> None:
    ended = subprocess.run([sys.executable, "-m", "ttr_sim", "check", b"caf\xe9"], capture_output=True, check=False)
    assert ended.returncode == WRONG_USE
    assert b"is not UTF-8" in ended.stderr and ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize("columns", [60, 80, 300])
def test_commands_obey_the_width(command: Command, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    longest = max(map(len, command("bots").out.splitlines()))
    assert min(columns, 100) - 15 < longest <= min(columns, 100)


@pytest.mark.parametrize("called_as", ["", "../a-checkout/scripts/ttr-sim"])
def test_commands_are_never_broken(called_as: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv(CALLED_AS, called_as)
    command = command_line("run", "--resume", "my runs/usa-4p-1a2b3c4d")
    for sentence in (
        f"To go on with a run that was interrupted: {command}",
        f"It is not finished; go on with: {command}; what is finished is kept",
        f"It is not finished, and `{command}` goes on with it.",
    ):
        lines = paragraph(sentence).splitlines()
        assert any(command in line for line in lines)
        assert " ".join(lines) == sentence
    assert paragraph("Saint\u00a0Louis and Saint\u2011Malo") == "Saint\u00a0Louis and Saint\u2011Malo"


Capture = pytest.CaptureFixture[str]


def test_lines_where_there_is_no_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "SECONDS_BETWEEN_LINES", 0.0)
    quiet = Progress(quiet=True)
    with quiet.wait("compiling"), quiet.count(10) as show:
        quiet.note("hello")
        show(5)
    assert capsys.readouterr() == ("", "")
    with Progress().count(2_000, done=500) as show:
        show(1_000)
        show(900)
    second, third = capsys.readouterr().err.splitlines()
    assert second.startswith("1,000 of 2,000 games, ") and second.endswith(" s left")
    assert third.startswith("1,000 of 2,000 games, "), "the count never goes back"
    with Progress().count(10) as show:
        show(0, 41)
    assert capsys.readouterr().err == "0 of 10 games, 0.00 per second, now at turn 41\n"


def test_a_bar_and_a_spinner_on_a_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with Progress().wait("compiling"):
        assert capsys.readouterr() == ("", "compiling\n")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress(unit="parts").count(2_000) as show:
        show(1_000)
    assert "1,000 of 2,000 parts" in capsys.readouterr().err
    with Progress().wait("compiling"):
        pass
    shown = capsys.readouterr().err
    assert "compiling" in shown and "0:00:00" in shown


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("chek", 'there is no command "chek" (did you mean "check"?); see ttr-sim --help'),
        ("check", "Missing argument 'FOLDER'; see ttr-sim check --help"),
        ("editions --jsn", "No such option '--jsn'. Did you mean '--json'? See ttr-sim editions --help"),
        ("export usa", "Missing option '--to'. Choose from: editor; see ttr-sim export --help"),
        ("replay run abc", "Invalid value for 'GAME': 'abc' is not a whole number; see ttr-sim replay"),
        ("study --seed 1.5", "Invalid value for '--seed': '1.5' is not a whole number; see ttr-sim"),
        ("show uss", 'there is no edition or folder "uss" (did you mean "usa"?)'),
        ("show --out board.svg", "--out draws a board; name its EDITION; see ttr-sim show --help"),
        ("show usa --out board.pdf", "the file name must end in .png or .svg"),
        ("show usa --out nowhere/board.svg", "there is no folder"),
        ("bots --check planner", '"planner" is not a file of bots, whose name ends in .py, as in my_bots.py'),
        ("bots plannr", 'there is no style "plannr" (did you mean "planner"?); to list them: ttr-sim bots'),
        ("bots planner --check my_bots.py", "--check is about the bots of a file; omit planner"),
        ("new my-map", "give either --from EDITION or --empty"),
        ("new my-map --from missing.csv", "there is no such file"),
        ("new my-map --from europ", 'there is no edition or folder "europ" (did you mean "europe"?)'),
        ("new my-map --from usa --from europe", "--from europe: usa is already an edition, and only one can bring"),
        ("run usa", "--players is missing"),
        ("run", "EDITION is missing"),
        ("run atlantis --players 2", 'no edition or folder "atlantis"'),
        ("run usa --players 9", "2 to 5 players, not 9"),
        ("run usa --players 2 --bots rndom", 'did you mean "random"'),
        ("run usa --players 2 --bots random,,racer", "a name is missing"),
        (f"{RUN} --games 0", "not 0 (--games)"),
        (f"{RUN} --games 1000000000000", "from 1 to 100,000,000 games"),
        (f"{RUN} --seed -3", "not -3 (--seed)"),
        (f"{RUN} --jobs 0", "--jobs"),
        (f"{RUN} --set trains", "give a key and a value"),
        (f"{RUN} --set trains=a", "is not a TOML value"),
        (f'{RUN} --set trains="many"', "must be a whole number"),
        (f"{RUN} --set tains=4", 'did you mean "trains"'),
        (f"{RUN} --set trains=4 --set trains=5", "given twice"),
        ("run --resume nowhere", "there is no run in nowhere"),
        ("run --resume . --seed 3 --players 5", "omit --players, --seed"),
        ("study amsterdamm", 'did you mean "amsterdam"'),
        ("study amsterdam --players 5", "not 5"),
        ("study usa europe --watch", "follows one EDITION"),
        ("study usa --watch --json --check", "omit --fail, --json"),
        ("study usa --fail odd", "'missed', 'open'"),
        ("watch nowhere", "no edition or folder"),
        ("watch usa europe", "unexpected extra argument (europe); see ttr-sim watch --help"),
        ("open", "there is no report in reports yet; to write one: ttr-sim study usa"),
        ("open usa nowhere", "there is no report on usa yet; to write one: ttr-sim study usa"),
        ("help stdy", 'there is no command "stdy" (did you mean "study"?)'),
        ("runs runs", 'there is no folder "runs"; name one that holds runs'),
        ("report nowhere -q", "there is no run in nowhere (no run.json)"),
        ("audit nowhere", "there is no run in nowhere (no run.json); to list your runs: ttr-sim runs"),
        ("compare usa .", "neither a run"),
        ("compare usa europe --least -1", "--least"),
        ("balance usa --lock Miami–Seatle", 'the lock "Miami–Seatle" is neither a deck nor the two ends'),
        ("balance usa --allow tickets,towns", '--allow knows tickets, lengths, colors, doubles, not "towns"'),
        ("balance usa --margin x", "Invalid value for '--margin': 'x' is not a number; see ttr-sim balance"),
        ("balance usa --margin 0.1", "--margin"),
        ("balance usa --players 9", "is for 2 to 5 players"),
    ],
)
def test_wrong_use_is_one_sentence(command: Command, home: Path, line: str, sentence: str) -> None:
    done = command(*line.split())
    assert (done.code, done.out) == (WRONG_USE, "")
    assert done.err.startswith("Error: ") and done.err.count("\n") == 1
    assert sentence in done.err
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("name", ["a" * 256, "ä" * 200, "a/" * 3000])
@pytest.mark.parametrize("line", ["check NAME", "report NAME", "audit NAME", "replay NAME 0", "new --from usa NAME"])
def test_names_that_no_disk_can_hold_are_refused(command: Command, line: str, name: str) -> None:
    done = command(*(name if word == "NAME" else word for word in line.split()))
    assert (done.code, done.out) == (WRONG_USE, "")
    assert done.err.splitlines()[-1].startswith("Error: ")


@pytest.mark.parametrize(
    ("line", "place", "sentence"),
    [
        ("study amsterdam --out taken", "taken", "taken is a file"),
        ("export usa --to editor --out taken", "taken", "taken already exists and is not overwritten"),
        ("export usa --to editor --out taken/out", "taken", "cannot be written"),
        ("new taken/map --from usa", "taken", "cannot be written"),
        ("new taken --from usa", "taken", "already exists and is not overwritten"),
        ("new taken --from usa", "taken/cities.csv", "already exists and is not overwritten"),
        ("new map --from notes.txt", "notes.txt", "not an edition, nor a .csv or .xlsx file, nor a folder of them"),
        ("show usa --out board.svg", "board.svg/file", "this is a folder, not a file"),
        ("check taken", "taken", "taken is a file; give the folder it is in"),
        ("runs taken", "taken", "taken is a file; give the folder it is in"),
        ("study amsterdam --players 2 --out mine", "mine/index.html", "--force"),
        ("study amsterdam usa --players 2 --out mine", "mine/usa/index.html", "--force"),
        ("compare amsterdam usa --players 2 --out mine", "mine/index.html", "--force"),
        ("balance amsterdam --players 2", "reports/amsterdam-balanced-changes/index.html", "--force"),
        ("show amsterdam --out board.svg", "board.svg", "--force"),
    ],
)
def test_no_file_of_the_user_is_replaced(command: Command, line: str, place: str, sentence: str) -> None:
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    Path(place).write_text("mine", "utf-8")
    done = command(*line.split())
    assert (done.code, done.out) == (WRONG_USE, "")
    assert sentence in done.err and done.err.count("\n") == 1
    assert Path(place).read_text("utf-8") == "mine"
    assert not Path("runs").exists()
