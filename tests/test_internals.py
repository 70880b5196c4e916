"""docs/internals.md names files and functions that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "internals.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.(?:py|md))(?:: (\w+))?`", TEXT)))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_file_and_name_exist(file: str, name: str) -> None:
    path = next((base / file for base in (ROOT / "ttr_sim", ROOT) if (base / file).is_file()), None)
    assert path is not None
    assert not name or name in names_in(path)


def names_in(path: Path) -> set[str]:
    """What a module defines or imports at its top level."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        else:
            names |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names


def test_every_room_is_walked_through() -> None:
    rooms = {path.name for path in (ROOT / "ttr_sim").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert {file.split("/")[0] for file, _ in NAMED} >= rooms
