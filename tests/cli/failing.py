"""A command that fails in a given way."""

from __future__ import annotations

from types import SimpleNamespace

import click
import pytest

from ttr_sim.cli import main


def fail_with(raised: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command raise this."""

    @click.command()
    def failing() -> None:
        raise raised

    monkeypatch.setattr(main, "import_module", lambda name: SimpleNamespace(command=failing))
