from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sealed_rows import write_rows
from ttr_sim.run.folder import BrokenSealError, read_metadata

ROWS = pa.table({"game": pa.array(range(500), pa.int64()), "name": pa.array(["ab", "c"] * 250)})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "part-00000.parquet"
    write_rows(ROWS, path, {"plan": "x", "part": "0"})
    return path


def test_a_sealed_file_is_plain_parquet(file: Path) -> None:
    assert pq.read_table(file).equals(ROWS)
    assert read_metadata(file)["plan"] == "x"
    assert list(file.parent.iterdir()) == [file]


def test_any_flipped_bit_breaks_the_seal(file: Path) -> None:
    whole = file.read_bytes()
    chance = random.Random(1)
    for place in [0, len(whole) - 1, *chance.sample(range(len(whole)), 200)]:
        spoiled = bytearray(whole)
        spoiled[place] ^= 1 << chance.randrange(8)
        file.write_bytes(spoiled)
        with pytest.raises(BrokenSealError):
            read_metadata(file)


@pytest.mark.parametrize("length", [0, 1, 100, -1])
def test_a_file_cut_short_breaks_the_seal(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(BrokenSealError):
        read_metadata(file)


def test_a_foreign_parquet_file_breaks_the_seal(file: Path) -> None:
    pq.write_table(ROWS, file)
    with pytest.raises(BrokenSealError):
        read_metadata(file)


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "part-00000.parquet"
    target.mkdir()  # a folder cannot be replaced by a file
    with pytest.raises(OSError, match="directory"):
        write_rows(ROWS, target, {})
    assert list(tmp_path.iterdir()) == [target]
