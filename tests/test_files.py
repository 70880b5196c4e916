"""The folder for what is kept between commands: in nobody else's hands."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from ttr_sim.files import cache_root


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary files of this test's own, with a cache that cannot be written."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("TTR_SIM_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def mode_of(folder: Path) -> int:
    return stat.S_IMODE(folder.lstat().st_mode)


def test_chosen_cache_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTR_SIM_CACHE", str(tmp_path))
    assert cache_root() == tmp_path / "ttr-sim"


def test_without_a_cache_a_private_temporary_folder_is_kept(temporary: Path) -> None:
    first, second = cache_root(), cache_root()
    assert first == second == temporary / f"ttr-sim-{os.getuid()}"
    assert mode_of(first) == 0o700


@pytest.mark.parametrize("trap", ["open to others", "a link", "a file", "another's"])
def test_temporary_folder_that_others_may_have_written_to_is_shunned(
    trap: str, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guessed = temporary / f"ttr-sim-{os.getuid()}"
    if trap == "a link":
        (temporary / "elsewhere").mkdir(mode=0o700)
        guessed.symlink_to(temporary / "elsewhere")
    elif trap == "a file":
        guessed.touch(mode=0o700)
    else:
        guessed.mkdir(mode=0o700)
        guessed.chmod(0o777 if trap == "open to others" else 0o700)
    if trap == "another's":
        owner = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: owner + 1)
        guessed.rename(temporary / f"ttr-sim-{owner + 1}")
    fresh = cache_root().parent
    assert fresh.parent == temporary and not fresh.samefile(guessed if trap != "another's" else temporary)
    assert mode_of(fresh) == 0o700
    assert os.environ["TTR_SIM_CACHE"] == str(fresh)
