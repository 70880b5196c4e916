"""`report`: the page names what it was made from."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from tests.played_runs import play_run
from ttr_sim.cli.report import MAX_NAMED_RUNS


def test_a_page_of_many_runs_names_the_first_and_lists_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Outcome]
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = [Path(f"run-{seed}") for seed in range(MAX_NAMED_RUNS + 2)]
    for seed, run in enumerate(runs):
        play_run(run, "amsterdam", 2, ("random",), 4, seed)
    words = ["report", *map(str, runs), "--out", "page", "-q"]
    monkeypatch.setattr(sys, "argv", ["ttr-sim", *words])
    assert command(*words).code == 0
    page = Path("page", "index.html").read_text("utf-8")
    assert f"report run-0 --out page -q (and {len(runs) - 1} more runs, listed below)" in page
    assert all(f"<dd>{run}</dd>" in page for run in runs)
