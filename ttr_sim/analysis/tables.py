"""The tables an analysis makes: their names, columns, units and meaning, in the order of a report.

An estimate is three columns, `x`, `x_low` and `x_high`: the number and its 95 % interval. A missing number
(NaN) means "no estimate", never 0. `n` counts what the row's numbers are means over, as each table says.
`players` 0 stands for all player counts of the analysis together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.jackknife import Estimate, Floats

AT_LEAST_0 = (0.0, np.inf)
DECIMALS = 10  # digits below are rounding errors, and would differ between machines

Unit = Literal["id", "text", "count", "share", "change", "points", "rounds", "number", "rating", "p", "flag"]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`unit` decides how to print it: a share is 0 to 1, a change the difference of two shares; `interval` adds the
    columns `_low` and `_high`."""

    name: str
    unit: Unit
    meaning: str
    interval: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, f"{self.name}_low", f"{self.name}_high") if self.interval else (self.name,)


@dataclass(frozen=True, slots=True)
class Table:
    """`needs_turns`: empty when the runs were logged with `--log results`."""

    name: str
    title: str
    meaning: str
    columns: tuple[TableColumn, ...]
    needs_turns: bool = False

    @property
    def column_names(self) -> list[str]:
        return [name for column in self.columns for name in column.names]


@dataclass(frozen=True)
class Measured:
    """Numbers by key: plain columns in `keys`, estimates, and the blocks they rest on, one number or one a key.

    `bounds` are the floor and ceiling of estimates that cannot lie outside. A share lies between 0 and 1.
    """

    keys: pd.DataFrame
    estimates: Mapping[str, Estimate]
    blocks: int | NDArray[np.int64]
    bounds: Mapping[str, tuple[float | Floats, float | Floats]] = field(default_factory=dict)

    def table(self, layout: Table) -> pd.DataFrame:
        """Lay the numbers out as a table; a column that was not measured is missing."""
        columns: dict[str, NDArray[Any]] = {}
        for column in layout.columns:
            if column.interval:
                columns.update(zip(column.names, self._with_interval(column), strict=True))
            elif column.unit in ("id", "count"):
                columns[column.name] = self.keys[column.name].to_numpy(np.int64)
            elif column.name in self.keys:
                columns[column.name] = self.keys[column.name].to_numpy()
            else:
                columns[column.name] = np.full(len(self.keys), np.nan)
        return pd.DataFrame(columns)

    def _with_interval(self, column: TableColumn) -> tuple[Floats, Floats, Floats]:
        if column.name not in self.estimates:
            missing = np.full(len(self.keys), np.nan)
            return missing, missing, missing
        estimate = self.estimates[column.name]
        bounds = self.bounds.get(column.name, (0.0, 1.0) if column.unit == "share" else None)
        low, high = estimate.bounded_interval(self.blocks, *bounds) if bounds else estimate.interval()
        # Adding 0 turns a negative zero into a plain one.
        return tuple(values.round(DECIMALS) + 0.0 for values in (estimate.value, low, high))  # type: ignore[return-value]


def _estimate(name: str, unit: Unit, meaning: str) -> TableColumn:
    return TableColumn(name, unit, meaning, interval=True)


PLAYERS = TableColumn("players", "id", "number of seats; 0: all player counts together")
BOT = TableColumn("bot", "text", "spec string of the bot")
FAIR = TableColumn("fair", "share", "1 / players")
P = TableColumn("p", "p", "two-sided p-value of no effect")
P_HOLM = TableColumn("p_adjusted", "p", "the same after Holm's correction over the whole table")
P_BH = TableColumn("p_adjusted", "p", "the same after Benjamini and Hochberg's correction over the whole table")
FROM = TableColumn("from", "text", "one end")
TO = TableColumn("to", "text", "other end")
TICKET = (
    TableColumn("ticket", "id", "row of tickets.csv"),
    FROM,
    TO,
    TableColumn("deck", "text", "ticket deck"),
    TableColumn("points", "points", "printed value"),
    TableColumn("copy", "id", "counts equal tickets of a deck"),
)

