"""Win probability of each seat at any step of a logged game, and the shape of games that follows from it.

A conditional logit: a weighted sum of features for each seat, and chances in proportion to its exponential. The weights
are smooth functions of the game's clock, and change again in the final round. A second logit calibrates the chances.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import softmax

from ttr_sim.analysis.db import Database, Sums
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats
from ttr_sim.analysis.states import States
from ttr_sim.analysis.tables import AT_LEAST_0, Measured
from ttr_sim.edition.network import network, ways_of
from ttr_sim.run.read import Run

SHAPES = ("shape", "shape_course", "shape_chances")  # the tables
PENALTY = 13.0  # of large weights: with less, few games make chances too sure
NEWTON_STEPS = 10  # it settles after five or so
SETTLED = 1e-3
LEAST_GAMES = 200  # for a model
MEASURED_GAMES = 1_000  # of each player count, or a quarter: enough for narrow intervals, and a fast page
TRAINING_GAMES = 6_000  # twice as many gain only 0.0005 in the log of the chance
GAMES_PER_READ = 250  # with all rounds: more cost memory
SURE = 0.9  # a chance from which a game counts as decided
BINS = 10  # of chances
ALMOST_ALL = 1 - 1e-9

SOME_GAMES = "(SELECT * FROM games ORDER BY game LIMIT {count} OFFSET {first})"
ROUNDS = "SELECT game, block, turns, unnest(range(0, turns, players)) AS step FROM {games}"
STEPS = "SELECT game, block, turns, unnest(range(turns)) AS step FROM {games}"
# Three steps spread evenly over each game, at places that differ from game to game (multiples of the golden section).
TRAINING = """
SELECT DISTINCT game, block, turns, floor((third + game * 0.618034 % 1) / 3 * turns)::INT AS step
FROM {games}, range(3) AS thirds(third)"""
CLAIMS = """
SELECT game, block, games.turns, turn AS step, seat AS claimer, route AS claimed_route, wanted_by
FROM turns JOIN {games} AS games USING (game) WHERE claimed"""


@dataclass(frozen=True)
class Logit:
    weights: Floats  # by phase and feature
    spread: Floats  # of the features, the unit of their weights

    @classmethod
    def fit(cls, features: Floats, phases: Floats, wins: Floats, games: NDArray[np.int64]) -> Logit:
        """Maximize the penalized likelihood over steps of finished games by Newton's method."""
        features = features - features.mean(axis=1, keepdims=True)
        spread = np.sqrt((features**2).mean(axis=(0, 1)))
        spread[spread == 0] = 1.0
        per_step = len(np.unique(games)) / len(games)  # only whole games are independent
        design = phases[:, None, :, None] * (features / spread)[:, :, None, :]
        design = design.reshape(*wins.shape, -1).astype(np.float32)
        flat, weights = design.reshape(-1, design.shape[2]), np.zeros(design.shape[2])
        for _ in range(NEWTON_STEPS):
            chances = softmax(design @ weights.astype(np.float32), axis=1)
            slope = PENALTY * weights + per_step * (flat.T @ (chances - wins).ravel())
            bend = (design - np.matmul(chances[:, None, :], design)) * np.sqrt(chances)[:, :, None]
            bend = bend.reshape(flat.shape)
            step = np.linalg.solve(PENALTY * np.eye(len(weights)) + per_step * (bend.T @ bend), slope)
            weights -= step
            if np.abs(step).max() < SETTLED:
                break
        return cls(weights.reshape(phases.shape[1], -1), spread)

    def chances(self, features: Floats, phases: Floats) -> Floats:
        features = (features - features.mean(axis=1, keepdims=True)) / self.spread
        return np.asarray(softmax(np.einsum("msl,ml->ms", features, phases @ self.weights), axis=1))


