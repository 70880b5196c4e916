"""Run in the mutated copy: switch on each wrong rule, and expect tests and referee to catch it."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from scripts.tools.command import FINDINGS, FINE
from scripts.tools.mutate.catalog import OFFERED, UNOFFERED, WrongRule, wrong_rules
from tests.legal_choices import compare_choices
from tests.mixed_editions import mixed_edition
from tests.played_runs import play_run
from ttr_sim.balance.edits import edited, points_edit
from ttr_sim.edition import load_edition
from ttr_sim.engine.stepping import IllegalChoiceError
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import audit, batches_of

GAMES = 12
BOTS = {OFFERED: ("random", "racer"), UNOFFERED: (f"{Path(__file__).with_name('unoffered.py')}:unoffered",)}
MIXED = "mixed-"
WRONG_RULE: Any = importlib.import_module("ttr_sim.engine.wrong_rule")


def switch_to(number: int) -> None:
    """Switch one wrong rule on, 0 for none, here and in worker processes to come."""
    WRONG_RULE.SWITCH[0] = number
    os.environ[WRONG_RULE.VARIABLE] = str(number)


class UnitTests:
    """A plugin for pytest: instead of each test once, it runs each wrong rule's test with the rule switched on."""

    def __init__(self, rules: Sequence[WrongRule]) -> None:
        self.rules = rules
        self.escapes: list[str] = []

    def pytest_runtestloop(self, session: Any) -> bool:
        cases: dict[str, list[Any]] = defaultdict(list)
        for item in session.items:
            cases[item.nodeid.removeprefix("tests/engine/").partition("[")[0]].append(item)
        for rule in self.rules:
            if not cases[rule.test]:
                self.escapes.append(f"{rule.name}: there is no test {rule.test}")
            elif any(map(fails, cases[rule.test])):
                self.escapes.append(f"{rule.name}: {rule.test} fails without it")
            else:
                switch_to(rule.number)
                if not any(map(fails, cases[rule.test])):
                    self.escapes.append(f"{rule.name}: {rule.test} passes with it")
                switch_to(0)
        return True


def fails(case: Any) -> bool:
    return any(report.failed for report in runtestprotocol(case, log=False, nextitem=None))


def hunt_in_tests(rules: Sequence[WrongRule]) -> list[str]:
    """Run the tests that the rules name, in one process."""
    plugin = UnitTests(rules)
    files = sorted({f"tests/engine/{rule.test.partition('::')[0]}" for rule in rules})
    pytest.main(["-q", "-p", "no:cacheprovider", *files], plugins=[plugin])
    return plugin.escapes


def hunt_in_logs(rules: Sequence[WrongRule]) -> list[str]:
    """Play with each rule, and audit what was played."""
    escapes = []
    for rule in rules:
        if rule.run:
            switch_to(rule.number)
            if not is_shown(rule.run, rule.by):
                escapes.append(f"{rule.name}: the referee finds nothing in {' '.join(rule.run)}")
            switch_to(0)
    for run, by in sorted({(rule.run, rule.by) for rule in rules if rule.run}):
        if is_shown(run, by):
            escapes.append(f"no wrong rule: the referee complains of {' '.join(run)} ({by})")
    return escapes


def is_shown(words: tuple[str, ...], by: str) -> bool:
    """Check that a run of this edition, players and settings breaks off or has findings."""
    edition, players, *settings = words
    with tempfile.TemporaryDirectory() as folder:
        try:
            played = edition_of(edition, Path(folder) / "edition")
            run = play_run(Path(folder) / "run", played, int(players), BOTS[by], GAMES, settings=tuple(settings))
            if audit(run.path, batches_of(run.path, None), lambda games: None).violations:
                return True
            return bool(compare_choices(run))
        except (UserError, IllegalChoiceError):
            return True  # the engine refuses what it offers


def edition_of(name: str, folder: Path) -> str | Path:
    """Name of an official edition, or the folder of `mixed-7` or of `europe:0` (every ticket worth nothing)."""
    if name.startswith(MIXED):
        return mixed_edition(int(name.removeprefix(MIXED)), folder)
    official, _, points = name.partition(":")
    if not points:
        return official
    edition = load_edition(official)
    return edited(edition, [points_edit(row, int(points)) for row in range(len(edition.tickets))], folder).folder


def main(names: Sequence[str]) -> int:
    rules = [rule for rule in wrong_rules() if not names or rule.name in names]
    began = time.monotonic()
    escapes = hunt_in_tests(rules)
    print(f"{len(rules)} wrong rules against their unit tests ({time.monotonic() - began:.0f} s)", flush=True)
    began = time.monotonic()
    shown = [rule for rule in rules if rule.run]
    escapes += hunt_in_logs(shown)
    print(f"{len(shown)} wrong rules against the referee ({time.monotonic() - began:.0f} s)")
    for escape in escapes:
        print(escape)
    print(f"{len(escapes)} escaped" if escapes else "every one is caught")
    return FINDINGS if escapes else FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
