"""Runs that released versions wrote are read, audited, reported and compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.edition import load_edition
from ttr_sim.run.opened import open_run

RELEASED = Path(__file__).parent / "released"
Command = Callable[..., Outcome]


@pytest.mark.parametrize("version", [folder.name for folder in sorted(RELEASED.iterdir())])
def test_a_released_version_s_run_is_readable(command: Command, version: str, tmp_path: Path) -> None:
    run = RELEASED / version
    opened = open_run(run)
    opened.check()
    assert opened.record.versions["ttr-sim"] == version
    assert len(opened.seats()) == 2 * opened.record.size.games
    assert opened.edition.fingerprint == load_edition(run / "edition").fingerprint != opened.plan.fingerprint

    audited = command("audit", run, "-q", "--json")
    found = json.loads(audited.out)
    assert (audited.code, found["violations"], found["digest_ok"], found["replayed"]) == (0, [], True, 0)
    assert command("report", run, "--out", tmp_path / "report").code == 0
    assert command("compare", run, run, "--out", tmp_path / "compare").code == 0
    assert command("replay", run, 0).code == 0
