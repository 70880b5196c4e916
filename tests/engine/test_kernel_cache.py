"""The cache of compiled kernels, which are compiled again where it is damaged."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from ttr_sim.edition import load_edition
from ttr_sim.engine import jit, kernel_cache
from ttr_sim.run.compiling import compile_engine

KERNEL = "from ttr_sim.engine.jit import compiled\n\n@compiled\ndef twice(n):\n    return 2 * n\n"

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "short of its last byte": lambda content: content[:-1],
    "flipped": lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
    "longer": lambda content: content + b"\0",
}


@pytest.fixture
def load_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Import a file with one kernel, as a new process would."""
    file = tmp_path / "small_kernel.py"
    file.write_text(KERNEL)
    assert str(jit.CACHE_FOLDER) == numba.config.CACHE_DIR
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))

    def load() -> Any:
        monkeypatch.setattr(kernel_cache, "_said", set())
        spec = importlib.util.spec_from_file_location("small_kernel", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "small_kernel", module)
        spec.loader.exec_module(module)
        return module.twice

    return load


def was_cached(kernel: Any) -> bool:
    return bool(kernel.stats.cache_hits)


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_is_named_and_compiled_again(
    kind: str, damage: str, tmp_path: Path, load_kernel: Callable[[], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    assert load_kernel()(4) == 8
    [file] = (tmp_path / "cache").rglob(f"*.{kind}")
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    again = load_kernel()
    assert (again(4), was_cached(again)) == (8, False)
    [line] = capfd.readouterr().err.splitlines()
    assert str(file) in line
    healed = load_kernel()
    assert (healed(4), was_cached(healed), capfd.readouterr().err) == (8, True, "")


def test_a_cache_is_warm_once_games_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_engine(load_edition("usa"))
    assert not jit.is_cache_cold()
    monkeypatch.setattr(jit, "CACHE_FOLDER", tmp_path)
    assert jit.is_cache_cold()
    (tmp_path / "engine_1234").mkdir()
    (tmp_path / "engine_1234" / "cards.fill_row-12.py311.nbi").touch()
    assert jit.is_cache_cold(), "compiling was interrupted before its end"


def test_kernel_is_kept_for_the_next_process(load_kernel: Callable[[], Any]) -> None:
    first, second = load_kernel(), load_kernel()
    assert (first(4), second(4)) == (8, 8)
    assert (was_cached(first), was_cached(second)) == (False, True)


def test_kernel_that_cannot_be_kept_is_compiled_all_the_same(
    tmp_path: Path, load_kernel: Callable[[], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    kernel = load_kernel()
    cache = Path(kernel._cache.cache_path)
    cache.rmdir()
    cache.write_text("a file where the folder should be")
    assert kernel(4) == 8
    assert len(capfd.readouterr().err.splitlines()) == 1
