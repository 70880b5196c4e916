"""Length and pace of games, margins, where points come from, and oddities."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ttr_sim.analysis.db import Database, Sums, product
from ttr_sim.analysis.jackknife import ratio
from ttr_sim.analysis.tables import AT_LEAST_0, TABLES, Measured
from ttr_sim.log import SCORE_PARTS

SHARES = ("decided", "hidden", "shared")
SHOWN = {"turns": 1, "margin": 1, "lead_changes": 1, "decided": 0.05}  # with the step in which values are counted
TINY = 1e-9  # so that 0.15 / 0.05 is 3
MOST_EXAMPLES = 5

# A measure is null, and the game left out, where it does not apply: nobody may ever have led alone.
MEASURES = """
UNPIVOT (
    SELECT grp, players,
        turns::DECIMAL(24, 12) AS turns, (turns / players)::DECIMAL(24, 12) AS rounds,
        margin::DECIMAL(24, 12) AS margin, lead_changes::DECIMAL(24, 12) AS lead_changes,
        (floor((lead_turn + 1) / turns * 100 + 0.5) / 100)::DECIMAL(24, 12) AS decided,
        CASE WHEN sharing = 1 THEN (lead_turn IS NULL)::INT END::DECIMAL(24, 12) AS hidden,
        (sharing > 1)::INT::DECIMAL(24, 12) AS shared,
        resets::DECIMAL(24, 12) AS resets, reshuffles::DECIMAL(24, 12) AS reshuffles
    FROM game
) ON turns, rounds, margin, lead_changes, decided, hidden, shared, resets, reshuffles INTO NAME measure VALUE value"""
BY_MEASURE = f"""
SELECT grp, players, measure, count(*) AS n, sum(value) AS total FROM ({MEASURES}) GROUP BY ALL"""
BY_VALUE = f"""
SELECT players, measure, value::DOUBLE AS value, count(*) AS n FROM ({MEASURES}) GROUP BY ALL ORDER BY ALL"""
BY_ACTION = "SELECT grp, players, action, count(*) AS n FROM turns JOIN game USING (run, game) GROUP BY ALL"
BY_SCORE = "SELECT players, bot, score, count(*) AS n FROM seat GROUP BY ALL ORDER BY ALL"
# Parts that the edition lacks are null, which UNPIVOT leaves out.
POINTS_BY_PART = ", ".join(f'{part.column} AS "{part.name}"' for part in SCORE_PARTS)
BY_PART = f"""
SELECT grp, players, bot, part, count(*) AS n, sum(points) AS points, sum(points * win_share) AS winner_points,
    sum(win_share) AS wins
FROM (
    UNPIVOT (
        SELECT seat.grp, seat.players, seat.bot, seat.win_share, {POINTS_BY_PART}
        FROM seats JOIN seat USING (run, game, seat)
    ) ON {", ".join(f'"{part.name}"' for part in SCORE_PARTS)} INTO NAME part VALUE points
) GROUP BY ALL"""

ODD_GAMES = {
    "stalled": "SELECT run, game FROM game WHERE \"end\" = 'stalled'",
    "capped": "SELECT run, game FROM game WHERE \"end\" = 'capped'",
    "stuck_row": "SELECT run, game FROM game WHERE stuck > 0",
    "no_claim": "SELECT DISTINCT run, game FROM seats WHERE routes = 0",
    "passed": "SELECT DISTINCT run, game FROM turns WHERE action = 'pass'",
    # A wild taken from the row is the only card by rule; any other lone card was the last to be had.
    "short_draw": """
SELECT DISTINCT run, game FROM turns
WHERE action = 'draw' AND card2 IS NULL AND NOT (card1 = '*' AND card1_from = 'row')""",
    "short_offer": """
