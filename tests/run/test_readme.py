"""The README's examples of reading a run, run exactly as printed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parents[2]


def examples(language: str) -> list[str]:
    texts = (ROOT / "README.md").read_text(), (ROOT / "docs" / "runs.md").read_text()
    blocks = [block for text in texts for block in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)]
    return [block for block in blocks if "runs/" in block]


@pytest.fixture
def in_a_folder_with_runs(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine", "usa-4p-1a2b3c4d"):
        shutil.copytree(played, tmp_path / "runs" / name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("in_a_folder_with_runs")
@pytest.mark.parametrize("query", examples("sql"))
def test_queries_find_claims(query: str) -> None:
    with duckdb.connect() as database:
        routes = database.execute(query).fetchall()
    assert len(routes) >= 3
    assert all(claims > 0 for _, claims, _ in routes)


@pytest.mark.usefixtures("in_a_folder_with_runs")
@pytest.mark.parametrize("code", examples("python"))
def test_python_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})
