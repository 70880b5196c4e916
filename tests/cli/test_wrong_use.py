"""Wrong use of any command: one sentence, exit code 2, and nothing is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command
from ttr_sim.cli.main import WRONG_USE

RUN = "run usa --players 2 --bots random"


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
