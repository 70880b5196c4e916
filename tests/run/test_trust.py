"""Bot files that came with a folder run only when the user says so, and never before their hash is checked."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.conftest import Command, ended
from tests.run.forging import forge_record
from ttr_sim.cli.main import FINE, WRONG_USE
from ttr_sim.run import play, read


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a run with a bot file was played, `own`; its marks are kept apart from the user's."""
    home = tmp_path_factory.mktemp("home")
    bot = home / "my_bots.py"
    bot.write_text(
        "from pathlib import Path\n"
        f"Path({str(home / 'was-run')!r}).touch()\n\n\n"
        "def Bot(board, view, seat):\n    return -1\n"
    )
    words = ("run", "amsterdam", "--players", 2, "--bots", f"{bot}:Bot,random", "--games", 20)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(read, "cache_root", lambda: home)
        assert ended((*words, "--out", home / "own", "-q")) == FINE
    bot.unlink()
    return home


@pytest.fixture
def marker(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the bot's file writes when it is run, which no game loaded before may prevent."""
    monkeypatch.setattr(read, "cache_root", lambda: home)
    monkeypatch.setattr(play, "_loaded_games", {})
    (home / "was-run").unlink(missing_ok=True)
    return home / "was-run"


@pytest.fixture
def foreign(home: Path, marker: Path, tmp_path: Path) -> Path:
    """The run as somebody else sends it."""
    return Path(shutil.copytree(home / "own", tmp_path / "foreign"))


def unfinish(run: Path) -> None:
    for file in run.glob("*/part-*.parquet"):
        file.unlink()
    forge_record(run, digest=None, digest_turns=None)


@pytest.mark.parametrize(
    "words", [("report", "RUN"), ("compare", "RUN", "RUN"), ("audit", "RUN"), ("replay", "RUN", 0), ("runs", "RUN")]
)
def test_bots_of_a_run_that_is_only_read_never_run(
    command: Command, foreign: Path, marker: Path, words: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(foreign.parent)
    outcome = command(*(foreign if word == "RUN" else word for word in words))
    assert outcome.code == FINE, outcome.err
    assert not marker.exists()


def test_the_page_and_the_audit_of_a_foreign_run_say_what_they_take_on_trust(
    command: Command, home: Path, foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(foreign.parent)
    for run, is_foreign in ((foreign, True), (home / "own", False)):
        assert command("report", run, "--out", run.name, "-q").code == FINE
        page = " ".join(Path(run.name, "index.html").read_text("utf-8").split())
        assert ("This run was not played here" in page) == is_foreign
        assert ("routes that the bots published, which are taken on trust" in page) == is_foreign
    assert "Not checked: what bots published as wanted" in command("audit", foreign, "-q").out


@pytest.mark.parametrize("is_finished", [True, False])
def test_foreign_run_is_resumed_only_with_trust(
    command: Command, foreign: Path, marker: Path, is_finished: bool
) -> None:
    """The record may say that the run is finished, but its parts are lost."""
    unfinish(foreign)
    if is_finished:
        shutil.copy(marker.parent / "own" / "run.json", foreign)
    outcome = command("run", "--resume", foreign, "-q")
    file = foreign / "bots" / "my_bots.py"
    assert outcome.code == WRONG_USE and not marker.exists()
    assert "my_bots.py" in outcome.err and hashlib.sha256(file.read_bytes()).hexdigest()[:16] in outcome.err
    assert "--trust-bots" in outcome.err
    assert command("run", "--resume", foreign, "--trust-bots", "-q").code == FINE


def test_own_run_is_resumed_without_asking(command: Command, home: Path, marker: Path) -> None:
    unfinish(home / "own")
    assert command("run", "--resume", home / "own", "-q").code == FINE


@pytest.mark.parametrize("trusted", [(), ("--trust-bots",)])
def test_changed_bot_file_is_never_run(command: Command, foreign: Path, marker: Path, trusted: tuple[str, ...]) -> None:
    unfinish(foreign)
    with (foreign / "bots" / "my_bots.py").open("a") as file:
        file.write("\n# changed\n")
    outcome = command("run", "--resume", foreign, *trusted, "-q")
    assert outcome.code == WRONG_USE and not marker.exists()
    assert "a bot changed" in outcome.err or "--trust-bots" in outcome.err


def test_a_bot_file_may_import_modules_of_its_folder(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are copied, hashed and asked about like the file itself; nothing else in the folder is imported."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "bot.py").write_text("import colors, json, numpy\n\ndef Bot(board, view, seat):\n    return -colors.ONE\n")
    (mine / "colors.py").write_text("from numbers_of_mine import ONE\n")
    (mine / "numbers_of_mine.py").write_text("ONE = 1\n")
    for name in ("json", "numpy", "unused"):
        (mine / f"{name}.py").write_text("raise RuntimeError('never imported')\n")
    run, words = tmp_path / "run", ("--players", 2, "--bots", f"{mine / 'bot.py'}:Bot,random", "--games", 4)
    assert command("run", "amsterdam", *words, "--out", run, "-q").code == FINE
    assert sorted(file.name for file in run.glob("bots/*.py")) == ["bot.py", "colors.py", "numbers_of_mine.py"]

    foreign = Path(shutil.copytree(run, tmp_path / "foreign"))
    unfinish(foreign)
    monkeypatch.setattr(play, "_loaded_games", {})
    refused = command("run", "--resume", foreign, "-q")
    assert refused.code == WRONG_USE
    assert all(f"{name}.py (SHA-256" in refused.err for name in ("bot", "colors", "numbers_of_mine"))
    (foreign / "bots" / "colors.py").write_text("ONE = 2\n")
    assert "a bot changed" in command("run", "--resume", foreign, "--trust-bots", "-q").err
    (mine / "numbers_of_mine.py").write_text("ONE = 1  # another plan\n")
    assert "tuning" in command("run", "amsterdam", *words, "--out", run, "-q").err
