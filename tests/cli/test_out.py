"""--out and --force: no command replaces a page or file of the user's without being told to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome

Command = Callable[..., Outcome]
SMALL = ("--players", "2", "--games", "4", "--bots", "random", "-q")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (("study", "amsterdam", *SMALL, "--out", "mine"), "mine/index.html"),
        (("study", "amsterdam", "usa", *SMALL, "--out", "mine"), "mine/usa/index.html"),
        (("compare", "amsterdam", "usa", *SMALL, "--out", "mine"), "mine/index.html"),
        (("balance", "amsterdam", "--players", "2"), "reports/amsterdam-balanced-changes/index.html"),
        (("show", "amsterdam", "--out", "board.svg"), "board.svg"),
    ],
)
def test_a_page_of_the_user_is_refused_before_anything_is_played(
    command: Command, words: tuple[str, ...], place: str
) -> None:
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    Path(place).write_text("mine", "utf-8")
    outcome = command(*words)
    assert outcome.code == 2
    assert place in outcome.err and "--force" in outcome.err
    assert Path(place).read_text("utf-8") == "mine"
    assert not Path("runs").exists()


def test_force_replaces_it(command: Command) -> None:
    for name in ("mine/index.html", "board.svg"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("mine", "utf-8")
    assert command("show", "amsterdam", "--out", "board.svg", "--force").code == 0
    assert command("show", "amsterdam", "--out", "board.svg").code == 0
    assert command("show", "usa", "--out", "board.svg").code == 2
    assert command("study", "amsterdam", *SMALL, "--out", "mine", "--force").code == 0
    assert command("study", "amsterdam", *SMALL, "--out", "mine").code == 0
    assert "holds the report on amsterdam" in command("study", "usa", *SMALL, "--out", "mine").err
