"""The Python API: what it lists, what it returns, and the documented session."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import ttr_sim
from ttr_sim.errors import UserError
from ttr_sim.run.read import Run

DOCS = Path(__file__).parents[1] / "docs"
NAMES = ["analyze", "compare", "draw", "load_edition", "open_run", "play", "study"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return ttr_sim.play("usa", 2, "racer,longroute", 60, jobs=1, out=tmp_path_factory.mktemp("runs") / "run")


def test_the_package_lists_its_api() -> None:
    assert dir(ttr_sim) == ["__version__", *NAMES]
    assert all(inspect.getdoc(getattr(ttr_sim, name)) for name in NAMES)


def test_the_signatures_are_those_of_the_docs() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    for name in NAMES:
        parameters = inspect.signature(getattr(ttr_sim, name)).parameters.values()
        plain = [each.name if each.default is each.empty else f"{each.name}={each.default!r}" for each in parameters]
        assert f"| `{name}({', '.join(plain)})` |" in text


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = "import sys, json, ttr_sim; print(json.dumps(sorted(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "numba", "pandas", "pyarrow", "click", "matplotlib"} & set(json.loads(loaded))


def test_the_same_games_whether_named_loaded_or_listed(run: Run, tmp_path: Path) -> None:
    edition = ttr_sim.load_edition("usa")
    again = ttr_sim.play(edition, 2, ["racer", "longroute"], 60, seed=1, jobs=1, out=tmp_path / "again")
    assert again.record.digest == run.record.digest == ttr_sim.open_run(run.path).record.digest
    assert len(again.seats()) == 120


def test_what_is_returned_shows_itself_shortly(run: Run, tmp_path: Path) -> None:
    other = ttr_sim.play("usa", 2, "racer,random", 60, jobs=1, out=tmp_path / "other")
    edition, analysis, comparison = ttr_sim.load_edition("usa"), ttr_sim.analyze(run), ttr_sim.compare(run, other.path)
    for shown in (edition, run, analysis, comparison, ttr_sim.draw(edition)):
        assert len(repr(shown)) < 400
        assert "\n" not in repr(shown)
    assert "games 60, seed 1" in repr(run)
    assert "games 60 (0 of 1 parts finished)" in repr(replace(run, parts=()))
    assert "<td>racer, longroute</td>" in run._repr_html_()
    assert len(str(analysis).splitlines()) == len(analysis.findings) + 1
    for summary in (analysis, comparison):
        assert summary._repr_html_().count("<li>") == len(str(summary).splitlines()) - 1


def test_names_of_a_designer_are_escaped(tmp_path: Path) -> None:
    ttr_sim.play("usa", 2, "random", 20, jobs=1, out=tmp_path / "run")
    rules = tmp_path / "run" / "edition" / "edition.toml"
    mine = tmp_path / "mine"
    rules.parent.rename(mine)
    text = re.sub(r"^title = .*$", 'title = "<b>Mine</b>"', (mine / "edition.toml").read_text(), flags=re.MULTILINE)
    (mine / "edition.toml").write_text(text)
    played = ttr_sim.play(mine, 2, "random", 20, jobs=1, out=tmp_path / "other")
    assert tomllib.loads(text)["title"] == played.edition.title
    for shown in (played, ttr_sim.analyze(played), ttr_sim.draw(played.edition)):
        assert "<b>Mine" not in shown._repr_html_()


def test_a_drawing_is_saved_and_wrong_input_refused_in_a_sentence(tmp_path: Path) -> None:
    drawing = ttr_sim.draw("amsterdam")
    assert drawing.save(tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<?xml")
    with pytest.raises(UserError, match=r"must end in \.png or \.svg"):
        drawing.save(tmp_path / "board.gif")
    with pytest.raises(UserError, match="2 to 5 players, not 9"):
        ttr_sim.play("usa", 9, "random", 10)
    with pytest.raises(UserError, match="no run was named"):
        ttr_sim.analyze([])


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_the_documented_session_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "notebook.py").read_text(encoding="utf-8")
    assert text.count("GAMES = 2_000") == 1
    exec(compile(text.replace("GAMES = 2_000", "GAMES = 80"), "notebook.py", "exec"), {})
    assert "Comparison of" in capsys.readouterr().out
    assert (tmp_path / "usa-report" / "index.html").is_file()
