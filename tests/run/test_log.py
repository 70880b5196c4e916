"""The log on disk as others read it: types, names, nulls; and digests of its decoded rows, as the docs describe."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.run.conftest import digests, play
from tests.run.forging import forge_record, forge_rows, set_cell
from ttr_sim.edition import load_edition
from ttr_sim.log import TABLES
from ttr_sim.run.folder import checksum, read_metadata
from ttr_sim.run.read import check_files, open_run
from ttr_sim.run.tables import schema_of, table_digest
from ttr_sim.run.workers import Pool, ThisMachine, Work


def by_the_docs(table: str, rows: list[dict[str, Any]]) -> str:
    """The digest computed from plain Python values, as docs/runs.md says."""
    digest = hashlib.sha256()
    for column in TABLES[table]:
        values = [row[column.name] for row in rows]
        if column.type == "text" or (column.type == "name" and not column.names):
            texts = [None if value is None else value.encode() for value in values]
            digest.update(np.array([-1 if text is None else len(text) for text in texts], "<i4").tobytes())
            digest.update(b"".join(text for text in texts if text is not None))
            continue
        kind = {"int32": "<i4", "int64": "<i8", "float64": "<f8", "letter": "<i4"}.get(column.type, "<i2")
        if column.type == "name":
            values = [None if value is None else column.names.index(value) for value in values]
        if column.type == "letter":
            values = [None if value is None else ord(value) for value in values]
        cells = [np.iinfo(kind).min if value is None else value for value in values]
        digest.update(np.array(cells, kind).tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("edition", ["usa", "amsterdam", "first_journey"])
def test_digests_are_as_the_docs_say(tmp_path: Path, edition: str) -> None:
    play(tmp_path / "run", edition=edition, games=12)
    for table in TABLES:
        file = tmp_path / "run" / table / "part-00000.parquet"
        assert read_metadata(file)["digest"] == by_the_docs(table, pq.read_table(file).to_pylist())


def test_the_file_format_leaves_no_trace(copy_of_played: Path) -> None:
    file = copy_of_played / "turns" / "part-00001.parquet"
    rows, stored = pq.read_table(file), read_metadata(file)["digest"]
    pq.write_table(rows, file, compression="none", use_dictionary=False, row_group_size=100)
    assert table_digest("turns", pq.read_table(file)) == stored


def test_run_json_has_a_checksum_of_each_file(played: Path) -> None:
    assert check_files(open_run(played), 2) == ()
    record = open_run(played).record
    for table in TABLES:
        for number in range(record.size.parts):
            content = (played / table / f"part-{number:05d}.parquet").read_bytes()
            assert record.checksum(table, number) == checksum(content)


def test_an_audit_decodes_the_rows(copy_of_played: Path) -> None:
    """Checksums fit, but the digest in the footer is that of other rows."""
    file = copy_of_played / "seats" / "part-00000.parquet"
    digest = read_metadata(file)["digest"]
    forge_rows(copy_of_played, lambda rows: set_cell(rows, "seats", "score", lambda score: score + 1))
    rows, metadata = pq.read_table(file), {**read_metadata(file), "digest": digest}
    metadata.pop("ARROW:schema")
    pq.write_table(rows.replace_schema_metadata(metadata), file)
    record = json.loads((copy_of_played / "run.json").read_text())
    record["checksums"]["seats"][0] = checksum(file.read_bytes())
    forge_record(copy_of_played, checksums=record["checksums"])
    (problem,) = check_files(open_run(copy_of_played), 1)
    assert problem == f"{file}: the rows are not those that were written"


@dataclass(frozen=True)
class InProcesses(ThisMachine):
    """Plays by processes what threads could play."""

    def pool(self, work: Work[Any, Any]) -> Pool[Any, Any]:
        return ThisMachine(self.jobs).pool(replace(work, in_threads=False))


@pytest.mark.parametrize("workers", [ThisMachine(2), InProcesses(1), InProcesses(2)])
def test_workers_do_not_show(played: Path, tmp_path: Path, workers: ThisMachine) -> None:
    record = play(tmp_path / "run", workers=workers)
    assert record.sessions[0].backend == ("processes" if isinstance(workers, InProcesses) else "threads")
    assert digests(tmp_path / "run") == digests(played)


def test_other_rows_and_fewer_tables_show(played: Path, tmp_path: Path) -> None:
    play(tmp_path / "other", seed=2)
    assert not {*digests(tmp_path / "other")} & {*digests(played)}
    play(tmp_path / "results", log="results")
    assert digests(tmp_path / "results") == (digests(played)[0], None)
    assert not (tmp_path / "results" / "turns").exists()


DUCKDB_TYPES = {
    "int64": "BIGINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int8": "TINYINT",
    "uint8": "UTINYINT",
    "float64": "DOUBLE",
    "bool": "BOOLEAN",
}


@pytest.fixture(scope="module")
def first_journey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An edition without most features."""
    folder = tmp_path_factory.mktemp("runs") / "first_journey"
    play(folder, edition="first_journey", games=30)
    return folder


