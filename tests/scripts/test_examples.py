"""README and tutorial show what their commands print, and the commands work in the order of the text."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.tools import readme, tutorial
from scripts.tools.checkout import ROOT
from scripts.tools.reference import write_reference

README = readme.README.read_text(encoding="utf-8")
TUTORIAL = tutorial.TUTORIAL.read_text(encoding="utf-8")
MOST_GAMES = 300  # where the README plays more

SMALL_README = """\
```python
# my_bots.py
```
```
scripts/ttr-sim editions
scripts/ttr-sim new my-map --from usa
```
```python
import pathlib

print(len(pathlib.Path("my-map/routes.csv").read_text().splitlines()))
```
<!-- output of: new my-map, the python -->
```
old
```
<!-- output of: editions; slow -->
```
minutes
```
"""
SMALL_TUTORIAL = """\
<!-- file: cities.csv -->
```csv
name,x,y
A,0,0
```
<!-- edit: cities.csv: A,0 -> B,0 -->

```
ttr-sim editions
```
<!-- output; lines: amsterdam -->
```
old
```
<!-- not run: it does not end -->
```
ttr-sim nonsense
```
"""


def test_every_block_of_the_readme_says_what_makes_it() -> None:
    outputs = [block for block in readme.fences(README, "") if not block.startswith(("scripts/", "eval "))]
    assert outputs and set(outputs) == {found[2] for found in readme.EXAMPLE.finditer(README)}
    said = " ".join(readme.commands(README))
    assert all(word in said for word in ("study", "new", "check", "compare", "run", "audit"))


def test_points_and_paragraphs_of_an_output_are_picked_by_their_words() -> None:
    printed = "USA\n- One is\n  here.\n- Two.\n- Three.\n\nreports/usa\n"
    assert readme.only(printed, ("One is here", "Three")) == "- One is here.\n- [...] Three."
    with pytest.raises(SystemExit, match="no point with Four"):
        readme.only(printed, ("One", "Four"))
    assert readme.paragraph("in 2 s\n\nbot  wins\nmine  2\n\ndigest", "bot") == "bot  wins\nmine  2"
    with pytest.raises(SystemExit, match='2 paragraphs of the output contain "bot"'):
        readme.paragraph("2 bots\n\nbot  wins\n\ndigest", "bot")


def test_outputs_are_those_of_the_commands_and_of_the_code_above(tmp_path: Path) -> None:
    renewed = SMALL_README.replace("old", "101")  # the board has 100 routes and a heading
    assert readme.renewed(SMALL_README, quick=True) == renewed
    text = SMALL_README.replace("of: editions", "of: audit")
    with pytest.raises(SystemExit, match="0 commands of the README begin"):
        readme.Workshop(text, tmp_path).output([*readme.examples(text)][-1])


@pytest.mark.slow
def test_quick_examples_of_the_readme_are_up_to_date() -> None:
    assert readme.main(["--check", "--quick"]) == 0, "run scripts/readme"


@pytest.mark.slow
def test_every_command_works_in_the_order_of_the_readme(tmp_path: Path) -> None:
    readme.write_the_bot(README, tmp_path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for line in readme.commands(README):
        script, *words = shlex.split(line)
        if line.startswith("eval "):
            shell = "zsh" if "zsh" in line else "bash"
            call = [shell, "-c", line] if shutil.which(shell) else ["true"]
        elif script == "scripts/ttr-sim":
            if "--games" in words:
                place = words.index("--games") + 1
                words[place] = str(min(int(words[place]), MOST_GAMES))
            elif words[0] in ("study", "compare"):
                words += ["--games", str(MOST_GAMES)]
            call = [sys.executable, "-m", "ttr_sim", *words]
        else:
            assert os.access(ROOT / script, os.X_OK)
            call = [str(ROOT / script), *words, "--help"] if script != "scripts/test" else ["true"]
        environment = {**os.environ, "PATH": path}
        done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    written = ("reports/usa/index.html", "reports/usa/tables/ticket_value.csv", "runs/mine/run.json")
    assert all((tmp_path / name).is_file() for name in written)


def test_every_block_of_the_tutorial_is_run_written_or_shown() -> None:
    steps = [*tutorial.STEP.finditer(TUTORIAL)]
    fences = re.findall(r"^```\w*$", TUTORIAL, re.MULTILINE)
    assert len(fences) == 2 * sum(step["text"] is not None for step in steps)
    kinds = {(step["what"] or "run").partition(";")[0].partition(":")[0] for step in steps}
    assert kinds == {"run", "file", "edit", "output", "not run"}
    assert sorted(tutorial.pictures(TUTORIAL)) == sorted(file.name for file in tutorial.PICTURES.iterdir())


def test_a_walk_writes_edits_runs_and_shows(tmp_path: Path) -> None:
    new = tutorial.walked(SMALL_TUTORIAL, tmp_path)
    assert (tmp_path / "cities.csv").read_text("utf-8") == "name,x,y\nB,0,0\n"
    assert re.search(r"lines: amsterdam -->\n```\namsterdam .*\n```\n<!-- not run", new)
    for text in ("<!-- edit: cities.csv: y, -> z -->\n\n", "```\nttr-sim nonsense\n```\n"):
        with pytest.raises(SystemExit, match="Error: "):
            tutorial.walked(text.replace("y,", "no such text"), tmp_path)


@pytest.mark.slow
def test_the_tutorial_shows_what_its_commands_print() -> None:
    assert tutorial.main(["--check"]) == 0


def test_generated_tables_of_the_docs_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert write_reference(["--check"]) == 0, "run scripts/reference"
    assert write_reference(["--chek"]) == 2
