"""Two runs compared: B minus A for headline numbers, tickets and routes.

Runs on the same deals are compared deal by deal, which takes out the luck of the deal, others as independent samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import FEW_GROUPS, Estimate, Floats, benjamini_hochberg, difference, holm
from ttr_sim.analysis.routes import BY_ROUTE
from ttr_sim.analysis.shape import BY_MEASURE
from ttr_sim.analysis.standings import BY_SEAT
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import ORDINALS, Summary
from ttr_sim.analysis.thresholds import ALPHA, FEW_TRIALS, LEVEL
from ttr_sim.analysis.tickets import yardstick_of
from ttr_sim.analysis.verdict import TargetChanges
from ttr_sim.bots.api import without_values
from ttr_sim.edition.canonical import differences, renamed_cities, route_ends, route_keys, ticket_keys
from ttr_sim.errors import UserError, no_games
from ttr_sim.run.read import Run

CONTRAST = ("a", "b", "difference", "low", "high", "p", "p_adjusted")
PACE: tuple[tuple[str, str, Unit], ...] = (
    ("Rounds of a game", "rounds", "rounds"),
    ("Changes of the lead", "lead_changes", "number"),
)
BLOCKS = "SELECT DISTINCT block FROM game"
OUTCOMES = """
SELECT seats.game, seat, score, rank, routes, tickets_completed, trains_left, seats.turns, "end"
FROM seats JOIN game USING (run, game) ORDER BY seats.game, seat"""
BY_TICKET = """
SELECT grp, ticket, count(*) FILTER (turn = -1) AS dealt, count(*) FILTER (turn = -1 AND kept) AS dealt_kept,
    sum(win_share) FILTER (turn = -1) AS wins, sum(score) FILTER (turn = -1) AS score,
    count(*) FILTER (kept) AS kept, count(*) FILTER (kept AND completed) AS done
FROM offer GROUP BY ALL"""


@dataclass(frozen=True, slots=True)
class Number:
    """One number of each ticket or route: columns of CONTRAST with a prefix, and whether it is notable."""

    name: str
    unit: Unit
    words: str
    meaning: str
    prefix: str

    @property
    def notable(self) -> str:
        return f"{self.name}_notable"


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of a comparison. Its first number has no prefix, and `notable` stands for any number."""

    name: str
    title: str
    keys: tuple[str, ...]
    numbers: tuple[Number, ...]

    @property
    def columns(self) -> list[str]:
        columns = [*self.keys, "notable"]
        for number in self.numbers:
            columns += [*(number.prefix + name for name in CONTRAST), number.notable]
        return columns


TICKET_KEYS = ("from", "to", "deck", "copy", "points_a", "points_b", "dealt_a", "dealt_b")
SCORE_MEANING = "final score of the seats that were dealt it at setup, minus the mean score of all seats"
WINS = Number("wins", "share", "wins when dealt", "win share of the seats that were dealt it at setup", "")
SCORE = Number("score", "points", "score when dealt", SCORE_MEANING, "score_")
KEPT = Number("kept", "share", "kept when dealt", "share of those dealt it at setup who kept it", "kept_")
COMPLETED = Number("completed", "share", "completed", "share completed of those kept", "completed_")
TICKETS = Listing("tickets", "Tickets", TICKET_KEYS, (WINS, SCORE, KEPT, COMPLETED))
ROUTE_KEYS = ("from", "to", "color", "copy", "length_a", "length_b")
FOUGHT_MEANING = "share of games in which another seat wanted it when claimed"
CLAIMED = Number("claimed", "share", "claimed", "share of games in which it was claimed", "")
CONTENTION = Number("contention", "share", "fought over", FOUGHT_MEANING, "contention_")
ROUTES = Listing("routes", "Routes", ROUTE_KEYS, (CLAIMED, CONTENTION))


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Summary):
    """Both runs, and the tables of B against A.

    `unpaired` is the reason why the runs are not paired, or empty. `same` means that every game went the same way.
    `least` is the smallest difference worth reporting: of a share as it is, of any other number relative to A's.
    """

    a: Run
    b: Run
    unpaired: str
    same: bool
    blocks: int
    least: float
    changes: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]  # old and new names of cities
    headlines: pd.DataFrame
    tickets: pd.DataFrame
    routes: pd.DataFrame
    targets: TargetChanges
    rivals: pd.DataFrame | None = None  # headlines of the same editions among rivals, if they played
    called: tuple[str, str] = ("", "")  # the user's names of both sides

    def _heading(self) -> str:
        return f"Comparison of {self.a.path} with {self.b.path}, {self.blocks:,} blocks"

    def _sentences(self) -> list[str]:
        from ttr_sim.analysis.compare_text import verdict  # imports this class

        return verdict(self)


