"""The script that proves balances a second time: what it spoils, and how it goes on."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from scripts.tools.prove_balance import STEP, Repetition, repetitions, spoiled, summary
from ttr_sim.edition import load_edition


def found(seed: int, failed: int, again: int) -> Repetition:
    return Repetition(seed, 2, 3, seed // 3, 100, failed, 30, 0, again)


def test_tickets_are_spoiled_by_the_seed_and_stay_worth_something(tmp_path: Path) -> None:
    usa = load_edition("usa")
    boards = [spoiled(usa, seed, 3, tmp_path / str(seed)) for seed in range(1, 6)]
    for board in boards:
        moved = [
            (old.points, new.points)
            for old, new in zip(usa.tickets, board.tickets, strict=True)
            if old.points != new.points
        ]
        assert len(moved) == 3
        assert all(abs(old - new) == STEP and new >= 1 for old, new in moved)
    assert len({board.fingerprint for board in boards}) == len(boards)
    assert spoiled(usa, 1, 3, tmp_path / "again").fingerprint == boards[0].fingerprint


def test_a_race_has_no_points_to_spoil(tmp_path: Path) -> None:
    race = load_edition("first_journey")
    assert spoiled(race, 1, 3, tmp_path / "spoiled") is race


def test_what_is_in_the_file_is_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "results"
    known = [found(1, 1, 0), found(2, 0, 1), found(3, 0, 2)]
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in known))
    options = Namespace(results=file, first=1, repetitions=3, edition="nowhere")
    assert list(repetitions(options)) == known
    assert list(summary(known)) == [
        "1 of 300 proven targets failed a second proof.",
        "0 of 90 proven tickets failed a second proof.",
        "1 of 2 boards that balance made fair got no edit.",
    ]
