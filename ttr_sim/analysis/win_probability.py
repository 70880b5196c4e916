"""Win probability of each seat at any step of a logged game, and the shape of games that follows from it.

A conditional logit: a weighted sum of features for each seat, and chances in proportion to its exponential. The weights
change over the game, in straight lines between knots of its clock, and again in the final round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import softmax

from ttr_sim.analysis.db import Sums
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats
from ttr_sim.analysis.tables import AT_LEAST_0, Measured, parse_layouts
from ttr_sim.analysis.timelines import Connections, GameTimelines, Ints, seat_features
from ttr_sim.edition.network import network, ways_of
from ttr_sim.run.read import Run

TABLES = parse_layouts(
    """
shape | The shape of a game | needs turns
  = Open or decided, tense or lonely: measures from each seat's chance to win at the end of every round, as a
      spectator who sees all hands and tickets would estimate it.
  players
  n                  count    games that the model of the chance to win did not learn from
  drama              ~share   how far the eventual winner's chance lay below the leader's, mean over rounds: high when
      winners come from behind
  winner_led         ~share   share of the rounds in which the eventual winner had the highest chance
  decided_for_good   ~share   part of the game after which the winner's chance stays at 90 % or more; 100 % when only
      the end decides
  chance_lead_changes ~number  times per game that another seat has the highest chance
  interaction        ~number  how many times as often as by chance a claim takes a connection that a rival's open
      tickets ask for, among open connections of its length; 1 when players ignore each other
  taken              ~share   share of the claims that take a route in a rival's published plan

shape_course | How a game comes to be decided | needs turns
  = The mean chance to win of the eventual winner, and of who leads, over the course of a game; n counts rounds.
  players
  part               share    part of the game's turns that is over
  n                  count    ends of rounds
  winner             ~share   mean chance of the eventual winner
  leader             ~share   mean chance of the seat that leads

shape_chances | Can the chances to win be believed? | needs turns
  = Of all seats to which the model gives about the same chance, how many win; n counts the games they are from.
  players
  low                share    chances from here
  high               share    to here
  n                  count    games that the model of the chance to win did not learn from
  chance             share    mean chance given
  won                ~share   share that won
"""
)

ROUGHNESS, SIZE = 20.0, 2.0  # penalties of weights that bend over the clock, and of large ones
NEWTON_STEPS = 10  # it settles after five or so
SETTLED = 1e-3
LEAST_GAMES = 200  # for a model
MEASURED_GAMES = 1_000  # of each player count, or a quarter: enough for narrow intervals, and a fast page
TRAINING_GAMES = 6_000  # twice as many gain only 0.0005 in the log of the chance
GAMES_PER_READ = 2_000  # more cost memory
STEPS_PER_GAME = 3  # for training
SURE = 0.9  # a chance from which a game counts as decided
BINS = 10  # of chances
ALMOST_ALL = 1 - 1e-9


@dataclass(frozen=True)
class WinModel:
    weights: Floats  # by phase and feature
    spread: Floats  # of the features, the unit of their weights
    calibration: Floats  # weights by phase of functions of the chance

    @classmethod
    def fit(cls, features: Floats, phases: Floats, wins: Floats, games: Ints) -> WinModel:
        """Train on steps of finished games, by step, seat and feature."""
        features = _centered(features)
        spread = np.sqrt((features**2).mean(axis=(0, 1)))
        spread[spread == 0] = 1.0
        features, knots = features / spread, phases.shape[1]
        bends = np.diff(np.eye(knots)[:-1], 2, axis=0)  # of all but the final round
        # Weights may bend over the clock as far as the games support it.
        penalty = np.kron(SIZE * np.eye(knots) + ROUGHNESS * bends.T @ bends, np.eye(len(spread)))
        half = games % 2 == 0
        weights, chances = [], np.empty_like(wins)
        for some, others in ((half, ~half), (~half, half)):
            weights.append(_fit(features[some], phases[some], wins[some], games[some], penalty))
            chances[others] = _chances(phases[others], features[others], weights[-1])
        # Each half shows where, and how late in a game, the other is too sure or not sure enough.
        known = _calibrating(chances)
        calibration = _fit(known, phases, wins, games, SIZE * np.eye(knots * known.shape[2]))
        return cls((weights[0] + weights[1]) / 2, spread, calibration)

    def chances(self, features: Floats, phases: Floats) -> Floats:
        chances = _chances(phases, _centered(features) / self.spread, self.weights)
        return _chances(phases, _calibrating(chances), self.calibration)


def _fit(features: Floats, phases: Floats, wins: Floats, games: Ints, penalty: np.ndarray) -> Floats:
    """Maximize the penalized likelihood by Newton's method."""
    per_step = len(np.unique(games)) / len(wins)  # only whole games are independent
    design = (phases[:, None, :, None] * features[:, :, None, :]).reshape(*wins.shape, -1).astype(np.float32)
    flat, weights = design.reshape(-1, len(penalty)), np.zeros(len(penalty))
    for _ in range(NEWTON_STEPS):
        chances = softmax(design @ weights.astype(np.float32), axis=1)
        slope = penalty @ weights + per_step * (flat.T @ (chances - wins).ravel())
        spread = (design - np.matmul(chances[:, None, :], design)) * np.sqrt(chances)[:, :, None]
        spread = spread.reshape(flat.shape)
        step = np.linalg.solve(penalty + per_step * (spread.T @ spread), slope)
        weights -= step
        if np.abs(step).max() < SETTLED:
            break
    return np.asarray(weights.reshape(phases.shape[1], -1))


