"""Runs that are not their plan carried out, although digests fit; and parts too large to be of their plan."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import Command
from tests.played_runs import play_run
from tests.run.forging import forge_plan, forge_record, forge_rows, metadata_of, set_cell, take_digests_anew
from ttr_sim.errors import UserError
from ttr_sim.run.read import check_files, check_plan, open_run

MILLIONS = 3


def test_a_clean_run_is_its_plan_carried_out(clean: Path, tmp_path: Path) -> None:
    play_run(tmp_path / "drawn", "amsterdam", 3, ("planner", "racer", "path", "hungry", "random"), 20, part_size=6)
    for run in (open_run(clean), open_run(tmp_path / "drawn")):
        assert check_files(run, 1) == ()
        assert check_plan(run) == []


def change_cell(table: str, column: str, change: Callable[[Any], Any]) -> Callable[[Path], None]:
    return lambda run: forge_rows(run, lambda rows: set_cell(rows, table, column, change))


@pytest.mark.parametrize(
    "forge",
    [
        change_cell("games", "deal", lambda deal: deal + 1),
        change_cell("games", "players", lambda players: 3),
        change_cell("seats", "bot", lambda bot: "racer" if bot == "planner" else "planner"),
        change_cell("seats", "seat", lambda seat: 1),
        change_cell("seats", "game", lambda game: 1),
        lambda run: forge_plan(run, bots=["racer", "planner"]),
        # The last block goes, and the plan says one block less.
        lambda run: forge_rows(run, lambda rows: {table: old.slice(0, len(old) - 2) for table, old in rows.items()}),
    ],
)
def test_games_that_are_not_those_of_the_plan_show(run: Path, forge: Callable[[Path], None]) -> None:
    forge(run)
    assert check_plan(open_run(run))


def test_a_run_smaller_than_its_plan_shows(run: Path) -> None:
    for file in run.glob("*/part-00002.parquet"):
        file.unlink()
    forge_record(run, games=16, blocks=8, parts=2)
    take_digests_anew(run)
    assert "not those of its plan" in check_plan(open_run(run))[0].message


def test_settings_that_were_not_played_show(run: Path) -> None:
    forge_record(run, set=["trains=10"])
    (found,) = check_plan(open_run(run))
    assert "--set" in found.message


def test_a_word_that_no_log_has_shows(run: Path) -> None:
    file = run / "games" / "part-00000.parquet"
    rows = set_cell({"games": pq.read_table(file)}, "games", "end", lambda end: "traxx")["games"]
    pq.write_table(rows.replace_schema_metadata(metadata_of(file)), file)
    take_digests_anew(run)
    assert "cannot be read" in check_files(open_run(run), 1)[0]


@pytest.mark.parametrize(
    "values",
    [
        {"parts": "1"},
        {"parts": 10**9},
        {"games": 21},
        {"blocks": 9},
        {"schema": "2"},
        {"seed": 1, "plan": []},
        {"digest": "no hash"},
        {"fingerprint": "0" * 16},
        {"timings": {"seconds": 1.0, "games_per_second": 1.0, "sessions": []}},
        {"versions": {"python": 3}},
        {"set": "trains=40"},
        {"command": None},
        {"warnings": ["planner looks at hidden cards"]},
        {"checksums": {"games": ["no hash"]}},
    ],
)
def test_every_field_of_the_record_is_checked(run: Path, values: dict[str, object]) -> None:
    forge_record(run, **values)
    with pytest.raises(UserError, match=r"run\.json is damaged: "):
        open_run(run)


def test_a_record_cannot_command_a_terminal(run: Path) -> None:
    forge_plan(run, bots=["\x1b]0;gone\x07.py:Bot", "racer"])
    with pytest.raises(UserError, match="characters that cannot be printed"):
        open_run(run)
    (run / "run.json").write_text('{"plan": ' + "[" * 3_000 + "]" * 3_000 + "}")
    with pytest.raises(UserError, match="nested too deeply"):
        open_run(run)


@pytest.mark.parametrize("table", ["seats", "turns"])
def test_rows_beyond_what_the_games_can_have(command: Command, run: Path, table: str) -> None:
    """Millions of equal rows are a few kilobytes, sealed like any other part."""
    file = run / table / "part-00000.parquet"
    rows = pq.read_table(file).slice(0, 1).replace_schema_metadata(metadata_of(file))
    few = pa.concat_tables([rows] * 1_000).combine_chunks()
    piece = pa.concat_tables([few] * 1_000).combine_chunks()
    with pq.ParquetWriter(file, rows.schema, compression="zstd", use_dictionary=True) as writer:
        for _ in range(MILLIONS):
            writer.write_table(piece)
    assert file.stat().st_size < 500_000
    for words in (("audit", run), ("replay", run, 0), ("report", run)):
        outcome = command(*words)
        assert outcome.code == 2
        sentence = f"{file} is no part of this run: it has {MILLIONS},000,000 rows, more than its games can"
        assert outcome.err.endswith(f"Error: {sentence}\n")


def file_of_gigabytes(run: Path) -> None:
    with (run / "games" / "part-00000.parquet").open("r+b") as bytes_of_it:
        bytes_of_it.truncate(5_000_000_000)  # holes take no space on disk


def one_huge_text(run: Path) -> None:
    """Seventy million equal letters are a few kilobytes on disk."""
    forge_rows(run, lambda rows: set_cell(rows, "games", "fill", lambda fill: "b" * 70_000_000))
    assert (run / "games" / "part-00000.parquet").stat().st_size < 500_000


def long_text_stored_once(run: Path) -> None:
    """It would be repeated in each of thousands of rows."""
    forge_rows(run, lambda rows: set_cell(rows, "turns", "fill2", lambda fill: "b" * 10_001))


@pytest.mark.parametrize(
    ("inflate", "sentence"),
    [
        (file_of_gigabytes, "it has 5,000,000,000 bytes"),
        (one_huge_text, "it unpacks to 70,"),
        (long_text_stored_once, "it has a text of more than 10,000 letters"),
    ],
)
def test_a_part_that_would_fill_the_memory(
    command: Command, run: Path, inflate: Callable[[Path], None], sentence: str
) -> None:
    inflate(run)
    outcome = command("audit", run)
    assert (outcome.code, sentence in outcome.err) == (2, True)
