"""Figures in the README are made by a script, and the script shows what the commands print."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tools.readme import EXAMPLE, README, Workshop, examples, fences, main, only, paragraph, renewed

TEXT = README.read_text(encoding="utf-8")


def test_every_block_of_output_says_what_makes_it() -> None:
    made = {found[2] for found in EXAMPLE.finditer(TEXT)}
    outputs = [block for block in fences(TEXT, "") if not block.startswith(("scripts/", "eval "))]
    assert outputs and set(outputs) == made


def test_points_are_picked_by_their_words_and_skipped_ones_are_shown() -> None:
    printed = "USA\n- One is\n  here.\n- Two.\n- Three.\n\nreports/usa\n"
    assert only(printed, ("One is here", "Three")) == "- One is here.\n- [...] Three."
    with pytest.raises(SystemExit, match="no point with Four"):
        only(printed, ("One", "Four"))


def test_a_paragraph_is_picked_by_its_words() -> None:
    assert paragraph("in 2 s\n\nbot  wins\nmine  2\n\ndigest", "bot") == "bot  wins\nmine  2"
    with pytest.raises(SystemExit, match='2 paragraphs of the output contain "bot"'):
        paragraph("2 bots\n\nbot  wins\n\ndigest", "bot")


SMALL = """\
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


def test_outputs_are_those_of_the_commands_and_of_the_code_above() -> None:
    assert renewed(SMALL, quick=True) == SMALL.replace("old", "101"), "the board has 100 routes and a heading"


def test_a_step_must_name_one_command(tmp_path: Path) -> None:
    text = SMALL.replace("of: editions", "of: edition")
    assert Workshop(text, tmp_path).output([*examples(text)][-1]).startswith("name")
    text = SMALL.replace("of: editions", "of: audit")
    with pytest.raises(SystemExit, match="0 commands of the README begin"):
        Workshop(text, tmp_path).output([*examples(text)][-1])


@pytest.mark.slow
def test_quick_examples_are_up_to_date() -> None:
    assert main(["--check", "--quick"]) == 0, "run scripts/readme"