SELECT DISTINCT run, game FROM tickets WHERE turn >= 0 GROUP BY run, game, turn HAVING count(*) < $whole_offer""",
}
NEED_TURNS = ("passed", "short_draw")


def of_board(games: Database) -> dict[str, pd.DataFrame]:
    tables = {
        "scores": games.frame(BY_SCORE)[TABLES["scores"].column_names],
        "pace": pace(games),
        "distributions": distributions(games),
        "oddities": oddities(games),
    }
    if not games.edition.is_race:
        tables["score_parts"] = score_parts(games)
    if games.counts_with_turns:
        tables["actions"] = actions(games)
    return tables


def pace(games: Database) -> pd.DataFrame:
    """Means of measures of whole games, and quantiles of these games."""
    sums = games.sums(BY_MEASURE, "players", "measure")
    quantiles = []
    for _, rows in games.frame(BY_VALUE).groupby(["players", "measure"]):
        # The smallest values that a tenth, half and nine tenths of the games do not exceed. Rows ascend by value.
        below = rows["n"].cumsum().to_numpy() / rows["n"].sum()
        quantiles.append(rows["value"].to_numpy(float)[np.searchsorted(below, (0.1, 0.5, 0.9))])
    p10, median, p90 = np.reshape(quantiles, (-1, 3)).T
    keys = sums.keys.assign(n=sums.total("n"), p10=p10, median=median, p90=p90)
    most = np.where(sums.keys["measure"].isin(SHARES), 1.0, np.inf)
    return Measured(keys, {"mean": sums.mean("total")}, games.blocks(keys), {"mean": (0.0, most)}).table("pace")


def distributions(games: Database) -> pd.DataFrame:
    values = games.frame(BY_VALUE)
    values = values[values["measure"].isin(list(SHOWN))]
    step = values["measure"].map(SHOWN)
    values = values.assign(value=((values["value"] / step + TINY).floordiv(1) * step).round(2))
    together = values.groupby(["players", "measure", "value"])["n"].sum()
    return together.reset_index()[TABLES["distributions"].column_names]


def actions(games: Database) -> pd.DataFrame:
    sums = games.sums(BY_ACTION, "players", "action")
    players = sums.keys["players"].to_numpy()
    estimates = {
        "share": games.per_game(sums["n"], sums.keys, "turns"),
        "per_seat": games.per_game(sums["n"] / players, sums.keys),
    }
    keys = sums.keys.assign(n=games.games(sums.keys))
    return Measured(keys, estimates, games.blocks(keys), {"per_seat": AT_LEAST_0}).table("actions")


def score_parts(games: Database) -> pd.DataFrame:
    """Mean points of each part of the score, together and by bot."""
    sums = games.sums(BY_PART, "players", "bot", "part")
    together, _ = sums.over("players", "part")
    tables = []
    for part in (Sums(together.keys.assign(bot=""), together.arrays), sums):
        keys = part.keys.assign(n=part.total("n"))
        estimates = {"mean": part.mean("points"), "winners": ratio(part["winner_points"], part["wins"])}
        tables.append(Measured(keys, estimates, games.blocks(keys)).table("score_parts"))
    return pd.concat(tables).sort_values(["players", "bot", "part"], ignore_index=True)


def oddities(games: Database) -> pd.DataFrame:
    """Share of games with each oddity, and the first examples of one run."""
    edition = games.edition
    rules = edition.ticket_rules
    # Tickets of one draw during the game, or none where they come one by one as others are completed.
    whole_offer = rules.draw_total if rules.mix else sum(deck.draw for deck in edition.decks)
    whole_offer = 0 if edition.instant_tickets else whole_offer
    kinds = [kind for kind in ODD_GAMES if kind != "short_offer" or whole_offer > 1]
    keys = product(players=games.counts, kind=kinds)
    keys = keys[~keys["kind"].isin(NEED_TURNS) | keys["players"].isin(games.counts_with_turns)].reset_index(drop=True)
    found = []
    for kind in keys["kind"].unique():
        sql = f"SELECT game.grp, game.players, run, game FROM ({ODD_GAMES[kind]}) JOIN game USING (run, game)"
        used = {"whole_offer": whole_offer} if "$whole_offer" in sql else None
        found.append(games.frame(f"{sql} ORDER BY run, game", used).assign(kind=kind))
    odd = pd.concat(found, ignore_index=True)
    sums = Sums.of(odd[["grp", "players", "kind"]].assign(games=1), ["players", "kind"]).reindex(keys)
    examples = []
    for key, rows in odd.groupby(["players", "kind"]):
        run = rows["run"].iloc[0]
        first = rows["game"][rows["run"] == run].head(MOST_EXAMPLES)
        examples.append((*key, str(games.runs[run].path), ", ".join(map(str, first))))
    shown = pd.DataFrame(examples, columns=["players", "kind", "run", "examples"])
    counted = keys.assign(n=games.games(keys), games=sums.total("games")).merge(shown, "left", ["players", "kind"])
    measured = Measured(
        counted.fillna({"run": "", "examples": ""}), {"share": games.per_game(sums["games"], keys)}, games.blocks(keys)
    )
    return measured.table("oddities")
