"""The generated tables of the docs are up to date."""

from __future__ import annotations

from scripts.tools.reference import write_reference


def test_tables_are_up_to_date() -> None:
    assert write_reference(["--check"]) == 0, "run scripts/reference"


def test_wrong_use() -> None:
    assert write_reference(["--chek"]) == 2