@dataclass(frozen=True)
class WinModel:
    logit: Logit
    calibration: Logit  # of functions of a chance, where the first is too sure or not sure enough

    @classmethod
    def fit(cls, features: Floats, phases: Floats, wins: Floats, games: NDArray[np.int64]) -> WinModel:
        logit = Logit.fit(features, phases, wins, games)
        return cls(logit, Logit.fit(*_calibrating(logit.chances(features, phases)), wins, games))

    def chances(self, features: Floats, phases: Floats) -> Floats:
        return self.calibration.chances(*_calibrating(self.logit.chances(features, phases)))


def _calibrating(chances: Floats) -> tuple[Floats, Floats]:
    """Functions of a chance, of which the first alone leaves it as it is, in a single phase."""
    functions = np.stack([np.log(np.maximum(chances, 1e-6)), chances, chances**2], axis=2)
    return functions, np.ones((len(chances), 1))


_models: dict[tuple[str, int], WinModel] = {}


def win_model(run: Run, log: Database) -> WinModel:
    """Train the model of a run, once for page and games to watch."""
    key = run.plan.hash, run.finished_games
    if key not in _models:
        # The measured games are not trained on.
        some = SOME_GAMES.format(count=TRAINING_GAMES, first=measured_games(run))
        states = States.read(log, TRAINING.format(games=some))
        _models[key] = WinModel.fit(*states.features(), states.seats["win_share"], states.moments["game"].to_numpy())
    return _models[key]


