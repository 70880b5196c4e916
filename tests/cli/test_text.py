"""Sentences on a terminal of any width, and the commands in them."""

from __future__ import annotations

import pytest

from ttr_sim.cli.output import bullet, paragraph
from ttr_sim.errors import CALLED_AS, command_line


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")


def test_sentences_keep_to_the_width() -> None:
    lines = bullet("A well-known sentence that is longer than the terminal is wide. " * 3).splitlines()
    assert max(map(len, lines)) <= 40
    assert [line[:2] for line in lines] == ["- ", *["  "] * (len(lines) - 1)]


@pytest.mark.parametrize("called_as", [None, "../a-checkout/scripts/ttr-sim"])
def test_commands_are_never_broken(called_as: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if called_as:
        monkeypatch.setenv(CALLED_AS, called_as)
    command = command_line("run", "--resume", "my runs/usa-4p-1a2b3c4d")
    for sentence in (
        f"To go on with a run that was interrupted: {command}",
        f"It is not finished; go on with: {command}; what is finished is kept",
        f"It is not finished, and `{command}` goes on with it.",
    ):
        lines = paragraph(sentence).splitlines()
        assert any(command in line for line in lines)
        assert " ".join(lines) == sentence


def test_letters_that_glue_are_only_glue() -> None:
    assert paragraph("Saint\u00a0Louis and Saint\u2011Malo") == "Saint\u00a0Louis and Saint\u2011Malo"
