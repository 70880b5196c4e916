"""The page about the log says what the log holds."""

from __future__ import annotations

from scripts.tools.data_dictionary import main


def test_page_is_up_to_date() -> None:
    assert main(["--check"]) == 0, "run scripts/data-dictionary"


def test_wrong_use() -> None:
    assert main(["--chek"]) == 2
