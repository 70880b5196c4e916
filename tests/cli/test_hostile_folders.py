"""No folder of 5 MB makes `check` slow, large or wordless."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.edition import find_folder

MEGABYTES_5 = 5_000_000
MEMORY = 500_000_000
CPU_SECONDS = 5  # of all its threads; a busy machine takes longer by the clock
LONG = "a" * 4_900_000

Hostile = Callable[[str], str]  # the file's text, made from the official one


def padded(text: str, piece: str, size: int = 4_900_000) -> str:
    return text + piece * ((size - len(text)) // len(piece))


FOLDERS: dict[str, tuple[str, Hostile]] = {
    "a dotted key of thousands of parts": ("edition.toml", lambda text: ".".join("a" * 21_000) + " = 1\n" + text),
    "the same in quotes and with spaces": ("edition.toml", lambda text: " . ".join(['"a"'] * 21_000) + " = 1\n" + text),
    "a heading of hundreds of parts": ("edition.toml", lambda text: f"{text}\n[{'.'.join('a' * 500)}]\n"),
    "a dotted key in an inline table": (
        "edition.toml",
        lambda text: text + "\nx = {" + ".".join("a" * 5_000) + "=1}\n",
    ),
    "a million keys": ("edition.toml", lambda text: text + "".join(f"k{number}=1\n" for number in range(480_000))),
    "a million empty lines": ("edition.toml", lambda text: padded(text, "\n")),
    "a million comments": ("edition.toml", lambda text: padded(text, "#\n")),
    "a million brackets": ("edition.toml", lambda text: f"{text}\nx = " + "[" * 4_900_000),
    "inline tables within each other": ("edition.toml", lambda text: f"{text}\nx = " + "{a=" * 9_000),
    "a million escapes": ("edition.toml", lambda text: f'{text}\nx = "' + "\\n" * 2_400_000 + '"'),
    "a million quotes": ("edition.toml", lambda text: f"{text}\nx = " + "''" * 2_400_000),
    "a comment of one long line": ("edition.toml", lambda text: f"{text}\n#{LONG}"),
    "a key as long as the file": ("edition.toml", lambda text: f"{LONG} = 1\n{text}"),
    "a text as long as the file": ("edition.toml", lambda text: f'{text}\nx = "{LONG}"'),
    "a text of many words": ("edition.toml", lambda text: f'{text}\nx = "{"aaaa " * 900_000}"'),
    "a number as long as the file": ("edition.toml", lambda text: f"x = {'1' * 4_900_000}\n{text}"),
    "a hexadecimal number as long": (
        "edition.toml",
        lambda text: text.replace("trains = 45", f"trains = 0x{'f' * 4_900_000}"),
    ),
    "a list of millions": ("edition.toml", lambda text: f"{text}\nx = [{'1,' * 2_400_000}]"),
    "tuned parameters by the million": (
        "bots.toml",
        lambda text: "".join(f"k{number}=1\n" for number in range(480_000)),
    ),
    "a row of millions of cells": ("cities.csv", lambda text: text + "," * 2_000_000 + "\n"),
    "headings by the million": ("cities.csv", lambda text: "name,x,y" + ",a" * 2_400_000 + "\n"),
    "millions of rows": ("routes.csv", lambda text: padded(text, "a\n")),
    "millions of empty rows": ("routes.csv", lambda text: padded(text, ",\n")),
    "millions of empty lines": ("tickets.csv", lambda text: padded(text, "\n")),
    "millions of spaces": ("tickets.csv", lambda text: padded(text, " ")),
    "a cell as long as the file": ("cities.csv", lambda text: f"{text}{LONG},1,1\n"),
    "a heading as long as the file": ("cities.csv", lambda text: f"{LONG},{text}"),
    "quotes by the million": ("routes.csv", lambda text: padded(text, '"')),
    "a quoted cell as long as the file": ("routes.csv", lambda text: f'{text}"{LONG}",b,1,red\n'),
    "accents piled up": ("cities.csv", lambda text: padded(text, "\u0301\u0323", 2_400_000)),
    "a ligature that unfolds": ("cities.csv", lambda text: padded(text, "\ufdfa", 1_600_000)),
    "rows of as many cells as are allowed": ("routes.csv", lambda text: padded(text, "a," * 990 + "\n", 180_000)),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_check_stays_small_and_quick(name: str, tmp_path: Path) -> None:
    file, spoil = FOLDERS[name]
    folder = tmp_path / "map"
    shutil.copytree(find_folder("usa"), folder)
    path = folder / file
    path.write_text(spoil(path.read_text() if path.exists() else ""), encoding="utf-8")
    assert path.stat().st_size <= MEGABYTES_5
    ended = limited(["check", str(folder)])
    assert ended.returncode in (FINE, FINDINGS), ended.stderr[-500:]
    assert len(ended.stdout) < 50_000 and "Traceback" not in ended.stderr


def limited(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command as a process that the system ends beyond the limits."""
    resource = pytest.importorskip("resource")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))

    command = [sys.executable, "-m", "ttr_sim", *words]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=limit, env=one_thread, timeout=300
    )