@dataclass(frozen=True)
class Side:
    """The numbers of one run: headlines by name, tickets and routes by prefix of their columns, deals by ticket."""

    headlines: Mapping[str, tuple[Unit, Estimate]]
    mean_score: Estimate
    lists: Mapping[str, Mapping[str, Estimate]]
    dealt: Floats


def compare(a: Run, b: Run, least: float, mixes: Sequence[Run] = ()) -> Comparison:
    """Compare two runs. `mixes`: runs of both boards with random decks, where players choose decks."""
    from ttr_sim.analysis.analysis import judge  # imports this package's questions

    if a.plan.players != b.plan.players:
        raise UserError(
            f"{a.path} has {a.plan.players} players and {b.path} has {b.plan.players}; "
            "compare runs with the same number of players"
        )
    for run in (a, b):
        run.check()
        if not run.finished_games:
            raise no_games(run.path)
    unpaired, common = "", None
    if a.plan.seed != b.plan.seed:
        unpaired = f"their seeds are {a.plan.seed} and {b.plan.seed}"
    elif len(a.plan.bots) != len(b.plan.bots):
        unpaired = f"{len(a.plan.bots)} bots played on one side and {len(b.plan.bots)} on the other"
    else:  # one side may have played fewer blocks than the other so far
        with Database([a]) as old, Database([b]) as new:
            common = np.intersect1d(old.frame(BLOCKS)["block"], new.frame(BLOCKS)["block"])
        if not len(common):
            raise UserError("the two runs have no finished deal in common yet; resume both")
    styles = match_styles(a, b)
    with Database([a], common) as old, Database([b], common) as new:
        same = not unpaired and old.frame(OUTCOMES).equals(new.frame(OUTCOMES))
        blocks = min(int(games.played["blocks"].sum()) for games in (old, new))
        first = measure(old, {name: pair[0] for name, pair in styles.items()})
        second = measure(new, {name: pair[1] for name, pair in styles.items()})
    # Headlines of styles that only one side has, or of routes without turns, cannot be compared.
    names = [name for name in first.headlines if name in second.headlines]
    rows = [contrast(first.headlines[name][1], second.headlines[name][1], not unpaired) for name in names]
    units = [first.headlines[name][0] for name in names]
    headlines = pd.concat(rows, ignore_index=True).assign(name=names, unit=units, players=a.plan.players)
    headlines["p_adjusted"] = holm(headlines["p"])
    headlines["notable"] = _is_notable(headlines, "", enough(headlines, least))
    headlines = headlines[["name", "unit", "players", *CONTRAST, "notable"]]
    tickets, routes = _lists(a, b, first, second, least, paired=not unpaired)
    # Targets of both boards go by the yardstick and the limits of A.
    before, value = judge([a, *mixes[:1]])
    after, _ = judge([b, *mixes[1:]], a.edition.targets, yardstick_of(a.edition, value))
    changes, renamed = tuple(changes_between(a, b)), tuple(renamed_cities(a.edition, b.edition))
    found = headlines, tickets, routes, TargetChanges.between(before, after)
    return Comparison(a, b, unpaired, same, blocks, least, changes, renamed, *found)


def enough(headlines: pd.DataFrame, least: float) -> pd.Series:
    """Smallest difference worth reporting of each headline."""
    return least * headlines["a"].abs().where(headlines["unit"] != "share", 1.0)


def changes_between(a: Run, b: Run) -> Iterator[str]:
    yield from differences(a.edition, b.edition)
    old, new = a.plan.bots, b.plan.bots
    if len(old) == len(new):
        changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
        yield from (f"bot {after} instead of {before}" for before, after in dict.fromkeys(changed))
    else:
        yield f"bots {', '.join(new)} instead of {', '.join(old)}"
    # The same plan gives the same games only with the same engine and styles.
    if a.plan.kernel != b.plan.kernel:
        yield "the program: its engine or its styles were changed between the two runs"
    if old == new and a.plan.tuning != b.plan.tuning:
        yield "bots of the same names, but with other parameters or another file"


