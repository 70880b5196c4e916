"""The page about the board before anyone plays says what is measured."""

from __future__ import annotations

from scripts.tools.statics_table import main


def test_page_is_up_to_date() -> None:
    assert main(["--check"]) == 0, "run scripts/statics-table"


def test_wrong_use() -> None:
    assert main(["--chek"]) == 2
