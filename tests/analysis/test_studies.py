"""Whole studies, played by chance with planted effects: found when there, and no false alarm when not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.analysis.synthetic import World, write_run
from ttr_sim.analysis import standings
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.standings import ELO, bradley_terry, cycles
from ttr_sim.analysis.tickets import Deals, Yardstick, ticket_value
from ttr_sim.run.read import open_run

BONUS, TICKET, STRONGER = 10.0, 7, 8.0
DEALT, DECK = 3, 30  # tickets of a seat at setup, and of the deck
PLANTED = World(
    bots={"racer": 0.0, "planner": STRONGER, "path": 0.0, "hungry": 0.0, "random": 0.0},
    seats=(5.0, 0.0, 0.0, 0.0),
    tickets={TICKET: BONUS},
)
NULL = World(bots={"planner": 0.0, "racer": 0.0, "path": 0.0})
# What a ticket does to whoever is dealt it, against the deck's mean: its own points and those of its company.
COMPANY = (DEALT - 1) / (DECK - 1)
MEAN_OF_DECK = BONUS * DEALT / DECK
EFFECTS = np.where(np.arange(DECK) == TICKET, BONUS, BONUS * COMPANY) - MEAN_OF_DECK


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    return analyze([write_run(tmp_path_factory.mktemp("planted") / "run", PLANTED, blocks=1_500, players=4)])


def studies(folder: Path, world: World, count: int, blocks: int, players: int) -> Iterator[Database]:
    """Each part of one long run is a study of its own."""
    run = open_run(write_run(folder, world, count * blocks, players, log="results", blocks_per_part=blocks))
    for part in run.parts:
        with Database([replace(run, parts=(part,))]) as games:
            yield games


def covered(table: pd.DataFrame, name: str, truth: object) -> pd.Series:
    return (table[f"{name}_low"] <= truth) & (truth <= table[f"{name}_high"])


def test_ticket_worth_ten_more_is_found(planted: Analysis) -> None:
    value = planted.tables["ticket_value"]
    assert value[value["state"] == "missed"]["ticket"].tolist() == [TICKET]
    assert value["side"][TICKET] == "generous"
    assert covered(value, "points_effect", EFFECTS).mean() >= 0.85
    row = value.iloc[TICKET]
    assert row["win_effect_low"] > 0.05
    finding = next(finding for finding in planted.findings if finding.rule == "ticket_generous")
    assert (finding.table, finding.row) == ("ticket_value", TICKET)
    assert f"{row['from']}–{row['to']} is too generous" in finding.sentence


def test_stronger_bot_is_found(planted: Analysis) -> None:
    table = planted.tables["strategies"].set_index("bot")
    assert table["verdict"].to_dict() == {bot: "dominant" if bot == "planner" else "" for bot in PLANTED.bots}
    assert table["rating"].idxmax() == "planner"
    assert table["win_share_low"]["planner"] > 0.25
    assert "dominant_style" in {finding.rule for finding in planted.findings}


def test_better_seat_is_found(planted: Analysis) -> None:
    table = planted.tables["seats"]
    assert table["win_share"].idxmax() == 0
    assert table["p_adjusted"][0] < 0.001
    findings = [finding for finding in planted.findings if finding.rule == "turn_order"]
    assert [finding.sentence.startswith("The first player wins ") for finding in findings] == [True]


def test_contention_by_chance_is_measured_as_planted(planted: Analysis) -> None:
    routes = planted.tables["routes"]
    of_bots = pd.Series(PLANTED.bots).index
    planning = len(PLANTED.planning & set(of_bots)) / len(of_bots)
    wanted = 1 - (1 - PLANTED.rival_chance * planning) ** 3
    assert (routes["contention"] / routes["claimed"]).mean() == pytest.approx(wanted, rel=0.05)
    alone = routes.groupby("group")["route"].transform("count") == 1
    assert (routes["denial"] == routes["contention"])[alone].all()
    assert (routes["denial"] < routes["contention"])[~alone].all()


def test_nothing_notable_is_told_as_such(tmp_path: Path) -> None:
    analysis = analyze([write_run(tmp_path / "run", NULL, blocks=600, players=3)])
    quiet = {finding.rule for finding in analysis.findings if not finding.notable}
    assert {"styles", "seats", "oddities"} <= quiet
    assert analysis.verdict.counts["missed"] == 0
    of_tickets = [finding.sentence for finding in analysis.findings if finding.topic == "tickets"]
    assert all(" may be too " in sentence or sentence.startswith("No ticket ") for sentence in of_tickets)
    assert all(finding.sentence.endswith(".") for finding in analysis.findings)


@pytest.mark.parametrize(
    ("count", "least", "most"), [(12, 0.91, 0.99), pytest.param(150, 0.93, 0.97, marks=pytest.mark.slow)]
)
def test_intervals_of_ticket_effects_cover(tmp_path: Path, count: int, least: float, most: float) -> None:
    cases = studies(tmp_path / "run", PLANTED, count, 60, 4)
    hits = [covered(ticket_value(Deals(study)), "points_effect", EFFECTS) for study in cases]
    assert least <= np.mean(hits) <= most


@pytest.mark.slow
def test_intervals_of_seats_and_styles_cover(tmp_path: Path) -> None:
    seat_hits, style_hits = [], []
    for study in studies(tmp_path / "run", NULL, 400, 60, 3):
        duels = standings.matchups(study)
        seat_hits.append(covered(standings.seats(study), "win_share", 1 / 3))
        style_hits.append(covered(standings.strategies(study, duels), "win_share", 1 / 3))
    assert 0.93 <= np.mean(seat_hits) <= 0.97
    assert 0.93 <= np.mean(style_hits) <= 0.97


@pytest.mark.slow
def test_corrected_lists_raise_few_false_alarms(tmp_path: Path) -> None:
    count, alarms = 400, {"seats": 0, "styles": 0}
    for study in studies(tmp_path / "run", NULL, count, 60, 3):
        alarms["seats"] += standings.seats(study)["p_adjusted"].min() <= 0.05
        alarms["styles"] += standings.matchups(study)["p_adjusted"].min() <= 0.05
    assert max(alarms.values()) / count <= 0.06, alarms


@pytest.mark.slow
def test_corrected_list_of_tickets_raises_few_false_alarms(tmp_path: Path) -> None:
    """The wins of a ticket that is dealt 500 times; with a tenth of that a table has one in 12 studies."""
    count, alarms = 400, 0
    level = Yardstick({}, {})  # known, as the p-values take it: no ticket is expected to be worth anything
    for study in studies(tmp_path / "run", NULL, count, 600, 3):
        alarms += ticket_value(Deals(study), level)["p_adjusted"].min() <= 0.05
    assert alarms / count <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / count)


def duels(strengths: Floats, groups: int, games: int, chance: np.random.Generator) -> Floats:
    """Wins of each style over each other, by group, when the ratings are true."""
    odds = 1 / (1 + np.exp((strengths[None, :] - strengths[:, None]) / ELO))
    wins = np.zeros((groups, len(strengths), len(strengths)))
    for first in range(len(strengths)):
        for second in range(first):
            won = chance.binomial(games, odds[first, second], groups)
            wins[:, first, second], wins[:, second, first] = won, games - won
    return wins


def test_true_strengths_are_covered() -> None:
    truth = np.array([-120.0, -20.0, 30.0, 110.0])
    chance = np.random.default_rng(1)
    hits = []
    for _ in range(300):
        low, high = bradley_terry(duels(truth, 40, 12, chance)).interval()
        hits.append((low <= truth) & (truth <= high))
    assert 0.93 <= np.mean(hits) <= 0.97


def test_unbeaten_style_has_a_finite_rating_on_top() -> None:
    wins = np.zeros((10, 3, 3))
    wins[:, 0, 1:] = 5
    wins[:, 1, 2], wins[:, 2, 1] = 3, 2
    ratings = bradley_terry(wins)
    assert np.isfinite(ratings.value).all()
    assert np.isfinite(ratings.interval()).all()
    assert ratings.value.argmax() == 0


def test_styles_that_never_met_or_play_alone_have_no_common_scale() -> None:
    wins = np.zeros((5, 4, 4))
    wins[:, 0, 1] = wins[:, 1, 0] = wins[:, 2, 3] = wins[:, 3, 2] = 4
    assert np.isnan(bradley_terry(wins).value).all()
    assert np.isnan(bradley_terry(wins[:, :1, :1]).value).all()


def test_circles_have_one_order() -> None:
    """The clearest first, of equally clear ones the short ones; they are found in any order."""
    shares = {("a", "b"): 0.6, ("b", "c"): 0.65, ("c", "a"): 0.6, ("c", "d"): 0.7, ("d", "a"): 0.6, ("d", "b"): 0.8}
    rows = [(2, bot, opponent, share, 0.001) for (bot, opponent), share in shares.items()]
    expected = ["b > c > d > b", "a > b > c > a", "a > b > c > d > a"]
    for order in (rows, rows[::-1]):
        found = cycles(pd.DataFrame(order, columns=["players", "bot", "opponent", "share", "p_adjusted"]))
        assert found["cycle"].tolist() == expected
        assert found["margin"].tolist() == pytest.approx([0.15, 0.1, 0.1])
