"""`study` and `report`: from editions or runs to pages, and wrong use told in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome

Command = Callable[..., Outcome]
SMALL = ("--players", "2", "--games", "12", "--bots", "path,racer", "-q")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_study_writes_a_report_and_tells_its_findings(command: Command, elsewhere: Path) -> None:
    outcome = command("study", "amsterdam", *SMALL)
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith("Amsterdam: what stands out")
    assert outcome.out.endswith("reports/amsterdam/index.html\n")
    report = elsewhere / "reports" / "amsterdam"
    assert "ttr-sim" in (report / "index.html").read_text(encoding="utf-8")
    assert list((report / "charts").glob("*.png"))
    assert (report / "tables" / "routes.csv").is_file()


def test_several_editions_get_a_page_each_and_one_side_by_side(command: Command, elsewhere: Path) -> None:
    outcome = command("study", "amsterdam", "first_journey", *SMALL, "--out", "both")
    assert outcome.code == 0
    assert outcome.out.endswith("both/index.html\n")
    page = (elsewhere / "both" / "index.html").read_text(encoding="utf-8")
    for name in ("amsterdam", "first_journey"):
        assert f'href="{name}/index.html"' in page
        assert (elsewhere / "both" / name / "index.html").is_file()


def test_a_designers_own_folder(command: Command, elsewhere: Path) -> None:
    assert command("new", "my-map", "--from", "amsterdam").code == 0
    assert command("study", "my-map", *SMALL).code == 0
    assert (elsewhere / "reports" / "my-map" / "index.html").is_file()


def test_report_of_a_run(command: Command, elsewhere: Path) -> None:
    played = command("run", "amsterdam", *SMALL, "--log", "results", "--out", "my-run")
    assert played.code == 0
    outcome = command("report", "my-run", "--out", "page")
    assert outcome.code == 0
    page = (elsewhere / "page" / "index.html").read_text(encoding="utf-8")
    assert "--log results" in page


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("study", "amsterdamm"), "amsterdam"),
        (("study", "amsterdam", "--players", "5"), "5"),
        (("report", "nowhere"), "nowhere"),
    ],
)
def test_wrong_use_is_one_sentence(command: Command, words: tuple[str, ...], told: str) -> None:
    outcome = command(*words)
    assert outcome.code == 2
    assert told in outcome.err
    assert "Traceback" not in outcome.err


def test_a_file_in_the_place_of_the_report(command: Command, elsewhere: Path) -> None:
    (elsewhere / "taken").touch()
    outcome = command("study", "amsterdam", "--out", "taken")
    assert outcome.code == 2
    assert "taken is a file" in outcome.err
