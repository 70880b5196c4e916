"""Compilation: kernels are kept between processes, and compiled again where the cache fails."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

from ttr_sim.engine import jit

KERNELS = """
from ttr_sim.engine.jit import compiled

@compiled
def least(a, b):
    return min(a, b)

@compiled
def doubled(numbers):
    return 2 * least(numbers[0], 100) + least(numbers[0], numbers[1]) - least(numbers[0], numbers[1])
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], ModuleType]:
    """Import a file of kernels, as a new process would."""
    file = tmp_path / "small_kernels.py"
    file.write_text(KERNELS)
    assert str(jit.CACHE_FOLDER) == numba.config.CACHE_DIR
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(jit, "_warnings", [])

    def load() -> ModuleType:
        spec = importlib.util.spec_from_file_location("small_kernels", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "small_kernels", module)
        spec.loader.exec_module(module)
        return module

    return load


def run(module: ModuleType) -> tuple[int, bool]:
    """Result of a kernel, and whether it came from the cache."""
    result = int(module.doubled(np.array([4, 5], np.int16)))
    return result, bool(module.doubled.stats.cache_hits)


def test_kernel_is_kept_for_the_next_process(load: Callable[[], ModuleType]) -> None:
    assert [run(load()), run(load())] == [(8, False), (8, True)]


def test_kernels_call_one_version_for_all_signed_integers(load: Callable[[], ModuleType]) -> None:
    module = load()
    run(module)
    assert [str(signature) for signature in module.least.signatures] == ["(int64, int64)"]


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("size", [0, 50])
def test_file_that_was_cut_short_is_compiled_again(
    kind: str, size: int, tmp_path: Path, load: Callable[[], ModuleType]
) -> None:
    run(load())
    for file in (tmp_path / "cache").rglob(f"*.{kind}"):
        file.write_bytes(file.read_bytes()[:size])
    assert [run(load()), run(load())] == [(8, False), (8, True)]


def test_kernels_that_cannot_be_kept_are_compiled_all_the_same(
    load: Callable[[], ModuleType], capfd: pytest.CaptureFixture[str]
) -> None:
    module = load()
    cache = Path(module.doubled._cache.cache_path)
    cache.rmdir()
    cache.write_text("a file where the folder should be")
    assert run(module) == (8, False)
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_cache_is_cold_until_the_last_kernel_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "CACHE_FOLDER", tmp_path)
    (tmp_path / "engine_1234").mkdir()
    (tmp_path / "engine_1234" / "cards.fill_row-12.py311.nbi").touch()
    assert jit.is_cache_cold()
    (tmp_path / "engine_1234" / "play.play_games-60.py311.nbi").touch()
    assert not jit.is_cache_cold()