OVERVIEW = Table(
    "overview",
    "What was played",
    "One row per field (who plays whom) and player count; the first field is what findings about the board rest on.",
    (
        PLAYERS,
        TableColumn("field", "text", "strong, rivals, all, rewards or own"),
        TableColumn("runs", "count", "runs of this player count"),
        TableColumn("games", "count", "finished games"),
        TableColumn("blocks", "count", "blocks: the independent pieces all intervals rest on"),
        TableColumn("bots", "text", "bots that played, joined by commas"),
        TableColumn("log", "text", "full, or results when a run has no turns"),
    ),
)

STRATEGIES = Table(
    "strategies",
    "Play styles",
    "How each style fares; n counts the seats it held.",
    (
        PLAYERS,
        BOT,
        TableColumn("plans", "flag", "publishes the routes it wants"),
        TableColumn("n", "count", "seats held"),
        FAIR,
        _estimate("win_share", "share", "mean share of a win per seat held"),
        _estimate("score", "points", "mean final score"),
        _estimate(
            "rating", "rating", "Bradley-Terry rating on the Elo scale, mean 0 over the styles of the row's players"
        ),
        _estimate("tickets_completed", "number", "tickets completed"),
        _estimate("routes", "number", "routes claimed"),
        TableColumn(
            "verdict", "text", "dominant (clearly ahead of every other style), dominated (clearly behind), or empty"
        ),
    ),
)

MATCHUPS = Table(
    "matchups",
    "Style against style",
    "Among the wins that fall to one of two styles sharing a table, the share of the first; one half is even.",
    (
        PLAYERS,
        BOT,
        TableColumn("opponent", "text", "the other style"),
        TableColumn("n", "count", "pairs of seats, one of each style, in one game"),
        _estimate("share", "share", "bot's wins / (bot's + opponent's wins) when both sit at the table"),
        P,
        P_HOLM,
    ),
)

REWARDS_TABLE = Table(
    "rewards",
    "What the board rewards",
    "One seat plays a variant among strong players on the same deals; n counts the games.",
    (
        PLAYERS,
        TableColumn("variant", "text", "what that seat does differently, or the simple style that it plays"),
        BOT,
        TableColumn("n", "count", "games"),
        FAIR,
        _estimate("win_share", "share", "mean share of a win"),
        P,
        P_HOLM,
    ),
)

CYCLES = Table(
    "cycles",
    "Styles that beat each other in a circle",
    "A beats B, B beats C, C beats A, each clearly after Holm's correction; empty when there is none.",
    (
        PLAYERS,
        TableColumn("cycle", "text", "the styles, each beating the next, the last the first"),
        TableColumn("margin", "share", "smallest share above 0.5 along the circle"),
    ),
)

SEATS = Table(
    "seats",
    "Turn order",
    "Win share by seat; n counts games.",
    (
        PLAYERS,
        TableColumn("seat", "id", "0-based position in turn order; 0 is the first player"),
        TableColumn("n", "count", "games"),
        FAIR,
        _estimate("win_share", "share", "mean share of a win"),
        _estimate("score", "points", "mean final score"),
        P,
        P_HOLM,
    ),
)

SEATS_BY_BOT = Table(
    "seats_by_bot",
    "Turn order by style",
    "Win share of each style in each seat; n counts the games in which it sat there.",
    (
        PLAYERS,
        BOT,
        TableColumn("seat", "id", "0-based position in turn order; 0 is the first player"),
        TableColumn("n", "count", "seats held"),
        _estimate("win_share", "share", "mean share of a win"),
        _estimate("gain", "change", "win share minus the style's mean over all seats"),
    ),
)

SCORE_PARTS = Table(
    "score_parts",
    "Where points come from",
    "Mean points by part of the score; parts the edition lacks are left out; empty for a race.",
    (
        PLAYERS,
        TableColumn("bot", "text", "spec string of the bot; empty: all bots together"),
        TableColumn(
            "part", "text", "route, ticket, ticket_penalty, longest, globetrotter, station, passenger, merchandise"
        ),
        TableColumn("n", "count", "seats"),
        _estimate("mean", "points", "mean points of a seat"),
        _estimate("winners", "points", "mean points of winners, weighted by their share of the win"),
    ),
)