def measured_games(run: Run) -> int:
    return min(MEASURED_GAMES, run.finished_games // 4)


def win_chances_of_game(run: Run, game: int) -> list[list[float]] | None:
    """Each seat's chance after setup and each turn, where the run allows a model."""
    complete = run.finished_games == run.record.size.games
    if not complete or run.finished_games < LEAST_GAMES or "turns" not in run.plan.tables:
        return None
    with Database([run]) as log:
        states = States.read(log, STEPS.format(games=f"games WHERE game = {game}"))
        chances = win_model(run, log).chances(*states.features())
    by_step: list[list[float]] = np.vstack([chances, states.seats["win_share"][:1]]).tolist()
    return by_step


def of_runs(runs: Iterable[Run]) -> dict[str, pd.DataFrame]:
    """Shape of the first games of the longest run of each player count."""
    longest = {}
    for run in sorted(runs, key=lambda run: run.finished_games):
        if "turns" in run.plan.tables and run.finished_games >= LEAST_GAMES:
            longest[run.plan.players] = run
    parts = []
    for _, run in sorted(longest.items()):
        with Database([run]) as log:
            rounds, measured = [], measured_games(run)
            for first in range(0, measured, GAMES_PER_READ):
                some = SOME_GAMES.format(count=min(GAMES_PER_READ, measured - first), first=first)
                states = States.read(log, ROUNDS.format(games=some))
                model = win_model(run, log)
                rounds.append((states.moments, states.seats["win_share"], model.chances(*states.features())))
            claims = States.read(log, CLAIMS.format(games=SOME_GAMES.format(count=measured, first=0)))
        moments, *numbers = zip(*rounds, strict=True)
        wins, chances = map(np.concatenate, numbers)
        parts.append(shape_tables(pd.concat(moments, ignore_index=True), wins, chances, interaction(claims)))
    return {name: pd.concat([part[name] for part in parts], ignore_index=True) for name in SHAPES if parts}


def shape_tables(
    moments: pd.DataFrame, wins: Floats, chances: Floats, others: Mapping[str, Estimate]
) -> dict[str, pd.DataFrame]:
    """Openness of the games, course to the decision, and calibration, from chances at the end of every round."""
    players, blocks = wins.shape[1], moments["block"].nunique()
    top, winner, part = chances.max(axis=1), (wins * chances).sum(axis=1), moments["step"] / moments["turns"]
    rounds = pd.DataFrame({"game": moments["game"], "grp": moments["block"] % GROUPS, "n": 1.0})
    rounds = rounds.assign(tenth=np.round(10 * part), winner=winner, leader=top)
    is_sure = (wins == 1).any(axis=1) & (winner >= SURE)
    # A game is decided at the first round from which on the winner's chance stays sure, else at its end.
    until = part.groupby(moments["game"]).shift(-1, fill_value=1.0).where(~is_sure, 0.0)
    leader = pd.Series(chances.argmax(axis=1)).groupby(moments["game"])
    of_games = rounds.assign(
        drama=(wins * (top[:, None] - chances)).sum(axis=1),
        winner_led=(wins * (chances == top[:, None])).sum(axis=1),
        decided_for_good=until,
        chance_lead_changes=(leader.diff().fillna(0) != 0).astype(float),
    ).groupby("game")
    measures = {"drama": "mean", "winner_led": "mean", "decided_for_good": "max", "chance_lead_changes": "sum"}
    games = of_games.agg({"grp": "first", "n": "first", **measures})
    sums = Sums.of(games, [])
    estimates = {name: sums.mean(name) for name in measures} | dict(others)
    keys = pd.DataFrame({"players": [players], "n": [len(games)]})
    shape = Measured(keys, estimates, blocks, dict.fromkeys(("chance_lead_changes", "interaction"), AT_LEAST_0))
    sums = Sums.of(rounds.drop(columns="game"), ["tenth"])
    keys = sums.keys.assign(part=sums.keys["tenth"] / 10, players=players, n=sums.total("n"))
    course = Measured(keys, {name: sums.mean(name) for name in ("winner", "leader")}, blocks)
    # Each seat of each round is one case. The rounds of a game share its winner, so n counts games.
    cases = rounds.loc[rounds.index.repeat(players), ["game", "grp", "n"]]
    cases = cases.assign(chance=chances.ravel(), won=wins.ravel())
    cases["bin"] = np.minimum((cases["chance"] * BINS).astype(np.int64), BINS - 1)
    sums = Sums.of(cases.drop(columns="game"), ["bin"])
    keys = sums.keys.assign(players=players, n=cases.groupby("bin")["game"].nunique().to_numpy())
    keys = keys.assign(chance=sums.total("chance") / sums.total("n"))
    keys = keys.assign(low=keys["bin"] / BINS, high=(keys["bin"] + 1) / BINS)
    calibration = Measured(keys, {"won": sums.mean("won")}, blocks)
    return {name: each.table(name) for name, each in zip(SHAPES, (shape, course, calibration), strict=True)}


def interaction(claims: States) -> dict[str, Estimate]:
    """Claims of connections that rivals' tickets ask for, relative to chance, from the states before each claim.

    A ticket asks for a connection with the share of its ways on the empty board that use it. By chance a claim takes
    any connection of its length that is still open.
    """
    edition, moments = claims.edition, claims.moments
    net = network(edition)
    lengths = np.array([each.length for each in net.connections])
    claimer = moments["claimer"].to_numpy(np.int64)
    connection = np.array([edition.routes[route].group for route in moments["claimed_route"]])
    shares = np.zeros((len(edition.tickets), len(lengths)))
    for number, ticket in enumerate(edition.tickets):
        for place, share in ways_of(net, ticket).shares.items():
            shares[number, place] = share
    claim, holder, held_ticket = claims.open_tickets()
    rival = holder != claimer[claim]
    # A claim takes a connection from a rival when any of the rival's open tickets asks for it.
    held = np.zeros((len(moments), len(shares)))
    np.add.at(held, (claim[rival], held_ticket[rival]), 1.0)
    wanted = -np.expm1(held @ np.log1p(-ALMOST_ALL * shares))  # chance that any rival asks for it, by claim
    pool = ~claims.closed.T & (lengths == lengths[connection][:, None])
    columns = {
        "grp": moments["block"] % GROUPS,
        "n": 1.0,
        "took": wanted[np.arange(len(moments)), connection],
        "by_chance": (wanted * pool).sum(axis=1) / np.maximum(pool.sum(axis=1), 1),
        "taken": ((moments["wanted_by"] & ~(1 << claimer)) > 0).astype(float),
    }
    sums = Sums.of(pd.DataFrame(columns), [])
    planned = {"taken": sums.mean("taken")} if moments["wanted_by"].any() else {}
    return {"interaction": sums.mean("took", of="by_chance"), **planned}
