from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from ttr_sim.report.tables import write_tables


def written(tmp_path: Path, table: pd.DataFrame) -> list[list[str]]:
    write_tables({"t": table}, tmp_path)
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("name", ['=HYPERLINK("http://x","y")', "+1", "-2+3", "@SUM(A1)", "\tx", "\rx", "\n=1", "  =1"])
def test_formulas_are_defused(tmp_path: Path, name: str) -> None:
    assert written(tmp_path, pd.DataFrame({"from": [name]}))[1] == ["'" + name]


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    rows = written(tmp_path, pd.DataFrame({"a": [-1.5, 0.25], "b": [-3, 4], "c": [None, "x"]}))
    assert rows[1:] == [["-1.5", "-3", ""], ["0.25", "4", "x"]]


def test_plain_names_stay_as_they_are(tmp_path: Path) -> None:
    assert written(tmp_path, pd.DataFrame({"from": ["Saint-Étienne, =x"]}))[1] == ["Saint-Étienne, =x"]


def test_excel_reads_accents(tmp_path: Path) -> None:
    write_tables({"t": pd.DataFrame({"from": ["Montréal"]})}, tmp_path)
    assert (tmp_path / "t.csv").read_bytes().startswith("\ufeff".encode())
    assert list(pd.read_csv(tmp_path / "t.csv").columns) == ["from"]
