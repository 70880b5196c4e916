"""The set-up of a stranger's machine, on a project without dependencies: once, in peace, again when needed."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "constraints.txt").write_text("")
    (tmp_path / "tiny.py").write_text("")
    return tmp_path


def start(project: Path, *words: str) -> subprocess.Popen[str]:
    command = [str(project / "scripts" / "set-up"), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")


def set_up(project: Path, *words: str) -> tuple[int, str]:
    """Exit code and all that was printed."""
    process = start(project, *words)
    out, err = process.communicate()
    return process.returncode, out + err


@pytest.mark.slow
def test_once_and_again_after_a_change(project: Path) -> None:
    code, printed = set_up(project)
    assert (code, printed) == (0, "Setting up .venv, once: this takes a minute or two ...\n")
    assert (project / ".venv" / "bin" / "python").exists()
    assert set_up(project) == (0, "")
    (project / ".venv" / "mine").touch()
    (project / "constraints.txt").write_text("six<2\n")
    assert "Setting up" in set_up(project, "dev")[1]
    assert set_up(project) == set_up(project, "dev") == (0, "")
    assert (project / ".venv" / "mine").exists(), "a sound environment is brought up to date, not made anew"


@pytest.mark.slow
def test_what_builds_the_project_obeys_the_constraints_too(project: Path) -> None:
    (project / "constraints.txt").write_text("hatchling==0.0.1\n")
    code, printed = set_up(project)
    assert code == 2
    assert "hatchling" in printed and "Error: setting up .venv failed" in printed


@pytest.mark.slow
def test_two_at_once(project: Path) -> None:
    processes = [start(project), start(project)]
    printed = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(len(text) > 0 for text in printed) == [False, True], "the second waits and finds the work done"


@pytest.mark.slow
def test_an_interrupted_set_up_starts_over(project: Path) -> None:
    assert set_up(project)[0] == 0
    (project / ".venv" / "set-up-run").unlink()
    (project / ".venv" / "unfinished").touch()
    (project / ".venv" / "half").touch()
    assert set_up(project)[0] == 0
    assert not (project / ".venv" / "half").exists()
    assert not (project / ".venv" / "unfinished").exists()


@pytest.mark.slow
def test_packages_that_cannot_be_had(project: Path) -> None:
    text = (project / "pyproject.toml").read_text()
    changed = text.replace('version = "1"', 'version = "1"\ndependencies = ["no-such-package-anywhere>99"]')
    (project / "pyproject.toml").write_text(changed)
    code, printed = set_up(project)
    assert code == 2
    assert "Error: setting up .venv failed" in printed and "Traceback" not in printed


def test_the_build_backend_is_pinned_alike_for_the_set_up_and_for_everybody_else() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    assert set(build["requires"]) <= set((ROOT / "constraints.txt").read_text().splitlines())


def test_no_python_is_told_in_a_sentence(project: Path) -> None:
    empty = project / "bin"
    empty.mkdir()
    for tool in ("bash", "dirname", "cat", "cksum"):
        (empty / tool).symlink_to(str(shutil.which(tool)))
    script = str(project / "scripts" / "set-up")
    ended = subprocess.run(
        [str(empty / "bash"), script], capture_output=True, text=True, env={"PATH": str(empty)}, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "Error: Python 3.11 or newer is needed and none was found; install it and try again.\n"
