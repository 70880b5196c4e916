"""The scripts: kebab-case names, short shells over importable tools, the same from any folder and through a link."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
SHELLS = sorted(file for file in SCRIPTS.iterdir() if file.is_file())
WITH_OPTIONS = ("audit-all", "bench", "gallery", "mutate", "people", "readme", "tune")
PAGES = ("reference",)


@pytest.mark.parametrize("script", SHELLS, ids=lambda script: script.name)
def test_is_a_short_shell(script: Path) -> None:
    lines = script.read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", script.name)
    assert lines[0] == "#!/usr/bin/env bash" and lines[1].startswith("# ")
    assert len(lines) <= 25
    assert script.stat().st_mode & 0o111


def test_no_tool_touches_the_import_path() -> None:
    texts = [file.read_text(encoding="utf-8") for file in (SCRIPTS / "tools").rglob("*.py")]
    assert texts and not any("sys.path" in text for text in texts)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder that holds modules of the same names, and links to the scripts."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "__init__.py").write_text("raise SystemExit('the wrong scripts')")
    (tmp_path / "numpy.py").write_text("raise SystemExit('the wrong numpy')")
    for name in (*WITH_OPTIONS, *PAGES):
        (tmp_path / name).symlink_to(SCRIPTS / name)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "word"), [*((name, "--help") for name in WITH_OPTIONS), *((name, "--check") for name in PAGES)]
)
def test_runs_from_any_folder(elsewhere: Path, name: str, word: str) -> None:
    done = subprocess.run([str(elsewhere / name), word], cwd=elsewhere, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert word == "--check" or f"scripts/{name}" in done.stdout
