"""The wheel carries the editions, and says that its code is typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ttr_sim.edition import edition_names, load_edition

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_installed_package_finds_its_editions(tmp_path: Path) -> None:
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
