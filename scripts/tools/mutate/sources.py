"""A copy of the program with each wrong rule next to the right one, behind a number.

One compile serves them all: `is_wrong(7)` is true while the switch of engine/wrong_rule.py holds 7.
"""

from __future__ import annotations

import ast
import hashlib
import re
import shutil
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from scripts.tools.mutate.catalog import WrongRule

ROOT = Path(__file__).parents[3]
ENGINE = Path("ttr_sim", "engine")
LINKED = ("tests", "data", "scripts", "pyproject.toml")
SWITCH = Path(__file__).with_name("switch.py")
IMPORT = "from ttr_sim.engine.wrong_rule import is_wrong\n"


class Place(NamedTuple):
    """Start and end of a fragment in a file."""

    start: int
    end: int


def mutated_copy(folder: Path, rules: Sequence[WrongRule]) -> Path:
    """Make a copy in the folder, named by its contents and its links, so that it serves again."""
    texts = {file: with_switches(source(file), rules_of) for file, rules_of in by_file(rules)}
    digest = hashlib.sha256(SWITCH.read_bytes() + str((ROOT, sorted(texts.items()))).encode())
    for path in sorted((ROOT / "ttr_sim").rglob("*.py")):
        digest.update(path.read_bytes())
    copy = folder / f"wrong-rules-{digest.hexdigest()[:16]}"
    if not copy.exists():
        unfinished = copy.with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(ROOT / "ttr_sim", unfinished / "ttr_sim", ignore=shutil.ignore_patterns("__pycache__"))
        for name in LINKED:
            (unfinished / name).symlink_to(ROOT / name)
        shutil.copy(SWITCH, unfinished / ENGINE / "wrong_rule.py")
        for file, text in texts.items():
            (unfinished / ENGINE / file).write_text(text, encoding="utf-8")
        unfinished.rename(copy)
    return copy


def source(file: str) -> str:
    return (ROOT / ENGINE / file).read_text(encoding="utf-8")


def by_file(rules: Iterable[WrongRule]) -> list[tuple[str, list[WrongRule]]]:
    ordered = sorted(rules, key=lambda rule: rule.file)
    return [(file, list(group)) for file, group in groupby(ordered, key=lambda rule: rule.file)]


def place_of(text: str, rule: WrongRule) -> Place:
    """Find the fragment, which must stand once in its function."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    function = next((node for node in functions if node.name == rule.function), None)
    if function is None:
        raise ValueError(f"{rule.name}: no function {rule.function}")
    lines = text.splitlines(keepends=True)
    start, end = sum(map(len, lines[: function.lineno - 1])), sum(map(len, lines[: function.end_lineno]))
    count = text.count(rule.right, start, end)
    if count != 1:
        raise ValueError(f"{rule.name}: {rule.right!r} stands {count} times in {rule.file}: {rule.function}")
    at = text.index(rule.right, start)
    place = Place(at, at + len(rule.right))
    if re.match(r"\w\w", text[at - 1 : at + 1]) or re.match(r"\w\w", text[place.end - 1 : place.end + 1]):
        raise ValueError(f"{rule.name}: {rule.right!r} begins or ends within a name")
    return place


def with_switches(text: str, rules: Sequence[WrongRule]) -> str:
    """Put all wrong rules of a file next to the right ones, from the last place to the first."""
    placed = sorted(((place_of(text, rule), rule) for rule in rules), key=lambda pair: (pair[0], pair[1].number))
    later = len(text)
    for place, group in reversed([(place, list(group)) for place, group in groupby(placed, key=lambda pair: pair[0])]):
        wrong = [rule for _, rule in group]
        if place.end > later:
            raise ValueError(f"{wrong[0].name}: overlaps another wrong rule")
        later = place.start
        indent = text[text.rindex("\n", 0, place.start) + 1 : place.start]
        right = text[place.start : place.end]
        if indent.strip() or text[place.end] != "\n":  # a part of a line
            cases = "".join(f"({rule.wrong}) if is_wrong({rule.number}) else " for rule in wrong)
            both = f"({cases}({right}))"
        else:
            cases = "".join(f"if is_wrong({rule.number}):\n{indent}    {rule.wrong}\n{indent}el" for rule in wrong)
            both = f"{cases}se:\n{indent}    {right}"
        text = text[: place.start] + both + text[place.end :]
    first_import = text.index("\nfrom ttr_sim") + 1
    return text[:first_import] + IMPORT + text[first_import:]
