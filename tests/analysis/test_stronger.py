"""What players that look ahead make of a board: a finding says so where they surely differ, and only there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.analysis.test_findings import about, seat, tables, ticket
from tests.played_runs import play_run
from ttr_sim.analysis import analyze, findings
from ttr_sim.analysis.findings import board, play
from ttr_sim.analysis.findings import tickets as of_tickets
from ttr_sim.analysis.findings.opinions import NOBODY_ASKED, Opinions
from ttr_sim.analysis.stronger import opinions, rungs
from ttr_sim.analysis.stronger.opinions import CLASS, EXCESS, FIRST_PLAYER, NUMBERS, TICKET, opinions_on
from ttr_sim.analysis.stronger.rungs import Climb, read_climbs, write_climbs
from ttr_sim.edition import load_edition, official_names

Number = tuple[float, float]  # value, and half its interval


def opinion(measure: str, row: int, name: str, planner: Number, other: Number) -> dict[str, object]:
    numbers = [end for value, off in (planner, other) for end in (value, value - off, value + off)]
    facts = {"edition": "usa", "fingerprint": "f", "players": 2, "bot": "search:budget=50", "planner_games": 20_000}
    return {**facts, "games": 3_000, "measure": measure, "row": row, "name": name,
            **dict(zip(NUMBERS, numbers, strict=True))}  # fmt: skip


def kept(folder: Path, rows: list[dict[str, object]]) -> pd.DataFrame:
    opinions.write_opinions(pd.DataFrame(rows), folder / "verdicts.csv")
    return opinions_on("f", folder / "verdicts.csv")


PLANTED = [
    opinion(FIRST_PLAYER, 0, "the first player", (0.54, 0.01), (0.49, 0.02)),
    opinion(CLASS, 1, "such a ticket", (0.01, 0.01), (0.09, 0.02)),
    opinion(EXCESS, 0, "A0–B", (0.04, 0.01), (-0.04, 0.03)),
    opinion(EXCESS, 1, "A1–B", (0.0, 0.01), (0.01, 0.03)),
    opinion(EXCESS, 2, "A2–B", (0.0, 0.01), (0.10, 0.03)),
    opinion(TICKET, 2, "A2–B", (0.0, 0.01), (0.40, 0.03)),
]
TICKETS = [
    ticket(0, 0.04, "generous"),
    ticket(1, 0.0, "", **{"class": "high", "points": 20}),
    ticket(2, 0.0, ""),
]
DIFFERS = "Where all look ahead (search:budget=50, 3,000 games with 2 players that come with ttr-sim), "


def test_findings_say_where_a_stronger_player_surely_differs(tmp_path: Path) -> None:
    asked = Opinions(kept(tmp_path, PLANTED))
    (turn_order,) = board.turn_order(tables(seats=[seat(0, 0.54, 0.001), seat(1, 0.46, 0.001)]), {}, asked)
    assert turn_order.sentence.endswith(
        f"{DIFFERS}the first player wins 49.0 % (47.0 to 51.0) instead of 54.0 % (53.0 to 55.0)."
    )
    of_class, generous, quiet = of_tickets.tickets(tables(ticket_value=TICKETS), {}, is_race=False, opinions=asked)
    assert f"{DIFFERS}such a ticket gives +9.0 wins in 100" in of_class.sentence
    assert "compared with the mean of the deck." in of_class.sentence
    assert f"{DIFFERS}A0–B gives −4.0 wins in 100 (−7.0 to −1.0) instead" in generous.sentence
    assert "A2–B" not in generous.sentence
    assert quiet.sentence.startswith("In these games, the other tickets do not clearly differ from their class.")
    assert f"{DIFFERS}A2–B gives +10.0 wins in 100 (7.0 to 13.0)" in quiet.sentence
    assert not quiet.notable


def test_quiet_turn_order_says_it_too(tmp_path: Path) -> None:
    (found,) = board.turn_order(
        tables(seats=[seat(0, 0.5, 0.9), seat(1, 0.5, 0.9)]), {}, Opinions(kept(tmp_path, PLANTED))
    )
    assert not found.notable
    assert DIFFERS in found.sentence


def test_findings_are_silent_where_nothing_surely_differs(tmp_path: Path) -> None:
    same = [opinion(m, r, "x", (0.04, 0.01), (0.06, 0.03)) for m, r in ((FIRST_PLAYER, 0), (CLASS, 1), (EXCESS, 0))]
    for asked in (Opinions(kept(tmp_path, same)), NOBODY_ASKED):
        found = [
            *board.turn_order(tables(seats=[seat(0, 0.54, 0.001), seat(1, 0.46, 0.001)]), {}, asked),
            *of_tickets.tickets(tables(ticket_value=TICKETS), {}, is_race=False, opinions=asked),
        ]
        assert len(found) == 3
        assert not any("stronger" in each.sentence for each in found)


def test_players_who_play_alike_are_seldom_said_to_differ(tmp_path: Path) -> None:
    """Both are measured with chance alone between them: the correction over the list keeps false alarms below 5 %."""
    chance, alarms = np.random.default_rng(1), 0
    for _ in range(200):
        noise = chance.normal(0, [0.005, 0.03], (30, 2))
        rows = [opinion(EXCESS, n, "x", (a, 1.96 * 0.005), (b, 1.96 * 0.03)) for n, (a, b) in enumerate(noise)]
        alarms += bool(kept(tmp_path, rows)["is_other"].any())
    assert alarms <= 20, "at most 10 expected"


def test_numbers_without_an_interval_never_differ(tmp_path: Path) -> None:
    unknown = opinion(EXCESS, 0, "x", (0.0, 0.01), (0.9, float("nan")))
    assert not kept(tmp_path, [unknown])["is_other"].any()


def test_only_findings_that_rest_on_strong_players_are_doubted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = kept(tmp_path, PLANTED)
    monkeypatch.setattr(findings, "opinions_on", lambda fingerprint: planted)
    told = {}
    for bot in ("planner", "racer"):
        run = play_run(tmp_path / bot, "usa", 2, (bot,), 200)
        told[bot] = " ".join(finding.sentence for finding in analyze([run], in_brief=True).findings)
    assert f"{DIFFERS}the first player" in told["planner"]
    assert DIFFERS not in told["racer"]


def step(bot: str, others: str, share: float) -> dict[str, object]:
    return {"players": 2, "step": 9, "bot": bot, "opponent": others, "n": 120, "fair": 0.5,
            **about("win_share", share, 0.08)}  # fmt: skip


def test_depth_is_told_by_what_looking_ahead_wins() -> None:
    rows = [
        step("planner", "classic", 0.9),
        step("search:budget=50", "planner", 0.66),
        step("search:budget=200", "search:budget=50", 0.55),
    ]
    (found,) = play.depth(tables(shape_skill=rows))
    assert found.sentence == (
        "Looking ahead pays here (the budget is the number of games played in one's head for a decision): with "
        "2 players search:budget=50 wins 66.0 % (58.0 to 74.0) of 120 games against planner. Not clearly: with 2 "
        "players search:budget=200 wins 55.0 % (47.0 to 63.0) of 120 games against search:budget=50."
    )
    assert (found.rule, found.row) == ("depth", 1)
    (found,) = play.depth(tables(shape_skill=rows[2:]))
    assert not found.notable
    assert list(play.depth(tables(shape_skill=rows[:1]))) == []


def test_climbs_are_read_as_written(tmp_path: Path) -> None:
    climbs = [
        Climb("usa", "f", 3, "search:budget=50", "planner", 2, 1.5, "1/2/3 4/5/-6", (1.0, 0.333333) * 5),
        Climb("usa", "f", 3, "search:budget=200", "planner", 2, 1.5, "", (1.0, 0.5)),
        Climb("usa", "f", 3, "planner", "classic", 2, 1.5, "", (1.0, 3.0)),
    ]
    write_climbs(climbs, tmp_path / "ladder.csv")
    assert read_climbs(tmp_path / "ladder.csv") == climbs
    assert rungs.thoughtful_climbs("f", [3], tmp_path / "ladder.csv") == climbs[:1]
    assert rungs.thoughtful_climbs("f", [2], tmp_path / "ladder.csv") == []


def test_share_of_a_climb_is_the_mean_over_its_deals() -> None:
    climb = Climb("usa", "f", 2, "search:budget=50", "planner", 2, 1.0, "", (2.0, 1.0) * 30)
    share, low, high = climb.share()
    assert share == pytest.approx(0.75)
    half = 2.0 * 0.25 / 60**0.5  # Student's quantile, the spread of a deal's share
    assert (low, high) == pytest.approx((share - half, share + half), abs=0.006)


def test_what_is_shipped_fits_the_official_boards() -> None:
    fingerprints = {name: load_edition(name).fingerprint for name in official_names()}
    for climb in read_climbs():
        assert climb.fingerprint == fingerprints[climb.edition], "run scripts/ladder"
        assert (climb.bot, climb.others) in rungs.ALL_STEPS
    known = opinions.read_opinions()
    assert (known["fingerprint"] == known["edition"].map(fingerprints)).all(), "run scripts/verdicts"
