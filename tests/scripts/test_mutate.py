"""The catalog of wrong rules fits the engine and the tests as they are; `scripts/mutate` itself runs in .ci/run."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from scripts.tools.mutate.catalog import OFFERED, UNOFFERED, WrongRule, wrong_rules
from scripts.tools.mutate.sources import IMPORT, by_file, place_of, source, with_switches
from ttr_sim.edition import official_names

ENGINE_TESTS = Path(__file__).parents[1] / "engine"
RULES = wrong_rules()


def test_there_are_many_with_a_name_each() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) >= 200


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_fits_its_function_names_an_engine_test_and_what_the_referee_sees(rule: WrongRule) -> None:
    assert rule.right != rule.wrong
    assert place_of(source(rule.file), rule).end > 0
    file, _, name = rule.test.partition("::")
    tests = ast.parse((ENGINE_TESTS / file).read_text(encoding="utf-8")).body
    assert name in {node.name for node in tests if isinstance(node, ast.FunctionDef)}
    assert bool(rule.run) != bool(rule.no_log)
    assert rule.by in (OFFERED, UNOFFERED)
    assert not rule.run or rule.run[0].partition(":")[0] in official_names() or rule.run[0].startswith("mixed-")


@pytest.mark.parametrize(("file", "rules"), by_file(RULES), ids=lambda case: case if isinstance(case, str) else "")
def test_switched_sources_are_python(file: str, rules: list[WrongRule]) -> None:
    text = with_switches(source(file), rules)
    ast.parse(text)
    assert all(f"is_wrong({rule.number})" in text for rule in rules)


@pytest.mark.parametrize(("switch", "smallest"), [(0, 2), (1, 3), (2, 7), (3, 4)])
def test_a_number_switches_one_wrong_rule_on(switch: int, smallest: int) -> None:
    """The smallest number that a little function finds large: wrong in a line of it, or in a part in two ways."""
    text = "\nfrom ttr_sim import errors\n\n\ndef is_large(a):\n    a += 1\n    return a > 2\n"
    rules = [
        WrongRule(1, "line", "", "is_large", "a += 1", "pass", ""),
        WrongRule(2, "part", "", "is_large", "a > 2", "a > 7", ""),
        WrongRule(3, "same part", "", "is_large", "a > 2", "a > 4", ""),
    ]
    names: dict[str, Any] = {"is_wrong": lambda number: number == switch}
    exec(with_switches(text, rules).replace(IMPORT, ""), names)
    assert next(number for number in range(9) if names["is_large"](number)) == smallest
