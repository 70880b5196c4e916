"""Every command of the README, in the order a reader would try them, with fewer games."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ON_SCHEDULE = 300  # games where the README plays more
PLAY = ("study", "compare")

pytestmark = pytest.mark.slow


def blocks(language: str) -> list[str]:
    every = re.findall(r"^```(\w*)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    return [text for its_language, text in every if its_language == language]


def commands() -> list[str]:
    lines = [line.split("  #")[0].strip() for block in blocks("") for line in block.splitlines()]
    return [line for line in lines if line.startswith(("scripts/", "eval "))]


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


def follow_the_text(folder: Path) -> None:
    """What the README tells to do between its commands: write a bot, edit two lines of a copy."""
    (bot,) = [code for code in blocks("python") if code.startswith("# my_bots.py")]
    assert bot.count("\n") < 25
    (folder / "my_bots.py").write_text(bot)
    if (folder / "my-map").is_dir():
        edit(folder / "my-map" / "tickets.csv", "Atlanta,Montréal,9,", "Atlanta,Montréal,11,")
        edit(folder / "my-map" / "routes.csv", "Denver,Oklahoma City,4,red", "Denver,Oklahoma City,3,red")


def edit(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_the_readme_has_commands_of_each_recipe() -> None:
    said = " ".join(commands())
    assert all(word in said for word in ("study", "new", "check", "show", "compare", "run", "audit", "replay", "bench"))


def test_every_command_works_in_the_order_of_the_readme(tmp_path: Path) -> None:
    for line in commands():
        follow_the_text(tmp_path)
        if line != "scripts/test":
            done = run(line, tmp_path)
            assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    written = ("reports/usa/index.html", "reports/usa/tables/ticket_value.csv", "map.svg")
    assert all((tmp_path / name).is_file() for name in written)
