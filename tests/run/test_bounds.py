"""Parts that unpack to more than any plan can have written are refused before they fill the memory."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import Outcome
from tests.played_runs import play_run
from tests.run.forging import forge_rows, metadata_of, set_cell

Command = Callable[..., Outcome]
MILLIONS = 3


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("bounds") / "run"
    play_run(run, "amsterdam", 2, ("random", "path"), 4)
    return run


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "run"))


@pytest.mark.parametrize("table", ["seats", "turns"])
def test_rows_beyond_what_the_games_can_have(command: Command, run: Path, table: str) -> None:
    """Millions of equal rows are a few kilobytes, sealed like any other part."""
    file = run / table / "part-00000.parquet"
    repeat_first_row(file, MILLIONS)
    assert file.stat().st_size < 500_000
    for words in (("audit", run), ("replay", run, 0), ("report", run)):
        outcome = command(*words)
        assert outcome.code == 2
        sentence = f"{file} is no part of this run: it has {MILLIONS},000,000 rows, more than its games can"
        assert outcome.err.endswith(f"Error: {sentence}\n")


def repeat_first_row(file: Path, millions: int) -> None:
    rows = pq.read_table(file).slice(0, 1).replace_schema_metadata(metadata_of(file))
    few = pa.concat_tables([rows] * 1_000).combine_chunks()
    piece = pa.concat_tables([few] * 1_000).combine_chunks()
    with pq.ParquetWriter(file, rows.schema, compression="zstd", use_dictionary=True) as writer:
        for _ in range(millions):
            writer.write_table(piece)


def test_a_file_of_gigabytes(command: Command, run: Path) -> None:
    file = run / "games" / "part-00000.parquet"
    with file.open("r+b") as bytes_of_it:
        bytes_of_it.truncate(5_000_000_000)  # holes take no space on disk
    outcome = command("audit", run)
    assert (outcome.code, "it has 5,000,000,000 bytes" in outcome.err) == (2, True)


def test_one_huge_text(command: Command, run: Path) -> None:
    """Seventy million equal letters are a few kilobytes on disk."""
    forge_rows(run, lambda rows: set_cell(rows, "games", "fill", lambda fill: "b" * 70_000_000))
    assert (run / "games" / "part-00000.parquet").stat().st_size < 500_000
    outcome = command("audit", run)
    assert (outcome.code, "it unpacks to 70," in outcome.err) == (2, True)


def test_a_long_text_that_is_stored_once(command: Command, run: Path) -> None:
    """It would be repeated in each of thousands of rows."""
    forge_rows(run, lambda rows: set_cell(rows, "turns", "fill2", lambda fill: "b" * 10_001))
    outcome = command("audit", run)
    assert (outcome.code, "it has a text of more than 10,000 letters" in outcome.err) == (2, True)


def test_a_whole_run_is_well_within(played: Path, command: Command) -> None:
    assert command("audit", played, "-q").code == 0
