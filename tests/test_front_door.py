"""What stands beside the code: versions agree, and every file a stranger looks for is there and current."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import ttr_sim

ROOT = Path(__file__).parents[1]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_changelog_and_citation_name_the_version() -> None:
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.MULTILINE)
    assert text("CHANGELOG.md").index("## [Unreleased]") < text("CHANGELOG.md").index(f"## [{released[0][0]}]")
    assert released[0][0] == ttr_sim.__version__
    assert f"version: {released[0][0]}\ndate-released: {released[0][1]}\n" in text("CITATION.cff")


def test_one_license_everywhere() -> None:
    assert text("LICENSE").startswith("MIT License") and "the ttr-sim authors" in text("LICENSE")
    assert tomllib.loads(text("pyproject.toml"))["project"]["license"] == "MIT"
    assert "license: MIT\n" in text("CITATION.cff")


def test_hosted_checks_cover_the_pythons_the_package_names() -> None:
    names = tomllib.loads(text("pyproject.toml"))["project"]["classifiers"]
    named = [
        name.rpartition(" ")[2] for name in names if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", name)
    ]
    assert f"python: {named}".replace("'", '"') in text(".github/workflows/checks.yml")


def test_hooks_run_what_scripts_test_runs() -> None:
    for tool in re.findall(r"python -m (ruff check|ruff format|mypy)", text("scripts/test")):
        assert f"python -m {tool}" in text(".pre-commit-config.yaml")
