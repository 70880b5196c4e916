"""Two runs compared: planted differences are found, pairing pays, and nothing is found where there is nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.analysis.handmade import changed_usa
from tests.analysis.synthetic import World, write_run
from tests.played_runs import play_run
from ttr_sim.analysis.compare import Comparison, compare, contrast, measure
from ttr_sim.analysis.compare_text import side_names, verdict
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Estimate, Floats, benjamini_hochberg, ratio
from ttr_sim.errors import UserError
from ttr_sim.run.read import open_run

GROUPS, TRIALS, KEYS, MOST_ALARMS = 150, 400, 60, 0.06  # of the simulated lists
BLOCKS = 400
PLANTED = 3  # the ticket that gains its seat 12 points in one world
LEAST = 0.01


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("runs")
    made = {
        name: write_run(home / name, World(tickets={PLANTED: points}), BLOCKS, seed=2 if name == "other" else 1)
        for name, points in (("plain", 0.0), ("rich", 12.0), ("slight", 3.0), ("other", 0.0))
    }
    made["results"] = write_run(home / "results", World(), BLOCKS, seed=3, log="results")
    made["short"] = write_run(home / "short", World(), 100, blocks_per_part=100)
    made["four"] = write_run(home / "four", World(), 20, players=4)
    made["three bots"] = write_run(home / "three", World(bots={"planner": 0, "racer": 0, "path": 0}), 50)
    return made


def compared(a: Path, b: Path) -> Comparison:
    return compare(open_run(a), open_run(b), LEAST)


def row(table: pd.DataFrame, name: str) -> pd.Series:
    return table.set_index("name").loc[name]


def test_the_planted_ticket_is_found_and_no_other(folders: dict[str, Path]) -> None:
    found = compared(folders["plain"], folders["rich"])
    assert found.unpaired == ""
    assert found.blocks == BLOCKS
    assert found.tickets.index[found.tickets["notable"]].tolist() == [PLANTED]
    gain = 12 * (1 - 3 / 30)  # beside the mean of all seats, of which a tenth is dealt the ticket too
    assert found.tickets.loc[PLANTED, "score_difference"] == pytest.approx(gain, abs=0.2)
    assert not found.routes["notable"].any()
    assert any("Boston–Miami" in sentence for sentence in verdict(found))
    assert side_names(found) == ("plain", "rich")  # runs of one edition are called by their folders
    of_tickets = replace(found, headlines=found.headlines.assign(notable=False))
    first, *others = verdict(of_tickets)
    assert first.startswith("Worse for the targets of plain: 0 fixed, 1 newly missed, ")
    assert others[0].startswith("Worse: Boston–Miami +")
    assert any(line.startswith("rich differs from plain in the worth of 1 of 30 tickets; ") for line in others)


def test_alike_is_said_only_of_what_is_surely_alike(folders: dict[str, Path]) -> None:
    slight, other = (compared(folders["plain"], folders[name]) for name in ("slight", "other"))
    assert verdict(slight)[1].startswith("As a whole")
    assert "leave room for a difference" in verdict(other)[1]


def test_a_ticket_of_another_value_is_told_though_it_moves_nothing(folders: dict[str, Path]) -> None:
    found = compared(folders["plain"], folders["slight"])
    repriced = found.tickets.assign(points_b=found.tickets["points_a"] + (found.tickets.index == 0))
    told = verdict(replace(found, tickets=repriced))
    of_ticket = [sentence for sentence in told if sentence.startswith("Atlanta–Montréal")]
    assert len(of_ticket) == 1, "never the same thing twice"
    assert of_ticket[0].startswith("Atlanta–Montréal, 10 points instead of 9: wins when dealt")


def test_pairing_narrows_the_interval_and_keeps_the_numbers(folders: dict[str, Path]) -> None:
    paired = row(compared(folders["plain"], folders["rich"]).headlines, "Score")
    unpaired = row(compared(folders["other"], folders["rich"]).headlines, "Score")
    assert paired["b"] == unpaired["b"]
    assert paired["high"] - paired["low"] < 0.5 * (unpaired["high"] - unpaired["low"])


def test_other_deals_or_bots_are_not_paired_and_the_verdict_says_so(folders: dict[str, Path]) -> None:
    found = compared(folders["plain"], folders["other"])
    assert found.unpaired == "their seeds are 1 and 2"
    assert not found.headlines["notable"].any()
    assert verdict(found)[0].startswith("The same for the targets of plain: 0 fixed, 0 newly missed, ")
    assert verdict(found)[1].startswith("Nothing clearly differs between")
    assert any("not paired" in sentence for sentence in verdict(found))
    three = compared(folders["plain"], folders["three bots"])
    assert "2 bots" in three.unpaired
    assert three.changes == ("bots planner, racer, path instead of planner, racer",)
    assert {"Wins of planner", "Wins of racer"} < set(three.headlines["name"])


def test_only_blocks_that_both_have_played_count(folders: dict[str, Path]) -> None:
    """The first 100 blocks are those of a run of 100."""
    found = compared(folders["plain"], folders["short"])
    assert found.blocks == 100
    assert found.tickets["dealt_a"].sum() == 100 * 2 * 2 * 3


def test_without_turns_there_are_no_routes_but_all_else(folders: dict[str, Path]) -> None:
    found = compared(folders["plain"], folders["results"])
    assert found.routes["difference"].isna().all()
    assert not found.routes["notable"].any()
    assert found.tickets["difference"].notna().all()
    assert any("logged without turns" in sentence for sentence in verdict(found))


def test_differences_change_sign_with_the_order_and_a_larger_least_reports_less(folders: dict[str, Path]) -> None:
    forth, back = compared(folders["plain"], folders["rich"]), compared(folders["rich"], folders["plain"])
    assert forth.headlines["difference"].tolist() == pytest.approx((-back.headlines["difference"]).tolist())
    assert forth.headlines["p"].tolist() == pytest.approx(back.headlines["p"].tolist())
    coarse = compare(open_run(folders["plain"]), open_run(folders["rich"]), 0.9)
    assert not coarse.tickets["notable"].any()
    assert coarse.tickets["score_p_adjusted"].min() < 1e-6


def test_the_same_games_are_told_in_a_sentence_and_other_player_counts_are_refused(folders: dict[str, Path]) -> None:
    with pytest.raises(UserError, match=r"2 players and .* has 4"):
        compared(folders["plain"], folders["four"])
    told = verdict(compared(folders["plain"], folders["plain"]))
    assert told[0].startswith("Every game is the same: in all 800, ")
    assert not compared(folders["plain"], folders["slight"]).same
    assert not compared(folders["plain"], folders["other"]).same


def test_routes_are_written_as_the_first_file_orders_their_ends(folders: dict[str, Path]) -> None:
    plain = open_run(folders["plain"])
    first, *others = plain.edition.routes
    routes = (replace(first, a=first.b, b=first.a), *others)
    turned = replace(plain, edition=replace(plain.edition, routes=routes))
    found = compare(turned, open_run(folders["other"]), LEAST)
    names = [plain.edition.cities[city].name for city in (first.b, first.a)]
    assert found.routes.loc[0, ["from", "to"]].tolist() == names
    assert (len(found.routes), found.changes) == (len(routes), ())


@pytest.mark.slow
def test_changed_editions_played_by_real_bots(tmp_path: Path) -> None:
    """A ticket of two points more, a route that is gone, and forty trains instead of 45."""
    route = "Denver,Oklahoma City,4,red,plain,0\n"
    changes = {
        "ticket": ("tickets.csv", "Atlanta,Montréal,9,", "Atlanta,Montréal,11,"),
        "route": ("routes.csv", route, ""),
        "trains": ("edition.toml", "trains = 45", "trains = 40"),
    }
    bots, games = ("planner", "racer"), 20_000
    usa = play_run(tmp_path / "usa", "usa", 2, bots, games)
    changed = {
        name: play_run(tmp_path / name, changed_usa(tmp_path / f"{name}-edition", *change), 2, bots, games)
        for name, change in changes.items()
    }
    sides = []
    for run in (usa, changed["ticket"]):
        with Database([run]) as database:
            sides.append(measure(database, {}).lists["tickets"][""])
    paired, unpaired = (contrast(*sides, paired=paired).iloc[0] for paired in (True, False))
    assert paired["high"] - paired["low"] <= (unpaired["high"] - unpaired["low"]) / 2
    found = compare(usa, changed["route"], LEAST)
    assert found.changes == ("route Denver–Oklahoma City (red) is gone",)
    assert len(found.routes) == 99
    near = found.routes[(found.routes["from"] == "Denver") | (found.routes["to"] == "Oklahoma City")]
    assert near["notable"].any()
    rounds = row(compare(usa, changed["trains"], LEAST).headlines, "Rounds of a game")
    assert rounds["notable"]
    assert rounds["difference"] < -2


def test_independent_groups_give_welchs_test() -> None:
    generator = np.random.default_rng(1)
    first, second = generator.normal(0, 1, (60, 1)), generator.normal(0.3, 3, (35, 1))
    found = contrast(_means(first), _means(second), paired=False).iloc[0]
    welch = stats.ttest_ind(second[:, 0], first[:, 0], equal_var=False)
    assert found["difference"] == pytest.approx(second.mean() - first.mean())
    assert found["p"] == pytest.approx(welch.pvalue)


def test_paired_groups_give_the_paired_test() -> None:
    generator = np.random.default_rng(2)
    first = generator.normal(0, 5, (30, 1))
    second = first + generator.normal(0.2, 1, (30, 1))
    found = contrast(_means(first), _means(second), paired=True).iloc[0]
    assert found["p"] == pytest.approx(stats.ttest_rel(second[:, 0], first[:, 0]).pvalue)


def test_a_difference_that_never_varies_is_certain_only_with_many_groups() -> None:
    few, many = (contrast(_means(x), _means(x + 1), paired=True).iloc[0] for x in (np.ones((5, 1)), np.ones((50, 1))))
    assert np.isnan(few["p"])
    assert (many["low"], many["high"], many["p"]) == (1, 1, 0)
    nothing = _means(np.zeros((50, 2)))
    assert contrast(nothing, nothing, paired=False)["p"].tolist() == [1, 1]


def test_a_share_never_met_is_not_known_to_the_last_digit() -> None:
    """None of 40 against 200 of 1,000: a test of the two counts says about 0.003."""
    never = ratio(np.zeros((40, 1)), np.ones((40, 1)))
    often = ratio(np.tile([[1.0], [0.0], [0.0], [0.0], [0.0]], (200, 1)), np.ones((1000, 1)))
    p = contrast(never, often, paired=False)["p"].item()
    assert 0.0005 < p < 0.01


def test_of_a_handful_of_trials_nothing_is_said() -> None:
    generator = np.random.default_rng(4)
    few, many = (_means(generator.normal(0, 1, (groups, 1))) for groups in (12, 400))
    assert contrast(few, many, paired=False)["p"].isna().all()


@pytest.mark.parametrize("paired", [True, False])
def test_corrected_lists_raise_few_false_alarms(paired: bool) -> None:
    """Shares from rare to usual, counted in games that share their deal's luck by block."""
    generator = np.random.default_rng(5)
    chances = np.geomspace(0.0005, 0.5, KEYS)
    alarms = [_raises_alarm(generator, chances, paired) for _ in range(TRIALS)]
    assert np.mean(alarms) <= MOST_ALARMS


def _raises_alarm(generator: np.random.Generator, chances: Floats, paired: bool) -> bool:
    luck = generator.beta(20, 20, (GROUPS, 1)) * 2
    other = luck if paired else generator.beta(20, 20, (GROUPS, 1)) * 2
    games = np.full((GROUPS, KEYS), 20.0)
    first, second = (ratio(generator.binomial(20, chances * part).astype(float), games) for part in (luck, other))
    adjusted = benjamini_hochberg(contrast(first, second, paired)["p"])
    return bool((pd.Series(adjusted) <= 0.05).any())


def _means(values: Floats) -> Estimate:
    return ratio(values, np.ones_like(values))
