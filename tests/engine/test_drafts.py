"""Drafts: kernels as other kernels call them, kept between processes and compiled again where they no longer fit."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numba
import pytest

from ttr_sim.engine import jit, kernel_cache

KERNELS = """
from ttr_sim.engine.jit import compiled

@compiled
def least(a, b):
    return min(a, b)

@compiled
def doubled(n):
    return 2 * least(n, 100)

@compiled
def one(n):
    return doubled(n) + 1

@compiled
def two(n):
    return doubled(n) + 2
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], ModuleType]:
    """Import a file of kernels, as a new process would."""
    file = tmp_path / "small_kernels.py"
    file.write_text(KERNELS)
    assert str(jit.CACHE_FOLDER) == numba.config.CACHE_DIR
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(kernel_cache, "_said", set())

    def load() -> ModuleType:
        spec = importlib.util.spec_from_file_location("small_kernels", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "small_kernels", module)
        spec.loader.exec_module(module)
        return module

    return load


def drafts_of(tmp_path: Path, name: str, kind: str = "nbc") -> list[Path]:
    return list((tmp_path / "cache").rglob(f"small_kernels.{name}-*.draft.*{kind}"))


def test_only_what_python_calls_becomes_machine_code(tmp_path: Path, load: Callable[[], ModuleType]) -> None:
    kernels = load()
    assert (kernels.one(7), kernels.one(700)) == (15, 201)
    assert [len(kernel.overloads) for kernel in (kernels.one, kernels.doubled, kernels.least)] == [1, 0, 0]
    assert not drafts_of(tmp_path, "one") and drafts_of(tmp_path, "doubled") and drafts_of(tmp_path, "least")
    assert kernels.doubled(8) == 16, "from Python, too"


def test_drafts_are_kept_for_whatever_calls_them_next(load: Callable[[], ModuleType]) -> None:
    assert load().one(7) == 15
    later = load()
    assert later.two(7) == 16
    assert later.doubled.draft.stats.cache_hits and later.least.draft.stats.cache_hits
    assert not later.doubled.draft.stats.cache_misses


def test_damaged_draft_is_named_and_compiled_again(
    tmp_path: Path, load: Callable[[], ModuleType], capfd: pytest.CaptureFixture[str]
) -> None:
    assert load().one(7) == 15
    [file] = drafts_of(tmp_path, "doubled")
    file.write_bytes(file.read_bytes()[:-9])
    later = load()
    assert (later.two(7), len(later.doubled.draft.stats.cache_hits)) == (16, 0)
    assert str(file) in capfd.readouterr().err


def test_draft_of_what_was_compiled_again_is_not_used(tmp_path: Path, load: Callable[[], ModuleType]) -> None:
    assert load().one(7) == 15
    for kind in ("nbc", "nbi"):
        [file] = drafts_of(tmp_path, "least", kind)
        file.unlink()
    later = load()
    assert later.two(7) == 16
    assert not later.doubled.draft.stats.cache_hits
    healed = load()
    assert (healed.two(9), healed.one(8)) == (20, 17)
