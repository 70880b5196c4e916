"""Runs read from notebooks: frames with names, and the README's examples run exactly as printed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb
import pandas as pd
import pytest

import ttr_sim
from tests.run.conftest import play
from ttr_sim.errors import UserError

ROOT = Path(__file__).parents[2]


def test_names_stand_beside_ids(played: Path) -> None:
    run = ttr_sim.open_run(played)
    claims = run.turns(["action", "route"]).query("action == 'claim'")
    assert claims["route_name"].str.contains("-").all()
    route = run.edition.routes[int(claims["route"].iloc[0])]
    ends = [run.edition.cities[city].name for city in (route.a, route.b)]
    assert claims["route_name"].iloc[0] == "-".join(ends)
    assert claims["route"].dtype == pd.Int16Dtype()


def test_tickets_come_with_their_facts(played: Path) -> None:
    run = ttr_sim.open_run(str(played))
    row = run.tickets().iloc[0]
    ticket = run.edition.tickets[int(row["ticket"])]
    assert row["ticket_name"] == f"{ticket.a}-{ticket.b}"
    assert row["points"] == ticket.points
    assert row["deck"] == "regular"


def test_whole_tables_have_all_rows(played: Path) -> None:
    run = ttr_sim.open_run(played)
    assert len(run.games()) == 120
    assert len(run.seats()) == 360
    assert run.seats()["bot"].dtype == "category"
    assert list(run.games(["game", "end"])) == ["game", "end"]


def test_stations_have_the_names_of_their_cities(tmp_path: Path) -> None:
    play(tmp_path / "run", edition="europe", games=30)
    stations = ttr_sim.open_run(tmp_path / "run").turns().query("action == 'station'")
    assert len(stations) > 0
    assert stations["city_name"].notna().all()
    assert stations["route_name"].isna().all()


def test_what_is_missing_is_named(played: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match='no column "rute"'):
        ttr_sim.open_run(played).turns(["rute"])
    with pytest.raises(UserError, match="there is no run in"):
        ttr_sim.open_run(tmp_path)
    play(tmp_path / "results", log="results", games=6)
    with pytest.raises(UserError, match="logged without turns"):
        ttr_sim.open_run(tmp_path / "results").turns()


def test_parts_without_their_games_are_not_read(copy_of_played: Path) -> None:
    (copy_of_played / "games" / "part-00003.parquet").unlink()
    run = ttr_sim.open_run(copy_of_played)
    assert len(run.seats()) == 270
    for number in range(3):
        (copy_of_played / "games" / f"part-{number:05d}.parquet").unlink()
    run = ttr_sim.open_run(copy_of_played)
    assert list(run.seats(["bot", "score"])) == ["bot", "score"]
    assert len(run.games()) == 0


def examples(language: str) -> list[str]:
    texts = (ROOT / "README.md").read_text(), (ROOT / "docs" / "runs.md").read_text()
    blocks = [block for text in texts for block in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)]
    return [block for block in blocks if "runs/" in block]


@pytest.fixture
def in_a_folder_with_runs(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine", "usa-4p-1a2b3c4d"):
        shutil.copytree(played, tmp_path / "runs" / name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("in_a_folder_with_runs")
@pytest.mark.parametrize("query", examples("sql"))
def test_queries_find_claims(query: str) -> None:
    with duckdb.connect() as database:
        routes = database.execute(query).fetchall()
    assert len(routes) >= 3
    assert all(claims > 0 for _, claims, _ in routes)


@pytest.mark.usefixtures("in_a_folder_with_runs")
@pytest.mark.parametrize("code", examples("python"))
def test_python_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})
