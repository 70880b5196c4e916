"""What findings about the board rest on, and what the other fields of a study say about them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.analysis.synthetic import World, write_run
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.run.lineups import ALL_BOTS

TICKET, BONUS = 7, 15.0
EVERY_STYLE = dict.fromkeys(ALL_BOTS, 0.0)
RIVALS = dict.fromkeys(("planner", "racer", "blocker", "longroute"), 0.0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("fields")
    strong = World(bots={"planner": 0.0}, tickets={TICKET: BONUS}, seats=(5.0, 0.0))
    turned = World(bots=RIVALS, tickets={TICKET: -BONUS}, seats=(5.0, 0.0))
    weaker = World(bots={"racer": -15.0, "planner": 0.0})
    return {
        "strong": write_run(home / "strong", strong, 1_500),
        "rivals": write_run(home / "rivals", World(bots=RIVALS, tickets={TICKET: BONUS}, seats=(5.0, 0.0)), 3_000),
        "turned": write_run(home / "turned", turned, 3_000),
        "all": write_run(home / "all", World(bots=EVERY_STYLE, tickets={TICKET: BONUS}, seats=(5.0, 0.0)), 6_000),
        "rewards": write_run(home / "rewards", weaker, 500, log="results", one_of=("racer",)),
    }


def verdict(analysis: Analysis) -> pd.Series:
    return analysis.tables["ticket_value"].iloc[TICKET]


def test_the_board_is_judged_by_strong_players_alone(runs: dict[str, Path]) -> None:
    alone, beside = (analyze([runs[name] for name in names]) for names in (["strong"], ["turned", "strong"]))
    numbers = ["win_effect", "excess", "points_effect", "verdict", "grade", "n"]
    assert verdict(alone)[numbers].equals(verdict(beside)[numbers])
    assert alone.tables["seats"].equals(beside.tables["seats"])
    assert set(beside.tables["strategies"]["bot"]) == set(RIVALS)


@pytest.mark.parametrize(
    ("names", "holds", "words"),
    [
        (["strong"], "strong", ""),
        (["strong", "rivals"], "strong", "Among other players it is not certain."),
        (["strong", "rivals", "all"], "all", "This holds no matter who plays."),
        (["strong", "turned"], "depends", "it depends on who plays."),
        (["strong", "turned", "all"], "depends", "it depends on who plays."),
    ],
)
def test_a_verdict_holds_as_far_as_other_fields_show(
    runs: dict[str, Path], names: list[str], holds: str, words: str
) -> None:
    analysis = analyze([runs[name] for name in names])
    assert (verdict(analysis)["verdict"], verdict(analysis)["holds"]) == ("generous", holds)
    found = next(finding for finding in analysis.findings if finding.rule == "ticket_generous")
    assert (found.about, found.topic, found.holds) == ("board", "tickets", holds)
    assert words in found.sentence and ("who plays" in found.sentence) == (holds in ("all", "depends"))


def test_one_seat_among_strong_ones_is_a_reward_and_changes_nothing_else(runs: dict[str, Path]) -> None:
    analysis = analyze([runs["strong"], runs["rewards"]])
    row = analysis.tables["rewards"].iloc[0]
    assert (row["variant"], row["n"], row["fair"]) == ("racer", 1_000, 0.5)
    assert row["win_share_high"] < 0.4
    assert "simple_styles" in {finding.rule for finding in analysis.findings}
    assert analysis.tables["ticket_value"].equals(analyze([runs["strong"]]).tables["ticket_value"])


def test_findings_about_the_board_come_first(runs: dict[str, Path]) -> None:
    about = [finding.about for finding in analyze([runs["strong"], runs["rivals"], runs["rewards"]]).findings]
    assert about == sorted(about, key=["board", "play", "limits"].index)
    assert {"board", "play"} <= set(about)
