"""What every room's tests may use."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import settings

from ttr_sim.cli.main import main

# The same examples every time, and no test fails because the machine is busy.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What `--json` printed."""
        return json.loads(self.out)


Command = Callable[..., Outcome]


def ended(words: Sequence[object]) -> int:
    """Run a command line in this process to its end."""
    with pytest.raises(SystemExit) as leaving:
        main([str(word) for word in words])
    code = leaving.value.code
    return code if isinstance(code, int) else 1


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command line in this process: `command("check", folder)`."""

    def run(*words: object) -> Outcome:
        code = ended(words)
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run
