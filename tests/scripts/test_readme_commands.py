"""Every command of the README, in the order a reader would try them, with fewer games."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.tools.checkout import ROOT
from scripts.tools.readme import README, commands, write_the_bot

TEXT = README.read_text(encoding="utf-8")
ON_SCHEDULE = 300  # games where the README plays more
PLAY = ("study", "compare")

pytestmark = pytest.mark.slow


def quicker(words: list[str]) -> list[str]:
    """The same command with few games."""
    if "--games" in words:
        place = words.index("--games") + 1
        words[place] = str(min(int(words[place]), ON_SCHEDULE))
    elif words[0] in PLAY:
        words += ["--games", str(ON_SCHEDULE)]
    return words


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if line.startswith("eval "):
        return _shell(line, folder, {**os.environ, "PATH": path})
    script, *words = shlex.split(line)
    if script == "scripts/ttr-sim":
        call = [sys.executable, "-m", "ttr_sim", *quicker(words)]
    else:
        assert os.access(ROOT / script, os.X_OK)
        call = [str(ROOT / script), *words, "--help"]
    return subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)


def _shell(line: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    shell = "zsh" if "zsh" in line else "bash"
    call = [shell, "-c", line] if shutil.which(shell) else ["true"]
    return subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False, env=environment)


def test_the_readme_has_commands_of_each_recipe() -> None:
    said = " ".join(commands(TEXT))
    assert all(word in said for word in ("study", "new", "check", "compare", "run", "audit"))


def test_every_command_works_in_the_order_of_the_readme(tmp_path: Path) -> None:
    write_the_bot(TEXT, tmp_path)
    for line in commands(TEXT):
        if line != "scripts/test":
            done = run(line, tmp_path)
            assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    written = ("reports/usa/index.html", "reports/usa/tables/ticket_value.csv", "runs/mine/run.json")
    assert all((tmp_path / name).is_file() for name in written)
