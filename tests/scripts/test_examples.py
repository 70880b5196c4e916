"""README and tutorial show what their commands print, and the commands work in the order of the text."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from scripts.tools.examples import PAGES, PICTURE, STEP, main
from scripts.tools.reference import write_reference
from tests.conftest import Command

TEXTS = {name: page.read_text(encoding="utf-8") for name, page in PAGES.items()}


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


def test_commands_that_the_readme_does_not_run_work_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    steps = [step["text"] for step in STEP.finditer(TEXTS["readme"]) if (step["what"] or "").startswith("not run")]
    for line in "".join(steps).splitlines():
        _, *words = shlex.split(line, comments=True)
        if words[0] in ("study", "watch", "balance"):  # these play for minutes, or do not end
            words.append("--help")
        assert command(*words).code == 0, line
    assert (tmp_path / "my-map/edition.toml").is_file()


def test_generated_tables_of_the_docs_are_up_to_date() -> None:
    assert write_reference(["--check"]) == 0, "run scripts/reference"
    assert write_reference(["--chek"]) == 2
