"""What no rule shows: a run that is not its plan carried out, although its digests and seals fit."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from tests.played_runs import play_run
from tests.run.forging import (
    Rows,
    double_first_block,
    first_row,
    forge_plan,
    forge_record,
    forge_rows,
    retake_digests,
    set_cell,
)
from ttr_sim.errors import Interrupted, UserError
from ttr_sim.run.opened import open_run
from ttr_sim.run.verify import Replayed, check_files, check_plan, replay, sample_size

BLOCKS = 10
NOTHING = Replayed(BLOCKS, [])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("verify") / "run"
    play_run(run, "amsterdam", 2, ("planner", "racer"), 2 * BLOCKS, part_size=8)
    return run


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy to forge."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def replay_all(path: Path) -> Replayed:
    return replay(open_run(path), None, False, lambda done: None)


def test_a_clean_run_is_its_plan_carried_out(played: Path) -> None:
    run = open_run(played)
    assert check_files(run, 1) == ()
    assert check_plan(run) == []
    assert replay_all(played) == NOTHING


def test_a_sample_plays_so_many_blocks(played: Path) -> None:
    assert replay(open_run(played), 3, False, lambda done: None) == Replayed(3, [])
    assert sample_size(open_run(played)) == 2  # its parts are as small as those of slow bots


def test_results_alone_are_played_again_too(tmp_path: Path) -> None:
    play_run(tmp_path / "run", "amsterdam", 2, ("planner", "racer"), 6, log="results")
    assert replay_all(tmp_path / "run") == Replayed(3, [])


def test_drawn_lineups_are_played_again_too(tmp_path: Path) -> None:
    play_run(tmp_path / "run", "amsterdam", 3, ("planner", "racer", "path", "hungry", "random"), 20, part_size=6)
    run = open_run(tmp_path / "run")
    assert check_plan(run) == []
    assert replay_all(tmp_path / "run").found == []


def flip(table: str, column: str, change: Callable[[object], object]) -> Callable[[Rows], Rows]:
    return lambda rows: set_cell(rows, table, column, change, first_row(rows, table, column))


FORGED_ROWS: dict[str, Callable[[Rows], Rows]] = {
    "wanted_by": flip("turns", "wanted_by", lambda mask: int(mask) ^ 1),  # type: ignore[call-overload]
    "plans": flip("seats", "plans", lambda plans: not plans),
    "a hand": flip("seats", "hand", lambda hand: "b" + str(hand)[1:] if str(hand)[0] != "b" else "k" + str(hand)[1:]),
    "a margin": flip("games", "margin", lambda margin: int(margin) + 1),  # type: ignore[call-overload]
    "a winner": flip("seats", "win_share", lambda share: 1.0 - float(share)),  # type: ignore[arg-type]
    "a blind card": flip("turns", "card2", lambda letter: "b" if letter != "b" else "k"),
    "a ticket offered": flip("tickets", "ticket", lambda ticket: (int(ticket) + 1) % 24),  # type: ignore[call-overload]
    "a turn number": flip("turns", "turn", lambda turn: int(turn) + 1),  # type: ignore[call-overload]
    "a block doubled under another number": double_first_block,
}


@pytest.mark.parametrize("what", FORGED_ROWS)
def test_a_change_of_rows_shows_when_blocks_are_played_again(run: Path, what: str) -> None:
    forge_rows(run, FORGED_ROWS[what])
    assert check_files(open_run(run), 1) == ()  # digests and seals fit
    assert replay_all(run).found


FORGED_SEATS: dict[str, Callable[[Rows], Rows]] = {
    "deal": flip("games", "deal", lambda deal: int(deal) + 1),  # type: ignore[call-overload]
    "players": flip("games", "players", lambda players: 3),
    "bot": flip("seats", "bot", lambda bot: "racer" if bot == "planner" else "planner"),
    "seat": flip("seats", "seat", lambda seat: 1),
    "game": flip("seats", "game", lambda game: 1),
}


@pytest.mark.parametrize("what", FORGED_SEATS)
def test_who_sat_where_is_compared_with_the_plan(run: Path, what: str) -> None:
    forge_rows(run, FORGED_SEATS[what])
    assert check_plan(open_run(run))


@pytest.mark.parametrize(
    ("what", "values"),
    [("seed", {"seed": 2}), ("bots", {"bots": ["racer", "planner"]})],
)
def test_a_plan_put_on_other_games_shows(run: Path, what: str, values: dict[str, object]) -> None:
    forge_plan(run, **values)
    retake_digests(run)
    assert check_plan(open_run(run)) or replay_all(run).found


def test_a_block_left_out_shows(run: Path) -> None:
    """The last block goes, and the plan says one block less: what is left is a run of fewer games, which is no lie."""
    forge_rows(run, lambda rows: {table: old.slice(0, len(old) - 2) for table, old in rows.items()})
    assert check_plan(open_run(run))


def test_a_missing_part_and_a_strange_one_show(run: Path) -> None:
    shutil.copy(run / "games" / "part-00000.parquet", run / "games" / "other.parquet")
    assert "is not part of this run's plan" in check_files(open_run(run), 1)[0]
    (run / "games" / "other.parquet").unlink()
    for table in ("games", "seats", "turns", "tickets"):
        (run / table / "part-00001.parquet").unlink()
    assert check_files(open_run(run), 1)


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
        {"doubts": ["planner looks at hidden cards"]},
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


def test_a_record_nested_without_end_is_refused(run: Path) -> None:
    (run / "run.json").write_text('{"plan": ' + "[" * 3_000 + "]" * 3_000 + "}")
    with pytest.raises(UserError, match="nested too deeply"):
        open_run(run)


def test_settings_that_were_not_played_show(run: Path) -> None:
    forge_record(run, set=["trains=10"])
    (found,) = check_plan(open_run(run))
    assert "--set" in found.message


def test_another_kernel_is_said_and_no_finding(run: Path) -> None:
    forge_plan(run, kernel="0" * 64)
    retake_digests(run)
    replayed = replay_all(run)
    assert (replayed.blocks, replayed.found) == (0, [])
    assert replayed.note is not None
    assert "another version of the engine" in replayed.note


def test_bot_files_are_not_run_unless_trusted(tmp_path: Path) -> None:
    """The file would leave a trace when it is loaded."""
    file = tmp_path / "mine.py"
    file.write_text("def choose(board, view, seat):\n    return -1\n\n\nchoose.plans = False\n", encoding="utf-8")
    play_run(tmp_path / "run", "amsterdam", 2, (f"{file}:choose", "random"), 4)
    trace = tmp_path / "trace"
    copy = tmp_path / "run" / "bots" / "mine.py"
    copy.write_text(f"open({str(trace)!r}, 'w').close()\n" + copy.read_text())
    replayed = replay_all(tmp_path / "run")
    assert replayed.note is not None
    assert "--trust-bots" in replayed.note
    assert not trace.exists()
    assert json.loads((tmp_path / "run" / "run.json").read_text())["plan"]["bots"][1] == "random"


def test_bots_in_plain_python_are_played_again_in_processes(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def choose(self, board, view, seat):\n        return -1\n", encoding="utf-8")
    play_run(tmp_path / "run", "amsterdam", 2, (f"{file}:Mine", "random"), 4)
    assert replay(open_run(tmp_path / "run"), None, True, lambda done: None) == Replayed(2, [])


def test_ctrl_c_ends_the_playing_and_tells_no_result(played: Path) -> None:
    heard: list[int] = []

    def interrupt_once(done: int) -> None:
        heard.append(done)
        if len(heard) == 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted):
        replay(open_run(played), None, False, interrupt_once)


def test_words_that_no_log_has_show_although_their_first_letters_fit(run: Path) -> None:
    forge_rows(run, flip("games", "end", lambda end: f"{str(end)[:2]}xx"))
    assert "end has words that no log has" in check_files(open_run(run), 1)[0]


@pytest.mark.parametrize("words", [("replay", "RUN", 0), ("report", "RUN")])
def test_rows_that_cannot_be_followed_are_blamed_and_no_bug(
    command: Callable[..., Outcome], run: Path, words: tuple[object, ...], tmp_path: Path
) -> None:
    forge_rows(run, lambda rows: {**rows, "turns": rows["turns"].slice(0, 0)})
    out = () if words[0] == "replay" else ("--out", tmp_path / "page")
    outcome = command(*(run if word == "RUN" else word for word in words), *out)
    assert outcome.code == 2
    assert f"{run} cannot be read (game 0" in outcome.err and "ttr-sim audit" in outcome.err
