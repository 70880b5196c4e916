"""Every kind of planted mistake is found, and named by the rule it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from tests.referee.conftest import GamesOf
from tests.referee.mistakes import MISTAKES
from tests.referee.spoiling import Mistake
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog
from ttr_sim.referee.rulebook import Rulebook, Violation


def test_there_are_many_kinds_with_a_name_each() -> None:
    names = [mistake.name for mistake in MISTAKES]
    assert len(names) == len(set(names)) >= 80


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_planted_mistake_is_found(mistake: Mistake, games_of: GamesOf) -> None:
    rules, logs = games_of(mistake.edition)
    spoiled = list(islice(_spoiled(mistake, rules, logs), mistake.tries))
    assert spoiled, "no game had a place for this mistake"
    violations = next((found for found in (audit_game(rules, log) for log in spoiled) if _names(found, mistake)), [])
    assert violations, [violation.sentence() for violation in audit_game(rules, spoiled[0])]


def _spoiled(mistake: Mistake, rules: Rulebook, logs: list[GameLog]) -> Iterator[GameLog]:
    for log in logs:
        yield from mistake.spoil(rules, log)


def _names(violations: list[Violation], mistake: Mistake) -> bool:
    return any(violation.rule == mistake.rule for violation in violations)


@pytest.mark.parametrize("edition", ["usa", "europe", "germany", "amsterdam", "first_journey"])
def test_unspoiled_games_pass(edition: str, games_of: GamesOf) -> None:
    rules, logs = games_of(edition)
    assert [finding.sentence() for log in logs for finding in audit_game(rules, log)] == []
