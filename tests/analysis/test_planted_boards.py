"""Real games of strong players: what is planted in a board, or at a table, comes out with its sign and size; and
nothing comes out of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.analysis.handmade import changed_usa
from tests.played_runs import play_run
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.compare import compare
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.standings import matchups
from ttr_sim.analysis.thresholds import ALPHA, LEAST_DIFFERENCE
from ttr_sim.analysis.tickets import Deals, ticket_value
from ttr_sim.run.read import Run

pytestmark = pytest.mark.slow

STRONG = ("planner",)
GAMES = 8_000
PLAYERS = 2
MOST_ALARMS = 0.06
OF_A_POINT = 0.88  # of the net completions: the mean of the deck rises too


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("boards")


SURELY = 0.02  # of a win beyond tickets as long


@pytest.fixture(scope="module")
def usa(home: Path) -> Analysis:
    return analyze([play_run(home / "usa", "usa", PLAYERS, STRONG, GAMES)])


def test_known_facts_of_usa(home: Path) -> None:
    """The first to move gains with two, and short bridges of the middle are among the most claimed."""
    tables = analyze([play_run(home / "path", "usa", PLAYERS, ("path",), 4_000)]).tables
    assert tables["seats"]["win_share_low"][0] > 0.5
    most = tables["connections"].sort_values("claims", ascending=False).head(12)
    assert {"Kansas City–Omaha", "Atlanta–Nashville"} <= set(most["from"] + "–" + most["to"])


def changed(
    home: Path, name: str, file: str, old: str, new: str, players: int = PLAYERS, games: int = GAMES
) -> Analysis:
    edition = changed_usa(home / name, file, old, new)
    return analyze([play_run(home / f"{name}-run", edition, players, STRONG, games)])


def ends(table: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    return table[(table["from"] == one) & (table["to"] == other)]


@pytest.mark.parametrize(
    ("one", "other", "printed", "step"), [("Denver", "El Paso", 4, 5), ("Los Angeles", "Seattle", 9, -5)]
)
def test_five_points_on_a_ticket_have_their_sign_and_size(
    home: Path, usa: Analysis, one: str, other: str, printed: int, step: int
) -> None:
    """A point is worth the net completions of a seat dealt the ticket, before or after players know of it."""
    name = f"{one}{step}"
    after = changed(home, name, "tickets.csv", f"{one},{other},{printed},", f"{one},{other},{printed + step},")
    before, now = (ends(analysis.tables["ticket_value"], one, other).iloc[0] for analysis in (usa, after))
    noise = np.hypot(*(row["points_effect_high"] - row["points_effect"] for row in (before, now)))
    low, high = sorted(step * OF_A_POINT * net_completions(analysis, one, other) for analysis in (usa, after))
    assert low - noise <= now["points_effect"] - before["points_effect"] <= high + noise
    assert np.sign(now["win_effect"] - before["win_effect"]) == np.sign(step)


def net_completions(analysis: Analysis, one: str, other: str) -> float:
    """How often a seat dealt the ticket completes it, less how often it fails it."""
    use = ends(analysis.tables["tickets"], one, other).iloc[0]
    return float(use["dealt_kept"] * (2 * use["completed"] - 1))


def test_a_route_one_shorter_changes_that_route_most_of_all(home: Path, usa: Analysis) -> None:
    """It scores 4 points instead of 7, so strong players want it less."""
    after = changed(home, "shorter", "routes.csv", "Denver,Oklahoma City,4,red", "Denver,Oklahoma City,3,red")
    before, now = (analysis.tables["routes"] for analysis in (usa, after))
    label = ends(before, "Denver", "Oklahoma City").index[0]
    assert (now["claimed"] - before["claimed"]).abs().idxmax() == label
    assert now["claimed_high"][label] < before["claimed_low"][label]


def test_a_doubled_route_made_single_is_claimed_in_more_games(home: Path) -> None:
    """With two players a claim closes the other of a pair: what the pair had, the single one has."""
    pair = analyze([play_run(home / "four", "usa", 4, STRONG, 4_000)]).tables["connections"]
    single = changed(home, "single", "routes.csv", "Denver,Kansas City,4,black,plain,0\n", "", 4, 4_000).tables
    before, now = (ends(table, "Denver", "Kansas City").iloc[0] for table in (pair, single["connections"]))
    assert now["claims_high"] < before["claims_low"]
    assert now["claims"] >= before["claims"] / 2
    left = ends(single["routes"], "Denver", "Kansas City").iloc[0]
    assert left["denial"] == left["contention"]  # nothing parallel is left


@pytest.mark.parametrize("players", [2, 4])
def test_other_deals_tell_the_same_of_tickets(home: Path, players: int) -> None:
    runs = [
        play_run(home / f"{players}p-{seed}", "usa", players, STRONG, 20_000, seed, log="results") for seed in (1, 2)
    ]
    one, other = (analyze([run]).tables["ticket_value"] for run in runs)
    assert one["win_effect"].corr(other["win_effect"]) >= 0.95
    judged = (one["excess_low"] > SURELY) | (one["excess_high"] < -SURELY)
    assert judged.sum() >= 5
    assert (np.sign(one["excess"]) == np.sign(other["excess"]))[judged].all()


def studies(run: Run) -> Iterator[Database]:
    """Each part of a run is a study of its own."""
    for part in run.parts:
        with Database([replace(run, parts=(part,))]) as games:
            yield games


def test_two_names_of_one_bot_are_hardly_ever_told_apart(home: Path) -> None:
    twins = ("planner", "planner:tempo=0.85")  # what the planner's tempo is on this board
    run = play_run(home / "twins", "usa", PLAYERS, twins, 20_000, log="results", part_size=200)
    alarms = [matchups(study)["p_adjusted"].min() <= ALPHA for study in studies(run)]
    assert np.mean(alarms) <= MOST_ALARMS + 2 * np.sqrt(0.05 * 0.95 / len(alarms))  # of chance in a hundred studies


def relabel_tickets(run: Run) -> None:
    """Let the tickets of each deck change names by chance, deal by deal: none can then differ from another."""
    chance = np.random.default_rng(1)
    decks = pd.Series([ticket.deck for ticket in run.edition.tickets])
    for part in run.parts:
        (file,), (games_file,) = run.files("tickets", (part,)), run.files("games", (part,))
        rows, games = pq.read_table(file), pq.read_table(games_file, columns=["game", "block"]).to_pandas()
        blocks, place = np.unique(games["block"], return_inverse=True)
        names = np.tile(np.arange(len(decks)), (len(blocks), 1))
        for _, members in decks.groupby(decks):
            names[:, members.index] = chance.permuted(names[:, members.index], axis=1)
        block_of = pd.Series(place, games["game"])[rows["game"].to_pandas()].to_numpy()
        column = rows.schema.get_field_index("ticket")
        renamed = pa.array(names[block_of, rows["ticket"].to_numpy()], rows.schema.field(column).type)
        pq.write_table(rows.set_column(column, rows.schema.field(column), renamed), file)


def test_tickets_with_permuted_names_are_hardly_ever_told_apart(home: Path) -> None:
    run = play_run(home / "relabeled", "usa", PLAYERS, STRONG, 20_000, seed=3, part_size=500)
    relabel_tickets(run)
    tables = [ticket_value(Deals(study)) for study in studies(run)]
    sure = [((table["excess_low"] > 0) | (table["excess_high"] < 0)).mean() for table in tables]
    assert 0.03 <= np.mean(sure) <= MOST_ALARMS + 2 * np.std(sure) / np.sqrt(len(sure))
    alarms = [table["p_adjusted"].min() <= ALPHA for table in tables]
    assert np.mean(alarms) <= MOST_ALARMS + 2 * np.sqrt(0.05 * 0.95 / len(alarms))


def test_the_same_board_on_other_deals_is_hardly_ever_different(home: Path) -> None:
    runs = [play_run(home / f"seed-{seed}", "usa", PLAYERS, STRONG, 400, seed, log="results") for seed in range(80)]
    pairs = zip(runs[::2], runs[1::2], strict=True)
    alarms = [bool(compare(a, b, LEAST_DIFFERENCE).headlines["notable"].any()) for a, b in pairs]
    assert np.mean(alarms) <= MOST_ALARMS + 2 * np.sqrt(0.05 * 0.95 / len(alarms))