def match_styles(a: Run, b: Run) -> dict[str, tuple[str, str]]:
    """Match bots by position in `--bots`, else by name, under their headlines."""
    old, new = a.plan.bots, b.plan.bots
    if len(set(old)) == len(set(new)) == 1:
        return {}  # a bot alone has its fair share by design
    styles = Counter(without_values(bot) for bot in {*old, *new})
    short = {bot: without_values(bot) if styles[without_values(bot)] == 1 else bot for bot in (*old, *new)}
    pairs = zip(old, new, strict=True) if len(old) == len(new) else [(bot, bot) for bot in old if bot in new]
    matched = {}
    for one, other in pairs:
        name = f"Wins of {short[one]}" if one == other else f"Wins of {short[other]} in place of {short[one]}"
        matched[name] = one, other
    return matched


def measure(games: Database, styles: Mapping[str, str]) -> Side:
    """Measure one run. `styles` has the bot of each headline about one."""
    every_ticket = pd.DataFrame({"ticket": range(len(games.edition.tickets))})
    tickets = games.sums(BY_TICKET, "ticket").reindex(every_ticket)
    seats, pace = games.sums(BY_SEAT, "bot", "seat"), games.sums(BY_MEASURE, "measure")
    by_seat, by_bot, whole = seats.over("seat")[0], seats.over("bot")[0], seats.over()[0]
    headlines: dict[str, tuple[Unit, Estimate]] = {}
    for row, seat in enumerate(by_seat.keys["seat"]):
        headlines[f"Wins of the {ORDINALS[seat]} player"] = "share", by_seat.mean("wins").pick(np.array([row]))
    for name, bot in styles.items():
        found = np.flatnonzero(by_bot.keys["bot"] == bot)
        if len(found):
            headlines[name] = "share", by_bot.mean("wins").pick(found)
    kind = " (tickets)" if games.edition.is_race else ""
    score = whole.mean("score")
    headlines[f"Score{kind}"] = "points", score
    headlines[f"Winner's score{kind}"] = "points", whole.mean("winning", of="wins")
    for name, measured, unit in PACE:
        headlines[name] = unit, pace.mean("total").pick(np.flatnonzero(pace.keys["measure"] == measured))
    headlines["Tickets completed"] = "share", tickets.over()[0].mean("done", of="kept")
    routes: dict[str, Estimate] = {}
    if games.counts_with_turns:
        keys = pd.DataFrame({"players": games.counts[0], "route": range(len(games.edition.routes))})
        claims = games.sums(BY_ROUTE, "players", "route").reindex(keys)
        routes[""] = games.per_game(claims["claims"], keys)
        if games.planning:
            routes["contention_"] = games.per_game(claims["contested"], keys)
            contested = claims.over("players")[0]
            headlines["Contested claims"] = "number", games.per_game(contested["contested"], contested.keys)
    # Scores relative to the mean of all seats, so that a change for all players is none of each ticket.
    everybody = score.pick(np.zeros(len(every_ticket), np.int64))
    of_tickets = {
        "": tickets.mean("wins", of="dealt"),
        "score_": difference(tickets.mean("score", of="dealt"), everybody),
        "kept_": tickets.mean("dealt_kept", of="dealt"),
        "completed_": tickets.mean("done", of="kept"),
    }
    return Side(headlines, score, {"tickets": of_tickets, "routes": routes}, tickets.total("dealt"))