SCORES = Table(
    "scores",
    "Final scores",
    "How often each final score occurred; a description of these games, so without intervals.",
    (
        PLAYERS,
        BOT,
        TableColumn("score", "points", "final score"),
        TableColumn("n", "count", "seats that ended with it"),
    ),
)

PACE = Table(
    "pace",
    "Length and shape of a game",
    "Measures of whole games; n counts the games a measure applies to.",
    (
        PLAYERS,
        TableColumn(
            "measure",
            "text",
            "turns, rounds (turns / players), margin, lead_changes, decided (share of the game after which the winner "
            "leads alone to the end), hidden (share of games whose only winner was not alone in front in public score "
            "at the end), shared (share of games with several winners), resets, reshuffles",
        ),
        TableColumn("n", "count", "games"),
        _estimate("mean", "number", "mean over the games"),
        TableColumn("p10", "number", "a tenth of the games lie below"),
        TableColumn("median", "number", "half of the games lie below"),
        TableColumn("p90", "number", "a tenth of the games lie above"),
    ),
)

DISTRIBUTIONS = Table(
    "distributions",
    "How games differ",
    "Counts of games by value of a measure of `pace`; decided is counted in steps of 0.05.",
    (
        PLAYERS,
        TableColumn("measure", "text", "turns, margin, lead_changes or decided"),
        TableColumn("value", "number", "value of the measure"),
        TableColumn("n", "count", "games with it"),
    ),
)

ACTIONS = Table(
    "actions",
    "What turns are spent on",
    "Kinds of turn; n counts games.",
    (
        PLAYERS,
        TableColumn("action", "text", "draw, claim, tickets, station, discard or pass"),
        TableColumn("n", "count", "games"),
        _estimate("share", "share", "share of all turns"),
        _estimate("per_seat", "number", "turns of this kind per seat and game"),
    ),
    needs_turns=True,
)

TICKET_VALUE = Table(
    "ticket_value",
    "What a ticket is worth",
    "The effect of being dealt a ticket at setup, against the mean ticket of its deck; n counts the seats dealt it. "
    "The verdict goes by what it gives beyond its class. A race has no points: there those are missing.",
    (
        PLAYERS,
        *TICKET,
        TableColumn(
            "class", "text", "high (printed points at least 1.5 times the deck's mean; in a race, trains) or low"
        ),
        TableColumn("n", "count", "seats dealt it at setup"),
        _estimate("class_effect", "change", "win_effect of all tickets of its deck and class together"),
        _estimate("excess", "change", "win_effect minus class_effect"),
        _estimate(
            "win_effect", "change", "win share of those dealt it minus that of those dealt the deck's mean ticket"
        ),
        _estimate("points_effect", "points", "final score, likewise"),
        _estimate(
            "fair_points",
            "points",
            "first-order fair value, shown within 3 points of the printed one: printed value - points effect / "
            "(net completions of a seat dealt it - those of all seats)",
        ),
        TableColumn("kept_n", "count", "seats that kept it at any time"),
        _estimate(
            "kept_win_share",
            "share",
            "the naive number: win share of the seats that kept it, mixed up with who keeps what",
        ),
        _estimate("kept_win_gap", "change", "the same minus the mean over all kept tickets of the deck"),
        TableColumn("p", "p", "p-value of the excess being at most 2 wins in 100"),
        P_BH,
        TableColumn("p_serious", "p", "the same of at most 5 wins in 100, corrected"),
        TableColumn("verdict", "text", "generous (certainly gives more than its class), stingy (gives less), or empty"),
        TableColumn("grade", "text", "slight (beyond 2 wins in 100), serious (beyond 5), or empty"),
        TableColumn(
            "holds",
            "text",
            "how far the excess holds: all (clearly the same sign for the same style in the other fields), strong, or "
            "depends (clearly the opposite in one)",
        ),
    ),
)

