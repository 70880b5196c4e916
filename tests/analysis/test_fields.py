"""What findings about the board rest on, and what the other fields of a study say about them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.analysis.synthetic import World, write_run
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.tickets import parse_holds
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


def judged(analysis: Analysis) -> pd.Series:
    return analysis.tables["ticket_value"].iloc[TICKET]


def test_the_board_is_judged_by_strong_players_alone(runs: dict[str, Path]) -> None:
    alone, beside = (analyze([runs[name] for name in names]) for names in (["strong"], ["turned", "strong"]))
    numbers = ["win_effect", "excess", "points_effect", "state", "side", "n"]
    assert judged(alone)[numbers].equals(judged(beside)[numbers])
    assert alone.tables["seats"].equals(beside.tables["seats"])
    assert set(beside.tables["strategies"]["bot"]) == set(RIVALS)


STYLES = [bot for bot in ALL_BOTS if bot != "planner"]


@pytest.mark.parametrize(
    ("names", "asked", "words"),
    [
        (["strong"], {}, "than tickets as long."),
        (["strong", "rivals"], {"rivals": "same"}, "The same holds among"),
        (["strong", "turned"], {"rivals": "reversed"}, "It is reversed among"),
        (["strong", "rivals", "all"], {"rivals": "same", **dict.fromkeys(STYLES, "same")}, "The same holds among"),
    ],
)
def test_a_ticket_names_who_was_asked(
    runs: dict[str, Path], names: list[str], asked: dict[str, str], words: str
) -> None:
    """The same style's seats in the rivals' field, and the own seats of each other style among all."""
    analysis = analyze([runs[name] for name in names])
    row = judged(analysis)
    assert (row["state"], row["side"]) == ("missed", "generous")
    assert parse_holds(row["holds"]) == asked
    found = next(finding for finding in analysis.findings if finding.rule == "ticket_generous")
    assert (found.about, found.topic, found.holds) == ("board", "tickets", asked)
    assert words in found.sentence


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
