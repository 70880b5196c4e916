"""Whole studies, played by chance with planted effects: found when there, and no false alarm when not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.analysis.synthetic import World, write_run
from tests.played_runs import play_run
from ttr_sim.analysis import standings
from ttr_sim.analysis.analysis import Analysis, analyze, judge
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.standings import ELO, bradley_terry, cycles
from ttr_sim.analysis.tickets import Deals, Yardstick, parse_holds, ticket_value
from ttr_sim.run.lineups import ALL_BOTS
from ttr_sim.run.plan import RESULTS
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
def test_intervals_of_seats_and_styles_cover_and_corrected_lists_raise_few_false_alarms(tmp_path: Path) -> None:
    count, hits, alarms = 400, list[tuple[float, float]](), {"seats": 0, "styles": 0}
    for study in studies(tmp_path / "run", NULL, count, 60, 3):
        duels, seats = standings.matchups(study), standings.seats(study)
        styles = standings.strategies(study, duels)
        hits.append((covered(seats, "win_share", 1 / 3).mean(), covered(styles, "win_share", 1 / 3).mean()))
        alarms["seats"] += seats["p_adjusted"].min() <= 0.05
        alarms["styles"] += duels["p_adjusted"].min() <= 0.05
    assert all(0.93 <= share <= 0.97 for share in np.mean(hits, axis=0)), hits
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


FIELD_BONUS = 15.0
RIVALS = ("planner", "racer", "blocker", "longroute")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home, found = tmp_path_factory.mktemp("fields"), {}
    for name, bots, blocks in (
        ("strong", ("planner",), 1_500),
        ("rivals", RIVALS, 3_000),
        ("turned", RIVALS, 3_000),
        ("all", ALL_BOTS, 6_000),
    ):
        bonus = -FIELD_BONUS if name == "turned" else FIELD_BONUS
        world = World(bots=dict.fromkeys(bots, 0.0), tickets={TICKET: bonus}, seats=(5.0, 0.0))
        found[name] = write_run(home / name, world, blocks)
    weaker = World(bots={"racer": -15.0, "planner": 0.0})
    found["rewards"] = write_run(home / "rewards", weaker, 500, log="results", one_of=("racer",))
    return found


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


def test_decks_that_strong_players_never_take_are_measured_where_chance_deals_them(tmp_path: Path) -> None:
    strong, mixes = (
        play_run(tmp_path / bot, "germany", 2, (bot,), 300, log=RESULTS) for bot in ("planner", "planner:lottery=1")
    )
    alone, both, by_chance = (analyze(runs) for runs in ([strong], [strong, mixes], [mixes]))
    before, after, source = (analysis.tables["ticket_value"] for analysis in (alone, both, by_chance))
    short, columns = before["deck"] == "short", ["n", "win_effect", "win_effect_low", "expected", "excess", "p"]
    assert (before[short]["n"] == 0).all()
    assert alone.verdict.never_dealt == short.sum()
    assert (after[short]["n"] > 0).all()
    pd.testing.assert_frame_equal(after[short][columns], source[short][columns])
    pd.testing.assert_frame_equal(after[~short][columns], before[~short][columns])
    assert both.verdict.never_dealt == 0
    assert after[short]["state"].isin(["met", "open", "missed"]).all()
    assert [target.key for target in judge([strong, mixes])[0] if target.state] == [
        target.key for target in both.verdict.targets if target.state
    ]


def test_findings_about_the_board_come_first(runs: dict[str, Path]) -> None:
    about = [finding.about for finding in analyze([runs["strong"], runs["rivals"], runs["rewards"]]).findings]
    assert about == sorted(about, key=["board", "play", "limits"].index)
    assert {"board", "play"} <= set(about)