@pytest.mark.parametrize("table", TABLES)
def test_duckdb_and_pandas_find_every_column(played: Path, table: str) -> None:
    with duckdb.connect() as database:
        found = database.execute(f"DESCRIBE FROM '{played}/{table}/*.parquet'").fetchall()
    expected = [(column.name, DUCKDB_TYPES.get(column.type, "VARCHAR")) for column in TABLES[table]]
    assert [(name, kind) for name, kind, *_ in found] == expected
    frame = pd.read_parquet(played / table)
    assert list(frame) == [column.name for column in TABLES[table]]
    assert frame["game"].dtype == np.int64
    assert sorted(frame["game"].unique()) == list(range(120))


@pytest.mark.parametrize("table", TABLES)
def test_only_columns_that_may_be_null_are(played: Path, first_journey: Path, table: str) -> None:
    for run in (played, first_journey):
        rows = pq.read_table(run / table)
        assert rows.schema.equals(schema_of(table)) or rows.schema.names == schema_of(table).names
        for column in TABLES[table]:
            assert column.nullable or rows[column.name].null_count == 0, column.name


def test_names_are_dictionaries_and_compression_is_zstd(played: Path) -> None:
    metadata = pq.read_metadata(played / "turns" / "part-00000.parquet")
    schema, group = metadata.schema.to_arrow_schema(), metadata.row_group(0)
    named = [column.name for column in TABLES["turns"] if column.type in {"name", "letter"}]
    assert all(pa.types.is_dictionary(schema.field(name).type) for name in named)
    assert metadata.num_row_groups == 1
    assert {group.column(index).compression for index in range(metadata.num_columns)} == {"ZSTD"}
    assert group.column(0).statistics.max == 29


def test_the_games_of_a_block_share_their_deal(played: Path) -> None:
    games = pd.read_parquet(played / "games")
    assert (games["block"] == games["game"] // 3).all()
    assert (games["deal"] == games["block"]).all()
    hands = pd.read_parquet(played / "seats").pivot(index="game", columns="seat", values="hand")
    assert (hands.groupby(hands.index // 3).nunique() == 1).all().all()


def test_win_shares_add_up_to_one_a_game(played: Path) -> None:
    seats = pd.read_parquet(played / "seats")
    shares = seats.groupby("game")["win_share"].sum()
    assert shares.to_numpy() == pytest.approx(1)
    assert ((seats["win_share"] > 0) == (seats["rank"] == 1)).all()


def test_letters_are_those_of_the_edition(played: Path) -> None:
    letters = {color.letter for color in load_edition("usa").colors} | {"*"}
    turns = pd.read_parquet(played / "turns")
    for column in ("card1", "card2", "color"):
        assert set(turns[column].dropna()) <= letters
    assert "*" in set(turns["card1"].dropna())
    assert set("".join(turns["row"])) <= letters
    order = "".join([color.letter for color in load_edition("usa").colors]) + "*"
    assert all(list(row) == sorted(row, key=order.index) for row in turns["row"].head(500))


def test_what_an_edition_lacks_is_null(first_journey: Path) -> None:
    seats = pd.read_parquet(first_journey / "seats")
    absent = ["route_points", "ticket_points", "ticket_penalty", "longest_points", "station_points", "tickets_failed"]
    assert seats[absent].isna().all().all()
    games = pd.read_parquet(first_journey / "games")
    assert games[["fill", "resets", "stuck", "passengers"]].isna().all().all()
    turns = pd.read_parquet(first_journey / "turns")
    assert turns[["row", "fill1", "fill2", "tunnel_cards", "city"]].isna().all().all()