def _centered(features: Floats) -> Floats:
    return np.asarray(features - features.mean(axis=1, keepdims=True))


def _chances(phases: Floats, features: Floats, weights: Floats) -> Floats:
    return np.asarray(softmax(np.einsum("msl,ml->ms", features, phases @ weights), axis=1))


def _calibrating(chances: Floats) -> Floats:
    """Functions of a chance, of which the first alone leaves it as it is."""
    return _centered(np.stack([np.log(np.maximum(chances, 1e-6)), chances, chances**2], axis=2))


_models: dict[tuple[str, int], WinModel] = {}


def win_model(run: Run) -> WinModel:
    """Train the model of a run, once for page and games to watch."""
    key = run.plan.hash, run.finished_games
    if key not in _models:
        # The measured games are not trained on.
        first, parts = min(MEASURED_GAMES, run.finished_games // 4), []
        last = min(first + TRAINING_GAMES, run.finished_games)
        for start in range(first, last, GAMES_PER_READ):
            timelines = GameTimelines.read(run, start, min(GAMES_PER_READ, last - start))
            game = np.repeat(np.arange(len(timelines.games)), STEPS_PER_GAME)
            # Spread evenly over each game, at places that differ from game to game (multiples of the golden section).
            part = (np.arange(len(game)) % STEPS_PER_GAME + game * 0.618034 % 1) / STEPS_PER_GAME
            steps = np.unique(timelines.starts[game] + (part * (timelines.lengths[game] - 1)).astype(np.int64))
            game = timelines.game_of_step[steps]
            parts.append((*seat_features(timelines, steps), timelines.wins[game], start + game))
        _models[key] = WinModel.fit(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    return _models[key]


def win_chances_of_game(run: Run, game: int) -> list[list[float]] | None:
    """Each seat's chance after setup and each turn, where the run allows a model."""
    complete = run.finished_games == run.record.size.games
    if not complete or run.finished_games < LEAST_GAMES or "turns" not in run.plan.tables:
        return None
    timelines = GameTimelines.read(run, game, 1)
    chances = win_model(run).chances(*seat_features(timelines, np.arange(timelines.lengths[0] - 1)))
    by_step: list[list[float]] = np.vstack([chances, timelines.wins]).tolist()
    return by_step


@dataclass(frozen=True)
class RoundChances:
    """Chances of measured games at the end of every round but the last, setup first."""

    timelines: GameTimelines
    steps: Ints
    chances: Floats

    @classmethod
    def of(cls, run: Run) -> RoundChances | None:
        """Measure the first games of a run, if it has enough for a model."""
        if run.finished_games < LEAST_GAMES:
            return None
        timelines = GameTimelines.read(run, 0, min(MEASURED_GAMES, run.finished_games // 4))
        last = (timelines.starts + timelines.lengths - 1)[timelines.game_of_step]
        every = np.arange(len(last))
        steps = np.flatnonzero((timelines.turns_taken(every) % timelines.players == 0) & (every < last))
        return cls(timelines, steps, win_model(run).chances(*seat_features(timelines, steps)))

    def rounds(self) -> pd.DataFrame:
        """A row for each round, with the chances of leader and winner."""
        game = self.timelines.game_of_step[self.steps]
        wins, top = self.timelines.wins[game], self.chances.max(axis=1)
        winner = (wins * self.chances).sum(axis=1)
        part = self.timelines.turns_taken(self.steps) / (self.timelines.lengths - 1)[game]
        columns = {
            "game": game,
            "grp": self.timelines.games["block"].to_numpy()[game] % GROUPS,
            "part": part,
            "tenth": np.round(10 * part),
            "n": 1.0,
            "winner": winner,
            "leader": top,
            "behind": (wins * (top[:, None] - self.chances)).sum(axis=1),
            "winner_led": (wins * (self.chances == top[:, None])).sum(axis=1),
            "is_sure": (wins == 1).any(axis=1) & (winner >= SURE),
            "leading_seat": self.chances.argmax(axis=1),
        }
        return pd.DataFrame(columns)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Openness of the games, course to the decision, and calibration."""
        rounds, players, blocks = self.rounds(), self.timelines.players, self.timelines.games["block"].nunique()
        games = games_of(rounds)
        sums = Sums.of(games, [])
        estimates = {name: sums.mean(name) for name in games.columns.drop(["grp", "n"])} | interaction(self.timelines)
        keys = pd.DataFrame({"players": [players], "n": [len(games)]})
        shape = Measured(keys, estimates, blocks, dict.fromkeys(("chance_lead_changes", "interaction"), AT_LEAST_0))
        sums = Sums.of(rounds[["grp", "tenth", "n", "winner", "leader"]], ["tenth"])
        keys = sums.keys.assign(part=sums.keys["tenth"] / 10, players=players, n=sums.total("n"))
        course = Measured(keys, {name: sums.mean(name) for name in ("winner", "leader")}, blocks)
        # Each seat of each round is one case. The rounds of a game share its winner, so n counts games.
        cases = rounds.loc[rounds.index.repeat(players), ["game", "grp", "n"]].reset_index(drop=True)
        cases = cases.assign(chance=self.chances.ravel(), won=self.timelines.wins[rounds["game"]].ravel())
        cases["bin"] = np.minimum((cases["chance"] * BINS).astype(np.int64), BINS - 1)
        sums = Sums.of(cases.drop(columns="game"), ["bin"])
        keys = sums.keys.assign(players=players, n=cases.groupby("bin")["game"].nunique().to_numpy())
        keys = keys.assign(chance=sums.total("chance") / sums.total("n"))
        keys = keys.assign(low=keys["bin"] / BINS, high=(keys["bin"] + 1) / BINS)
        measured = {"shape": shape, "shape_course": course}
        measured["shape_chances"] = Measured(keys, {"won": sums.mean("won")}, blocks)
        return {name: numbers.table(TABLES[name]) for name, numbers in measured.items()}


def of_runs(runs: Iterable[Run]) -> dict[str, pd.DataFrame]:
    longest = {}
    for run in sorted(runs, key=lambda run: run.finished_games):
        if "turns" in run.plan.tables:
            longest[run.plan.players] = run
    measured = [RoundChances.of(longest[players]) for players in sorted(longest)]
    parts = [rounds.tables() for rounds in measured if rounds is not None]
    return {name: pd.concat([part[name] for part in parts], ignore_index=True) for name in TABLES if parts}


def games_of(rounds: pd.DataFrame) -> pd.DataFrame:
    """Measures of each game by the course of its chances."""
    by_game = rounds.groupby("game")
    # A game is decided at the first round from which on the winner's chance stays sure, else at its end.
    until = by_game["part"].shift(-1, fill_value=1.0).where(~rounds["is_sure"], 0.0)
    changed = by_game["leading_seat"].diff().fillna(0) != 0
    columns = {
        "grp": by_game["grp"].first(),
        "n": 1.0,
        "drama": by_game["behind"].mean(),
        "winner_led": by_game["winner_led"].mean(),
        "decided_for_good": until.groupby(rounds["game"]).max(),
        "chance_lead_changes": changed.groupby(rounds["game"]).sum().astype(float),
    }
    return pd.DataFrame(columns)


def interaction(timelines: GameTimelines) -> dict[str, Estimate]:
    """Claims of connections that rivals' tickets ask for, relative to chance.

    A ticket asks for a connection with the share of its ways on the empty board that use it. By chance a claim takes
    any connection of its length that is still open.
    """
    edition, claims = timelines.edition, timelines.claims
    net, connections = network(edition), Connections(timelines)
    game, seat, connection = (claims[name].to_numpy() for name in ("game", "seat", "connection"))
    before = claims["step"].to_numpy() - 1
    shares = np.zeros((len(edition.tickets), len(net.connections)))
    for number, ticket in enumerate(edition.tickets):
        for place, share in ways_of(net, ticket).shares.items():
            shares[number, place] = share
    claim, row = timelines.open_tickets(before)
    holder, held_ticket = (timelines.tickets[name].to_numpy()[row] for name in ("seat", "ticket"))
    rival = holder != seat[claim]
    # A claim takes a connection from a rival when any of the rival's open tickets asks for it.
    held = np.zeros((len(claims), len(shares)))
    np.add.at(held, (claim[rival], held_ticket[rival]), 1.0)
    wanted = -np.expm1(held @ np.log1p(-ALMOST_ALL * shares))  # chance that any rival asks for it, by claim
    is_open = before[:, None] < connections.closed_since[:, game].T
    pool = is_open & (connections.lengths == connections.lengths[connection][:, None])
    columns = {
        "grp": timelines.games["block"].to_numpy()[game] % GROUPS,
        "n": 1.0,
        "took": wanted[np.arange(len(claims)), connection],
        "by_chance": (wanted * pool).sum(axis=1) / np.maximum(pool.sum(axis=1), 1),
        "taken": ((claims["wanted_by"].to_numpy(np.int64) & ~(1 << seat)) > 0).astype(float),
    }
    sums = Sums.of(pd.DataFrame(columns), [])
    planned = {"taken": sums.mean("taken")} if claims["wanted_by"].any() else {}
    return {"interaction": sums.mean("took", of="by_chance"), **planned}