TICKET_VALUE_BY_BOT = Table(
    "ticket_value_by_bot",
    "What a ticket is worth to each style",
    "The same style by style, all player counts together: a ticket is worth what a style can make of it.",
    (
        PLAYERS,
        BOT,
        *TICKET,
        TableColumn("n", "count", "seats dealt it at setup"),
        _estimate("win_effect", "change", "win share, against the deck's mean ticket"),
        _estimate("points_effect", "points", "final score, likewise"),
        _estimate("fair_points", "points", "first-order fair value for this style"),
    ),
)

TICKETS = Table(
    "tickets",
    "How tickets are used",
    "From offer to completion, setup and later offers together; n counts offers.",
    (
        PLAYERS,
        *TICKET,
        TableColumn("trains", "number", "trains of the shortest path on the empty board; missing when there is none"),
        TableColumn("n", "count", "offers"),
        _estimate("dealt_kept", "share", "kept when dealt at setup"),
        _estimate("drawn_kept", "share", "kept when drawn during the game"),
        _estimate("completed", "share", "completed among those kept"),
        _estimate("net_points", "points", "mean points gained or lost by keeping it, as printed"),
        _estimate("rounds", "rounds", "rounds from the offer to completion by own routes"),
        _estimate("race_rounds", "rounds", "rounds to completion, setup tickets only, minus the deck's mean"),
    ),
)

ROUTES = Table(
    "routes",
    "Routes",
    "How often each printed line of spaces is claimed, fought over, and locks somebody out; n counts games.",
    (
        PLAYERS,
        TableColumn("route", "id", "row of routes.csv"),
        FROM,
        TO,
        TableColumn("length", "number", "spaces"),
        TableColumn("color", "text", "color, or gray"),
        TableColumn("kind", "text", "plain, tunnel or ferry"),
        TableColumn("group", "id", "routes of one group are parallel"),
        TableColumn("copy", "id", "counts within the group"),
        TableColumn("n", "count", "games"),
        _estimate("claimed", "share", "share of games in which it was claimed"),
        _estimate("round", "rounds", "mean round of the claim, from 1"),
        _estimate("claimer_win_share", "share", "mean win share of its claimers (a description, not an effect)"),
        _estimate(
            "contention",
            "share",
            "fought over: share of games in which it was claimed while another planning seat wanted it",
        ),
        _estimate(
            "denial", "share", "locked out: share of games in which that seat had no parallel route left open to it"
        ),
        TableColumn("denied_n", "count", "seats locked out"),
        _estimate("denied_points", "points", "their final score minus the mean of the same bot, seat and player count"),
        _estimate("denied_win", "change", "their win share, likewise"),
        _estimate("got_points", "points", "the same for seats that claimed it wanting it, with a rival who did"),
        _estimate("got_win", "change", "their win share, likewise"),
        _estimate("given_up", "share", "tunnels: share of tries given up"),
    ),
    needs_turns=True,
)

CONNECTIONS = Table(
    "connections",
    "Connections",
    "Neighboring cities, parallel routes taken together; n counts games.",
    (
        PLAYERS,
        TableColumn("group", "id", "group of parallel routes"),
        FROM,
        TO,
        TableColumn("routes", "count", "parallel routes"),
        TableColumn("length", "number", "spaces"),
        TableColumn("n", "count", "games"),
        _estimate("claims", "number", "claims per game"),
        _estimate("contention", "number", "fought over: claims per game while another planning seat wanted the route"),
        _estimate("denial", "number", "locked out: claims per game that left another wanting seat no parallel route"),
    ),
    needs_turns=True,
)

CITIES = Table(
    "cities",
    "Cities",
    "Load of each city; n counts games.",
    (
        PLAYERS,
        TableColumn("city", "id", "row of cities.csv"),
        TableColumn("name", "text", "its name"),
        TableColumn("tickets", "count", "tickets that end there"),
        TableColumn("ways", "count", "routes that end there"),
        TableColumn("n", "count", "games"),
        _estimate("claims", "number", "claims per game of routes that end there"),
        _estimate("used", "share", "share of its routes that is claimed"),
        _estimate("stations", "number", "stations built there per game; missing when the edition has none"),
    ),
    needs_turns=True,
)

