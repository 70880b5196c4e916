"""Runs in the mutated copy: switches on each wrong rule and looks who catches it."""

from __future__ import annotations

import csv
import importlib
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from scripts.tools.command import FINDINGS, FINE
from scripts.tools.mutate.catalog import OFFERED, UNOFFERED, WrongRule, wrong_rules
from tests.legal_choices import compare_choices
from tests.mixed_editions import mixed_edition
from tests.played_runs import play_run
from ttr_sim.edition import load_edition
from ttr_sim.edition.write import write_folder
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


class Escape(NamedTuple):
    """A wrong rule that somebody should have caught, or a right one that somebody complains of."""

    rule: str
    message: str

    def sentence(self) -> str:
        return f"{self.rule}: {self.message}"


class UnitTests:
    """A plugin for pytest: instead of each test once, it runs each wrong rule's test with the rule switched on."""

    def __init__(self, rules: Sequence[WrongRule]) -> None:
        self.rules = rules
        self.escapes: list[Escape] = []

    def pytest_runtestloop(self, session: Any) -> bool:
        cases: dict[str, list[Any]] = defaultdict(list)
        for item in session.items:
            cases[item.nodeid.removeprefix("tests/engine/").partition("[")[0]].append(item)
        for rule in self.rules:
            self._hunt(rule, cases[rule.test])
        return True

    def _hunt(self, rule: WrongRule, cases: Sequence[Any]) -> None:
        if not cases:
            self.escapes.append(Escape(rule.name, f"there is no test {rule.test}"))
        elif any(_fails(case) for case in cases):
            self.escapes.append(Escape(rule.name, f"{rule.test} fails without it"))
        else:
            switch_to(rule.number)
            if not any(_fails(case) for case in cases):
                self.escapes.append(Escape(rule.name, f"{rule.test} passes with it"))
            switch_to(0)


def _fails(case: Any) -> bool:
    return any(report.failed for report in runtestprotocol(case, log=False, nextitem=None))


def hunt_in_tests(rules: Sequence[WrongRule]) -> list[Escape]:
    """Run the tests that the rules name, in one process."""
    plugin = UnitTests(rules)
    files = sorted({f"tests/engine/{rule.test.partition('::')[0]}" for rule in rules})
    pytest.main(["-q", "-p", "no:cacheprovider", *files], plugins=[plugin])
    return plugin.escapes


def hunt_in_logs(rules: Sequence[WrongRule]) -> list[Escape]:
    """Play with each rule, and audit what was played."""
    escapes = []
    for rule in rules:
        if rule.run:
            switch_to(rule.number)
            if not is_shown(rule.run, rule.by):
                escapes.append(Escape(rule.name, f"the referee finds nothing in {' '.join(rule.run)}"))
            switch_to(0)
    for run, by in sorted({(rule.run, rule.by) for rule in rules if rule.run}):
        if is_shown(run, by):
            escapes.append(Escape("no wrong rule", f"the referee complains of {' '.join(run)} ({by})"))
    return escapes


def is_shown(words: tuple[str, ...], by: str) -> bool:
    """Return whether a run of this edition, these players and settings breaks off or is found fault with."""
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
    """Return an official edition by its name, or the folder of `mixed-7` or `europe:0` (every ticket worth nothing)."""
    if name.startswith(MIXED):
        return mixed_edition(int(name.removeprefix(MIXED)), folder)
    official, _, points = name.partition(":")
    return with_tickets_worth(points, official, folder) if points else official


def with_tickets_worth(points: str, official: str, folder: Path) -> Path:
    write_folder(load_edition(official), folder)
    file = folder / "tickets.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [{**row, "points": points} for row in csv.DictReader(lines)]
    with file.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return folder


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
        print(escape.sentence())
    print(f"{len(escapes)} escaped" if escapes else "every one is caught")
    return FINDINGS if escapes else FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
