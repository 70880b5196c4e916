"""A stranger's machine: the set-up (once, undisturbed, again when needed), the scripts, and the wheel."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ttr_sim.edition import edition_names, load_edition

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"
SHELLS = sorted(file for file in SCRIPTS.iterdir() if file.is_file())
CALLS = [
    *((name, "--help") for name in ("audit-all", "bench", "gallery", "mutate", "people", "readme", "tune")),
    ("reference", "--check"),
]
# Without dependencies.
PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "tiny"
version = "1"
[project.optional-dependencies]
dev = []
[tool.hatch.build.targets.wheel]
include = ["tiny.py"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "scripts" / "tools").mkdir(parents=True)
    for name in ("set-up", "tools/set_up.py"):
        shutil.copy(SCRIPTS / name, tmp_path / "scripts" / name)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "constraints.txt").write_text("")
    (tmp_path / "tiny.py").write_text("")
    return tmp_path


def start(project: Path, *words: str) -> subprocess.Popen[str]:
    command = [str(project / "scripts" / "set-up"), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/")


def set_up(project: Path, *words: str) -> tuple[int, str]:
    """Exit code and all that was printed."""
    process = start(project, *words)
    printed, _ = process.communicate()
    return process.returncode, printed


@pytest.mark.slow
def test_once_and_again_after_a_change_or_an_interruption(project: Path) -> None:
    code, printed = set_up(project)
    assert (code, printed) == (0, "Setting up .venv, once: this takes a minute or two ...\n")
    assert (project / ".venv" / "bin" / "python").exists()
    assert set_up(project) == (0, "")
    (project / ".venv" / "mine").touch()
    (project / "constraints.txt").write_text("six<2\n")
    assert "Setting up" in set_up(project, "dev")[1]
    assert set_up(project) == set_up(project, "dev") == (0, "")
    assert (project / ".venv" / "mine").exists(), "a sound environment is brought up to date, not made again"
    (project / ".venv" / "set-up-run").unlink()
    (project / ".venv" / "unfinished").touch()
    assert set_up(project)[0] == 0
    assert not (project / ".venv" / "mine").exists(), "half an environment is made again"
    assert not (project / ".venv" / "unfinished").exists()


@pytest.mark.slow
def test_two_at_once(project: Path) -> None:
    processes = [start(project), start(project)]
    printed = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(len(text) > 0 for text in printed) == [False, True], "the second waits and finds the work done"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("constraints.txt", "", "hatchling==0.0.1\n", "hatchling"),
        ("pyproject.toml", '"1"', '"1"\ndependencies = ["no-such-package-anywhere>99"]', "no-such-package-anywhere"),
    ],
)
def test_packages_that_cannot_be_had(project: Path, file: str, old: str, new: str, named: str) -> None:
    """What builds the project obeys the constraints too."""
    (project / file).write_text((project / file).read_text().replace(old, new, 1))
    code, printed = set_up(project)
    assert code == 2
    assert named in printed and "Error: setting up .venv failed" in printed and "Traceback" not in printed


def test_no_python_is_told_in_a_sentence(project: Path) -> None:
    for tool in ("bash", "dirname", "cat", "cksum"):
        (project / tool).symlink_to(str(shutil.which(tool)))
    call = [str(project / "bash"), str(project / "scripts" / "set-up")]
    ended = subprocess.run(call, capture_output=True, text=True, env={"PATH": str(project)}, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "Error: Python 3.11 or newer is needed and none was found; install it and try again.\n"


def test_the_build_backend_is_pinned_alike_for_the_set_up_and_for_everybody_else() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    assert set(build["requires"]) <= set((ROOT / "constraints.txt").read_text().splitlines())


@pytest.mark.parametrize("script", SHELLS, ids=lambda script: script.name)
def test_a_script_is_a_short_shell(script: Path) -> None:
    lines = script.read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", script.name)
    assert lines[0] == "#!/usr/bin/env bash" and lines[1].startswith("# ")
    assert len(lines) <= 25
    assert script.stat().st_mode & 0o111


@pytest.mark.slow
@pytest.mark.parametrize(("name", "word"), CALLS)
def test_a_script_runs_from_any_folder(tmp_path: Path, name: str, word: str) -> None:
    """Through a link, from a folder that holds modules of the same names."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "__init__.py").write_text("raise SystemExit('the wrong scripts')")
    (tmp_path / "numpy.py").write_text("raise SystemExit('the wrong numpy')")
    (tmp_path / name).symlink_to(SCRIPTS / name)
    done = subprocess.run([str(tmp_path / name), word], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert word == "--check" or f"scripts/{name}" in done.stdout


@pytest.mark.slow
def test_the_wheel_brings_the_editions_and_says_that_its_code_is_typed(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", str(tmp_path / "site"), str(ROOT)], check=True)
    installed = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    words = [sys.executable, "-m", "ttr_sim", "editions", "--json"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path, env=installed).stdout
    entries = {entry["name"]: entry for entry in json.loads(printed)}
    assert tuple(entries) == edition_names()
    assert (tmp_path / "site" / "ttr_sim" / "py.typed").is_file()
    for name, entry in entries.items():
        assert Path(entry["folder"]).is_relative_to(tmp_path / "site")
        assert entry["fingerprint"] == load_edition(name).fingerprint
