"""Our Parquet files, read by others: every spelling of values, at the edges where it changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttr_sim.run.parquet import encodings
from ttr_sim.run.parquet.encodings import PLAIN, RLE_DICTIONARY, Encoded
from ttr_sim.run.parquet.files import Column, Kind, file_bytes
from ttr_sim.run.parquet.thrift import items, text, varint, zigzag
from ttr_sim.run.table_file import KINDS, TEXT

# Indices come in eights, 504 of them behind a head, and differences in blocks of 128.
ROWS = [0, 1, 2, 7, 8, 9, 127, 128, 129, 130, 503, 504, 505, 512, 513, 1_008, 1_009]
METADATA = {"plan": "x"}


def read(file: bytearray) -> pa.Table:
    table = pq.read_table(pa.BufferReader(bytes(file)))
    table.validate(full=True)
    return table


def read_back(kind: Kind, encoded: Encoded, rows: int, present: np.ndarray | None = None) -> list[object]:
    file = file_bytes([Column("x", kind, encoded, present)], rows, METADATA)
    return read(file)["x"].to_pylist()


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("spread", [0, 1, 255, 256, 65_535])
def test_numbers(rows: int, spread: int) -> None:
    values = np.linspace(-32_767, -32_767 + spread, rows).astype(np.int16)
    assert read_back(KINDS["int16"], encodings.numbers(values), rows) == values.tolist()


@pytest.mark.parametrize("spread", [255, 256, 65_535, 65_536])
def test_numbers_as_many_as_indices_take(spread: int) -> None:
    """A width of one byte, of two, and of four."""
    values = np.arange(-7, spread - 6, dtype=np.int32)[::-1]
    encoded = encodings.numbers(np.append(values, values[:1]))
    assert encoded.encoding == RLE_DICTIONARY
    assert read_back(KINDS["int32"], encoded, len(values) + 1) == [*values.tolist(), int(values[0])]


def test_few_numbers_far_from_each_other_are_plain() -> None:
    values = np.array([-(1 << 31), 0, (1 << 31) - 1], np.int32)
    encoded = encodings.numbers(values)
    assert encoded.encoding == PLAIN
    assert read_back(KINDS["int32"], encoded, 3) == values.tolist()


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("step", [0, 1, -1, 255, 256, 70_000, 1 << 40])
def test_differences(rows: int, step: int) -> None:
    values = 5 - step * (np.arange(rows) % 7) + np.arange(rows)
    assert read_back(KINDS["int64"], encodings.differences(values), rows) == values.tolist()


@pytest.mark.parametrize("rows", ROWS)
def test_flags_and_shares(rows: int) -> None:
    values = np.arange(rows) % 3 == 0
    assert read_back(KINDS["bool"], encodings.flags(values), rows) == values.tolist()
    shares = values / 3
    assert read_back(KINDS["float64"], encodings.plain(shares), rows) == shares.tolist()


@pytest.mark.parametrize("rows", [*ROWS, 70_000])
def test_texts_that_all_differ(rows: int) -> None:
    values = [f"{row}ä" * (row % 4) + str(row) for row in range(rows)]
    assert read_back(TEXT, encodings.texts(pa.array(values, pa.string())), rows) == values


@given(st.lists(st.text(max_size=5)))
def test_any_texts(values: list[str]) -> None:
    assert read_back(TEXT, encodings.texts(pa.array(values, pa.string())), len(values)) == values


def test_words_are_a_dictionary_of_all_that_are_listed() -> None:
    listed = ["draw", "", "claim", "é"]
    indices = np.array([3, 0, 0, 1, 2, 3, 3, 3, 0], np.int16)
    encoded = encodings.words(indices, listed)
    assert encoded.dictionary is not None
    assert encoded.dictionary.size == len(listed)
    assert read_back(TEXT, encoded, len(indices)) == [listed[index] for index in indices]


@given(st.lists(st.none() | st.integers(-300, 300), max_size=300))
def test_numbers_with_nulls(values: list[int | None]) -> None:
    present = np.array([value is not None for value in values], np.bool_)
    encoded = encodings.numbers(np.array([value for value in values if value is not None], np.int16))
    assert read_back(KINDS["int16"], encoded, len(values), present) == values


@pytest.mark.parametrize("values", [[None] * 9, [None] * 9 + [1], [1] * 9 + [None], [1] * 9])
def test_rows_that_are_all_null_or_none(values: Sequence[int | None]) -> None:
    present = np.array([value is not None for value in values])
    encoded = encodings.texts(pa.array(["b" for value in values if value], pa.string()))
    assert read_back(TEXT, encoded, len(values), present) == ["b" if value else None for value in values]


def test_duckdb_reads_every_spelling(tmp_path: Path) -> None:
    rows = 1_001
    count = np.arange(rows)
    present = count % 3 != 1
    few, many = (count % 9).astype(np.int16), (count % 700).astype(np.int16)
    texts = pa.array([f"{number}" * (number % 3) for number in count], pa.string())
    columns = [
        Column("game", KINDS["int64"], encodings.differences(count * count)),
        Column("few", KINDS["int8"], encodings.numbers(few)),
        Column("many", KINDS["int16"], encodings.numbers(many[present]), present),
        Column("bit", KINDS["bool"], encodings.flags(few[present] == 1), present),
        Column("share", KINDS["float64"], encodings.plain(few / 4)),
        Column("text", TEXT, encodings.texts(texts.filter(pa.array(present))), present),
    ]
    file = tmp_path / "rows.parquet"
    file.write_bytes(file_bytes(columns, rows, METADATA))
    by_arrow = [tuple(row.values()) for row in pq.read_table(file).to_pylist()]
    with duckdb.connect() as database:
        assert database.execute(f"FROM '{file}'").fetchall() == by_arrow
        found = database.execute(f"SELECT count(*) FROM '{file}' WHERE game > 1000 AND text IS NOT NULL").fetchone()
    assert found == (sum(game > 1000 and text is not None for game, *_, text in by_arrow),)
    assert pq.read_metadata(file).metadata[b"plan"] == b"x"


def test_what_footers_are_spelled_with() -> None:
    assert [varint(number) for number in (0, 127, 128, 300)] == [b"\0", b"\x7f", b"\x80\1", b"\xac\2"]
    assert [zigzag(number) for number in (0, -1, 1, -64, 64)] == [b"\0", b"\1", b"\2", b"\x7f", b"\x80\1"]
    assert items([text("a")] * 14).data == b"\xe8" + b"\1a" * 14
    assert items([text("a")] * 15).data == b"\xf8\x0f" + b"\1a" * 15