ODDITIES = Table(
    "oddities",
    "Oddities",
    "Events that a rulebook hardly foresees, most of them rare, with games to replay; n counts games.",
    (
        PLAYERS,
        TableColumn(
            "kind",
            "text",
            "stalled, capped, stuck_row, passed (a seat had no legal action), short_draw (nothing left for a second "
            "card), short_offer (too few tickets left), no_claim (a seat claimed nothing)",
        ),
        TableColumn("n", "count", "games"),
        TableColumn("games", "count", "games in which it occurred"),
        _estimate("share", "share", "share of games"),
        TableColumn("run", "text", "folder of the examples"),
        TableColumn("examples", "text", "numbers of up to five games to replay, joined by commas"),
    ),
)

GAMES_MEASURED = TableColumn("n", "count", "games that the model of the chance to win did not learn from")

SHAPE = Table(
    "shape",
    "The shape of a game",
    "Open or decided, tense or lonely: measures from each seat's chance to win at the end of every round, as a "
    "spectator who sees all hands and tickets would estimate it.",
    (
        PLAYERS,
        GAMES_MEASURED,
        _estimate(
            "drama",
            "share",
            "how far the eventual winner's chance lay below the leader's, mean over rounds: high when winners come "
            "from behind",
        ),
        _estimate("winner_led", "share", "share of the rounds in which the eventual winner had the highest chance"),
        _estimate(
            "decided_for_good",
            "share",
            "part of the game after which the winner's chance stays at 90 % or more; 100 % when only the end decides",
        ),
        _estimate("chance_lead_changes", "number", "times per game that another seat has the highest chance"),
        _estimate(
            "interaction",
            "number",
            "how many times as often as by chance a claim takes a connection that a rival's open tickets ask for, "
            "among open connections of its length; 1 when players ignore each other",
        ),
        _estimate("taken", "share", "share of the claims that take a route in a rival's published plan"),
    ),
    needs_turns=True,
)

SHAPE_COURSE = Table(
    "shape_course",
    "How a game comes to be decided",
    "The mean chance to win of the eventual winner, and of who leads, over the course of a game; n counts rounds.",
    (
        PLAYERS,
        TableColumn("part", "share", "part of the game's turns that is over"),
        TableColumn("n", "count", "ends of rounds"),
        _estimate("winner", "share", "mean chance of the eventual winner"),
        _estimate("leader", "share", "mean chance of the seat that leads"),
    ),
    needs_turns=True,
)

SHAPE_CHANCES = Table(
    "shape_chances",
    "Can the chances to win be believed?",
    "Of all seats to which the model gives about the same chance, how many win; n counts the games they are from.",
    (
        PLAYERS,
        TableColumn("low", "share", "chances from here"),
        TableColumn("high", "share", "to here"),
        GAMES_MEASURED,
        TableColumn("chance", "share", "mean chance given"),
        _estimate("won", "share", "share that won"),
    ),
    needs_turns=True,
)

SHAPE_LOADS = Table(
    "shape_loads",
    "The board on paper and in play",
    "The load that a full table's tickets put on each connection of the empty board, and how often it is fought over.",
    (
        PLAYERS,
        TableColumn("group", "id", "group of parallel routes"),
        FROM,
        TO,
        TableColumn("load", "number", "tickets per lane that are expected to want it with as many players as allowed"),
        TableColumn("crowded", "flag", "load of at least 1.5 times the board's mean"),
        TableColumn("n", "count", "games"),
        _estimate("contention", "number", "fought over: claims per game while another planning seat wanted the route"),
        TableColumn("stands_out", "text", "where the two do not match"),
    ),
    needs_turns=True,
)

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        OVERVIEW,
        REWARDS_TABLE,
        STRATEGIES,
        MATCHUPS,
        CYCLES,
        SEATS,
        SEATS_BY_BOT,
        SCORE_PARTS,
        SCORES,
        PACE,
        DISTRIBUTIONS,
        SHAPE,
        SHAPE_COURSE,
        SHAPE_CHANCES,
        SHAPE_LOADS,
        ACTIONS,
        TICKET_VALUE,
        TICKET_VALUE_BY_BOT,
        TICKETS,
        ROUTES,
        CONNECTIONS,
        CITIES,
        ODDITIES,
    )
}