def contrast(a: Estimate, b: Estimate, paired: bool) -> pd.DataFrame:
    """Both numbers of each key, their difference, its interval, and its p."""
    gap = b.value - a.value
    if paired:
        pairs = difference(b, a)  # the luck of the deal, which both share, cancels
        error, freedom = pairs.error, np.maximum(pairs.groups - 1.0, 1.0)
    else:
        # Welch and Satterthwaite.
        trials = np.maximum(a.trials + b.trials, 1.0)
        together = (a.value * a.trials + b.value * b.trials) / trials
        variances, own = np.empty((2, len(gap))), np.stack([a.groups, b.groups]) - 1.0
        for place, side in enumerate((a, b)):
            # A share of exactly 0 or 1 shows none of its own, and gets the one of both sides together.
            if_alike = together * (1 - together) / np.maximum(side.trials, 1.0)
            shows_none = (side.error == 0) & ((side.value == 0) | (side.value == 1)) & (if_alike >= 0)
            variances[place] = np.where(shows_none, if_alike, side.error**2)
        with np.errstate(invalid="ignore", divide="ignore"):
            freedom = variances.sum(axis=0) ** 2 / (variances**2 / own).sum(axis=0)
        error = np.sqrt(variances.sum(axis=0))
        freedom = np.where(freedom > 0, freedom, np.maximum(own.min(axis=0), 1.0))
    # Without any spread among a handful of groups nothing is known about the spread.
    agree_by_chance = (error == 0) & (np.minimum(a.groups, b.groups) < FEW_GROUPS)
    too_few = np.minimum(a.trials, b.trials) < FEW_TRIALS
    error = np.where(agree_by_chance | too_few, np.nan, error)
    reach = special.stdtrit(freedom, 0.5 + LEVEL / 2) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * special.stdtr(freedom, -np.abs(gap) / error)
    p = np.where((error == 0) & np.isclose(gap, 0), 1.0, p)
    numbers = (a.value, b.value, gap, gap - reach, gap + reach, p)
    return pd.DataFrame(dict(zip(CONTRAST, numbers, strict=False)))


def _lists(a: Run, b: Run, old: Side, new: Side, least: float, paired: bool) -> list[pd.DataFrame]:
    """Contrasts of shared tickets and routes, with corrected p-values."""
    tables: list[tuple[Listing, pd.DataFrame]] = []
    for listing, keys_of, ends in (
        (TICKETS, ticket_keys, [(ticket.a, ticket.b) for ticket in a.edition.tickets]),
        (ROUTES, route_keys, route_ends(a.edition)),
    ):
        keys = keys_of(a.edition)
        row_of = {key: row for row, key in enumerate(keys_of(b.edition))}
        common = [(row, row_of[key]) for row, key in enumerate(keys) if key in row_of]
        first, second = np.array(common, np.int64).reshape(-1, 2).T
        table = pd.DataFrame([(*ends[row], *keys[row][2:]) for row in first], columns=listing.keys[:4])
        for name, edition, side, rows in (("a", a.edition, old, first), ("b", b.edition, new, second)):
            if listing is TICKETS:
                table[f"points_{name}"] = [edition.tickets[row].points for row in rows]
                table[f"dealt_{name}"] = side.dealt[rows].astype(np.int64)
            else:
                table[f"length_{name}"] = [edition.routes[row].length for row in rows]
        before, after = old.lists[listing.name], new.lists[listing.name]
        measured = [number.prefix for number in listing.numbers if number.prefix in before.keys() & after.keys()]
        contrasts = [
            contrast(before[prefix].pick(first), after[prefix].pick(second), paired).add_prefix(prefix)
            for prefix in measured
        ]
        tables.append((listing, pd.concat([table, *contrasts], axis=1)))
    # All p-values are one family, so that all lists together seldom raise a false alarm.
    columns = [(table, f"{number.prefix}p") for listing, table in tables for number in listing.numbers]
    columns = [(table, name) for table, name in columns if name in table]
    sizes = np.cumsum([len(table) for table, _ in columns])
    adjusted = benjamini_hochberg(np.concatenate([table[name].to_numpy(float) for table, name in columns]))
    for (table, name), corrected in zip(columns, np.split(adjusted, sizes[:-1]), strict=True):
        table[f"{name}_adjusted"] = corrected
    # Points have no natural scale, so their threshold is relative to A's mean score.
    enough_by_unit = {"share": least, "points": least * abs(float(old.mean_score.value[0]))}
    judged = []
    for listing, table in tables:
        numbers = [number for number in listing.numbers if f"{number.prefix}p" in table]
        flags = {number.notable: _is_notable(table, number.prefix, enough_by_unit[number.unit]) for number in numbers}
        flagged = table.assign(**flags, notable=np.any([*flags.values()], axis=0))
        judged.append(flagged.reindex(columns=listing.columns))
    return judged


def _is_notable(table: pd.DataFrame, prefix: str, least: float | pd.Series) -> pd.Series:
    return (table[f"{prefix}p_adjusted"] <= ALPHA) & (table[f"{prefix}difference"].abs() >= least)
