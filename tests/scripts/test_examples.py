"""README and tutorial show what their commands print, and the commands work in the order of the text."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.tools.examples import PAGES, PICTURE, STEP, main
from scripts.tools.reference import write_reference

TEXTS = {name: page.read_text(encoding="utf-8") for name, page in PAGES.items()}
MOST_GAMES = 300  # where the README plays more


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("readme", {"run", "output", "not run"}), ("tutorial", {"run", "file", "edit", "output", "not run"})],
)
def test_every_block_is_run_written_or_shown(name: str, wanted: set[str]) -> None:
    steps = [*STEP.finditer(TEXTS[name])]
    fences = re.findall(r"^```\w*$", TEXTS[name], re.MULTILINE)
    assert len(fences) == 2 * sum(step["text"] is not None for step in steps)
    assert {(step["what"] or "run").partition(";")[0].partition(":")[0] for step in steps} == wanted


def test_the_readme_is_short_and_the_tutorial_shows_each_picture() -> None:
    assert len(TEXTS["readme"].encode()) <= 8_000
    pictures = {file.name for file in PAGES["tutorial"].with_suffix("").iterdir()}
    assert {Path(picture).name for picture in PICTURE.findall(TEXTS["tutorial"])} == pictures


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_pages_show_what_their_commands_print(name: str) -> None:
    assert main([name, "--check"]) == 0, f"run scripts/{name}"


@pytest.mark.slow
def test_every_command_works_in_the_order_of_the_readme(tmp_path: Path) -> None:
    blocks = [step["text"] for step in STEP.finditer(TEXTS["readme"]) if "output" not in (step["what"] or "")]
    for line in "".join(blocks).splitlines():
        _, *words = shlex.split(line, comments=True)
        if words[0] in ("watch", "balance"):  # one does not end, the other plays for minutes
            words.append("--help")
        elif words[0] == "study":
            words += ["--games", str(MOST_GAMES)]
        call = [sys.executable, "-m", "ttr_sim", *words]
        done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    written = ("reports/usa/index.html", "reports/usa/tables/ticket_value.csv", "my-map/edition.toml")
    assert all((tmp_path / name).is_file() for name in written)


def test_generated_tables_of_the_docs_are_up_to_date() -> None:
    assert write_reference(["--check"]) == 0, "run scripts/reference"
    assert write_reference(["--chek"]) == 2
