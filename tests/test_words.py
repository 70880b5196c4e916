"""Plain, modern American English wherever a user reads: the worst of the old phrases stay away."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.cli.main import COMMANDS

Command = Callable[..., Outcome]

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "data").glob("**/*.md")]
TEMPLATES = [path for path in (ROOT / "ttr_sim").rglob("*") if path.suffix in (".j2", ".js", ".toml")]
SOURCES = sorted((ROOT / "ttr_sim").rglob("*.py"))

STILTED = {
    r"\btells (how|what|whether|which|who|why|you|all)\b|\bonly tell\b": "shows, says, explains",
    r"\b(is|are|was) told\b": "is shown, is reported",
    r"\bsome (ten |two )?(hundred|thousand|million)\b": "thousands of",
    r"\bin so many words\b": "explicitly",
    r"\b(of|at least|only|about|play|audit) so many\b": "this many",
    r"\bmended\b": "fixed",
    r"\banother matter\b": "ignores ...",
    r"\bswallowed the deck\b": "all cards are in hands",
    r"\bcannot be said\b": "no estimate",
    r"\bbroken lines?\b": "dashed",
    r"\bthe thicker\b": "thicker lines are higher numbers",
    r"\b(put|leave|set) \S+ away\b": "omit",
    r"\bsecond reading\b": "independent implementation of the rules",
    r"\bgo(es)? on with\b": "continue, resume",
    r"\bnot?hing against the rules\b": "no rule was broken",
    r"\b(exists|stands|leads|named) already\b": "already exists",
    r"\banew\b": "again",
    r"\b(at the most|for ever|but for the|null but)\b": "at most, forever, except",
    r"\bone's own\b": "your own",
    r"\b(a|an|the) \w+s? of your own\b(?! \w)": "your own ...",
    r"\btale\b|\breckoning\b": "game, final scores",
    r"\basks? for it and\b": "needs",
    r"\b(up|down|to|after|back)wards\b": "-ward",
    r"\bstands? in (the|its) way\b": "already exists",
    r"\b(seat 0|seats 0)\b(?! is the first player)(?! begins)": "first player",
    r"\bworth telling\b": "worth mentioning",
    r"\bfought for\b": "fought over",
    r"\bshut out\b": "blocked",
}
BRITISH = (
    r"\b(colours?|centre|behaviour|favour|neighbour|licence|judgement|labelled|cancelled)|(?<!`)\bgrey"
    r"|\b(analys|optimis|normalis|minimis|maximis|summaris|recognis|organis|standardis|initialis)(e[ds]?|ing|ation)\b"
)
# Words of the map editor's files, the second spelling of gray that editions accept, and a status of Dask.
ACCEPTED = {"ttr_sim/edition/map_editor", "ttr_sim/edition/map_tables.py", "ttr_sim/run/cluster.py", "docs/editor.md"}
# `seat 0` where it means the number in the log.
OF_THE_LOG = {"docs/log.md", "docs/statistics.md", "docs/glossary.md", "ttr_sim/log.py", "ttr_sim/referee"}


def of_python(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a source file, with f-strings put together and `{}` for their values."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(getattr(part, "value", "{}")) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            yield node.lineno, node.value


def is_in(file: Path, places: set[str]) -> bool:
    return any(file.relative_to(ROOT).as_posix().startswith(place) for place in places)


def found(file: Path, texts: Iterator[tuple[int, str]]) -> Iterator[str]:
    for line, text in texts:
        plain = " ".join(text.split())
        for phrase, better in STILTED.items():
            if "seat 0" in phrase and is_in(file, OF_THE_LOG):
                continue
            if match := re.search(phrase, plain, re.IGNORECASE):
                yield f'{file.relative_to(ROOT)}:{line}: "{match[0]}"; better: {better}'
        if not is_in(file, ACCEPTED) and (match := re.search(BRITISH, plain, re.IGNORECASE)):
            yield f'{file.relative_to(ROOT)}:{line}: "{match[0]}" is not American spelling'


@pytest.mark.parametrize("file", [*PAGES, *TEMPLATES], ids=lambda file: str(file.relative_to(ROOT)))
def test_pages_and_templates(file: Path) -> None:
    assert list(found(file, enumerate(file.read_text(encoding="utf-8").split("\n\n"), start=1))) == []


def test_texts_of_the_program() -> None:
    assert [phrase for file in SOURCES for phrase in found(file, of_python(file))] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_and_a_help_of_some_words_for_every_option(command: Command, name: str) -> None:
    text = command(name, "--help").out
    assert list(found(ROOT / "ttr_sim" / "cli", iter([(0, text)]))) == []
    options = text.split("Options:\n")[1].split("\n\n")[0]
    entries = re.split(r"\n  (?=-)", "\n" + options)[1:]
    assert entries
    for entry in entries:
        words = re.sub(r"\[[^]]*\]", "", entry).split("  ", 1)[-1].split()
        assert len(words) >= 2, entry


def test_old_phrases_would_be_found() -> None:
    old = "It tells how to play some thousand games in so many words, by the second reading of them."
    assert len(list(found(ROOT / "README.md", iter([(1, old)])))) == 4
    assert list(found(ROOT / "README.md", iter([(1, "The colour of a grey route")])))
    assert not list(found(ROOT / "README.md", iter([(1, "The color of a gray route tells tickets apart.")])))


def test_the_glossary_has_the_words_that_users_read() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for word in ("first player", "too generous", "too stingy", "fought over", "blocked", "effect", "try 8"):
        assert f"| {word}" in glossary
    assert "docs/glossary.md" in (ROOT / "README.md").read_text(encoding="utf-8")
