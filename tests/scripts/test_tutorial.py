"""The tutorial is what its commands print, and its commands work in the order of the text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.tools.tutorial import PICTURES, STEP, TUTORIAL, Walk, main, pictures, shown, walked

TEXT = TUTORIAL.read_text(encoding="utf-8")

SMALL = """\
<!-- file: board/cities.csv -->
```csv
name,x,y
A,0,0
```
<!-- edit: board/cities.csv: A,0 -> B,0 -->

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


def test_every_block_is_run_written_or_shown() -> None:
    assert len(re.findall(r"^```\w*$", TEXT, re.MULTILINE)) == 2 * sum(
        step["text"] is not None for step in STEP.finditer(TEXT)
    )
    kinds = {(step["what"] or "run").partition(";")[0].partition(":")[0] for step in STEP.finditer(TEXT)}
    assert kinds == {"run", "file", "edit", "output", "not run"}


def test_its_pictures_are_there_and_no_others() -> None:
    assert sorted(pictures(TEXT)) == sorted(file.name for file in PICTURES.iterdir())


def test_a_walk_writes_edits_runs_and_shows(tmp_path: Path) -> None:
    (tmp_path / "board").mkdir()
    new = walked(SMALL, tmp_path)
    assert (tmp_path / "board" / "cities.csv").read_text("utf-8") == "name,x,y\nB,0,0\n"
    assert re.search(r"lines: amsterdam -->\n```\namsterdam .*\n```\n<!-- not run", new)


def test_an_edit_of_what_is_not_there_and_a_failing_command_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x", "utf-8")
    walk = Walk(tmp_path)
    for text in ("<!-- edit: a.csv: y -> z -->\n\n", "```\nttr-sim nonsense\n```\n"):
        with pytest.raises(SystemExit, match="Error: "):
            STEP.sub(walk.follow, text)


def test_a_block_shows_lines_or_points() -> None:
    assert shown("a: bad\nb: good\n", "output; lines: bad") == "a: bad\n"
    assert shown("- One.\n- Two.\n", "output; only: Two") == "- Two.\n"


@pytest.mark.slow
def test_the_tutorial_shows_what_its_commands_print() -> None:
    assert main(["--check"]) == 0
