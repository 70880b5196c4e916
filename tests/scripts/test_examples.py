"""README and tutorial show what their commands print, and the commands work in the order of the text."""

from __future__ import annotations

import os
import re
import shlex
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


def test_every_block_of_the_readme_says_what_makes_it() -> None:
    outputs = [block for block in readme.fences(README) if not block.startswith(("scripts/", readme.PROGRAM))]
    assert outputs and set(outputs) == {found[2] for found in readme.EXAMPLE.finditer(README)}
    said = " ".join(readme.commands(README))
    assert all(word in said for word in ("study", "balance", "new", "check", "watch"))
    assert len(README.encode()) <= 8_000


@pytest.mark.slow
def test_the_readme_shows_what_its_commands_print() -> None:
    assert readme.main(["--check"]) == 0, "run scripts/readme"


@pytest.mark.slow
def test_every_command_works_in_the_order_of_the_readme(tmp_path: Path) -> None:
    for line in readme.commands(README):
        script, *words = shlex.split(line)
        if script not in ("ttr-sim", "scripts/ttr-sim"):
            assert os.access(ROOT / script, os.X_OK)
            continue
        if words[0] in ("watch", "balance"):  # one does not end, the other plays for minutes
            words.append("--help")
        elif words[0] in ("study", "compare"):
            words += ["--games", str(MOST_GAMES)]
        call = [sys.executable, "-m", "ttr_sim", *words]
        done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    written = ("reports/usa/index.html", "reports/usa/tables/ticket_value.csv", "my-map/edition.toml")
    assert all((tmp_path / name).is_file() for name in written)


def test_every_block_of_the_tutorial_is_run_written_or_shown() -> None:
    steps = [*tutorial.STEP.finditer(TUTORIAL)]
    fences = re.findall(r"^```\w*$", TUTORIAL, re.MULTILINE)
    assert len(fences) == 2 * sum(step["text"] is not None for step in steps)
    kinds = {(step["what"] or "run").partition(";")[0].partition(":")[0] for step in steps}
    assert kinds == {"run", "file", "edit", "output", "not run"}
    assert sorted(tutorial.pictures(TUTORIAL)) == sorted(file.name for file in tutorial.PICTURES.iterdir())


@pytest.mark.slow
def test_the_tutorial_shows_what_its_commands_print() -> None:
    assert tutorial.main(["--check"]) == 0


def test_generated_tables_of_the_docs_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert write_reference(["--check"]) == 0, "run scripts/reference"
    assert write_reference(["--chek"]) == 2
