from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.run.conftest import play
from tests.sealed_rows import write_rows
from ttr_sim.log import NULL, TABLES, Column
from ttr_sim.run.digest import (
    block_digests,
    cells_of,
    check_digests,
    cuts_between,
    planes_of,
    stored_digests,
    word_cells,
)
from ttr_sim.run.sha256 import DIGEST_BYTES

BLOCKS = 10  # of a part


def digests_of(table: str, rows: pa.Table) -> list[bytes]:
    games = rows["game"].to_numpy()
    starts = np.arange(games[0] // 3 * 3, games[-1] + 1, 3)
    joined = block_digests(cells_of(table, rows), cuts_between(games, starts))
    return [joined[at : at + DIGEST_BYTES] for at in range(0, len(joined), DIGEST_BYTES)]


@pytest.mark.parametrize("table", TABLES)
def test_rows_read_back_have_the_digests_of_the_engines_codes(played: Path, table: str) -> None:
    file = played / table / "part-00002.parquet"
    digests = digests_of(table, pq.read_table(file))
    assert len(digests) == BLOCKS
    assert b"".join(digests) == stored_digests(file)


@pytest.mark.parametrize("edition", ["europe", "germany", "amsterdam", "first_journey"])
def test_so_do_those_of_every_edition(tmp_path: Path, edition: str) -> None:
    play(tmp_path / "run", edition=edition, games=45)
    assert check_digests(tmp_path / "run") == ()


def test_the_bytes_are_as_the_docs_say(played: Path) -> None:
    rows = pq.read_table(played / "tickets" / "part-00000.parquet").to_pylist()
    rows = [row for row in rows if row["game"] < 3]
    cells = []
    for column in TABLES["tickets"]:
        values = [row[column.name] for row in rows]
        if column.type in {"int32", "int64"}:
            width = int(column.type[3:]) // 16
            wide = np.array(values, column.type).astype(f"<i{2 * width}").view("<i2").reshape(-1, width)
            cells += [wide[:, place].tobytes() for place in range(width)]
        else:
            cells.append(np.array([-32768 if value is None else value for value in values], "<i2").tobytes())
    assert hashlib.sha256(b"".join(cells)).digest() == stored_digests(played / "tickets" / "part-00000.parquet")[:32]


def test_a_null_of_four_bytes_is_two_null_cells() -> None:
    values, present = np.array([70_000, 0, -1], np.int32), np.array([True, False, True])
    low, high = planes_of(values, present)
    assert (low.tolist(), high.tolist()) == ([70_000 - 65_536, NULL, -1], [1, NULL, -1])


def another(column: Column, value: Any) -> Any:
    """A value that differs from this one."""
    if column.type == "bool":
        return value is not True
    if column.type in {"name", "letter", "text"}:
        return next(word for word in (*column.names, "r", "b") if word != value)
    if column.type == "float64":
        return value + 1
    return 1 if value is None else value ^ 1


@pytest.mark.parametrize("table", TABLES)
def test_a_change_in_any_column_shows_in_its_block_alone(played: Path, table: str) -> None:
    rows = pq.read_table(played / table / "part-00000.parquet")
    before = digests_of(table, rows)
    row = len(rows) // 2
    block = rows["game"][row].as_py() // 3
    for place, column in enumerate(TABLES[table][1:], start=1):
        values = rows[column.name].to_pylist()
        values[row] = another(column, values[row])
        kind = rows.schema.field(column.name).type
        after = digests_of(table, rows.set_column(place, column.name, pa.array(values).cast(kind)))
        assert [old != new for old, new in zip(before, after, strict=True)] == [n == block for n in range(BLOCKS)]


def test_no_two_words_of_a_list_begin_alike() -> None:
    for columns in TABLES.values():
        for column in columns:
            cells = word_cells(column.names)
            assert len(set(cells.tolist())) == len(column.names), column.name


def test_a_block_alone_has_the_digest_it_has_among_others(played: Path) -> None:
    rows = pq.read_table(played / "turns" / "part-00000.parquet")
    blocks = rows["game"].to_numpy() // 3
    alone = [digests_of("turns", rows.filter(blocks == block)) for block in range(BLOCKS)]
    assert [digest for (digest,) in alone] == digests_of("turns", rows)
    assert len({digest for (digest,) in alone}) == BLOCKS


def test_a_check_names_the_file_whose_rows_were_changed(copy_of_played: Path) -> None:
    file = copy_of_played / "seats" / "part-00001.parquet"
    rows = pq.read_table(file)
    metadata = {key.decode(): value.decode() for key, value in pq.read_metadata(file).metadata.items()}
    scores = rows["score"].to_numpy().copy()
    scores[5] += 1
    changed = rows.set_column(rows.column_names.index("score"), rows.schema.field("score"), pa.array(scores))
    write_rows(changed, file, {key: value for key, value in metadata.items() if key != "ARROW:schema"})
    (problem,) = check_digests(copy_of_played)
    assert str(file) in problem


def test_a_check_survives_files_that_are_none(copy_of_played: Path) -> None:
    (copy_of_played / "turns" / "part-00003.parquet").write_bytes(b"PAR1")
    (copy_of_played / "games" / "part-00000.parquet").unlink()
    problems = check_digests(copy_of_played)
    assert len(problems) == 2
    assert all("cannot be read" in problem for problem in problems)
