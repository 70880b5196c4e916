"""The log on disk, read by others: types, names, nulls."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.run.conftest import play, record_of
from ttr_sim.edition import load_edition
from ttr_sim.log import TABLES
from ttr_sim.run.tables import schema_of

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


def test_blocks_deals_and_lineups_are_in_the_log(played: Path) -> None:
    games = pd.read_parquet(played / "games")
    assert (games["block"] == games["game"] // 3).all()
    assert (games["deal"] == games["block"]).all()
    seats = pd.read_parquet(played / "seats")
    rotations = seats[seats["game"] < 3].groupby("game")["bot"].apply(list).tolist()
    assert rotations == [
        ["random", "racer", "longroute"],
        ["racer", "longroute", "random"],
        ["longroute", "random", "racer"],
    ]


def test_the_games_of_a_block_share_their_deal(played: Path) -> None:
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


def test_a_finished_run_says_so(played: Path) -> None:
    record = record_of(played)
    assert (record.size.games, record.size.blocks, record.size.parts) == (120, 40, 4)
    assert len(record.digest or "") == len(record.digest_turns or "") == 64
