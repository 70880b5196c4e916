"""The tables an analysis makes: their names, columns, units and meaning, in the order of a report.

An estimate is three columns, `x`, `x_low` and `x_high`: the number and its 95 % interval. A missing number
(NaN) means "no estimate", never 0. `n` counts what the row's numbers are means over, as each table says.
`players` 0 stands for all player counts of the analysis together. LAYOUTS declares them all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.jackknife import Estimate, Floats

AT_LEAST_0 = (0.0, np.inf)
DECIMALS = 10  # digits below are rounding errors, and would differ between machines

Unit = Literal["id", "text", "count", "share", "change", "points", "rounds", "number", "rating", "p", "flag"]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column. An estimate, with `interval`, has the columns `_low` and `_high`, too.

    `unit` decides how to print it: a share is 0 to 1, a change the difference of two shares.
    """

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

    def table(self, name: str, only: Collection[str] = ()) -> pd.DataFrame:
        """Lay the numbers out as the table of that name, or some of its columns. NaN where not measured."""
        columns: dict[str, NDArray[Any]] = {}
        for column in TABLES[name].columns:
            if only and column.name not in only:
                continue
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


# A table begins with its name and title and, after =, its meaning. Each column has a name, a unit (~ marks an estimate)
# and a meaning. A line of names alone takes these columns from `common`.
LAYOUTS = """
common | Columns of several tables
  players            id       number of seats; 0: all player counts together
  bot                text     spec string of the bot
  fair               share    1 / players
  p                  p        two-sided p-value of no effect
  p_adjusted         p        the same after Holm's correction over the whole table
  ticket             id       row of tickets.csv
  from               text     one end
  to                 text     other end
  deck               text     ticket deck
  points             points   printed value
  copy               id       counts equal tickets of a deck

overview | What was played
  = One row per field (who plays whom) and player count; the first field is what findings about the board rest on.
  players
  field              text     strong, rivals, all, rewards or own
  runs               count    runs of this player count
  games              count    finished games
  blocks             count    blocks: the independent pieces all intervals rest on
  bots               text     bots that played, joined by commas
  log                text     full, or results when a run has no turns

rewards | What the board rewards
  = One seat plays a variant among strong players on the same deals; n counts the games.
  players
  variant            text     what that seat does differently, or the simple style that it plays
  bot
  n                  count    games
  fair
  win_share          ~share   mean share of a win
  p p_adjusted

strategies | Play styles
  = How each style fares; n counts the seats it held.
  players bot
  plans              flag     publishes the routes it wants
  n                  count    seats held
  fair
  win_share          ~share   mean share of a win per seat held
  score              ~points  mean final score
  rating             ~rating  Bradley-Terry rating on the Elo scale, mean 0 over the styles of the row's players
  tickets_completed  ~number  tickets completed
  routes             ~number  routes claimed
  verdict            text     dominant (clearly ahead of every other style), dominated (clearly behind), or empty

matchups | Style against style
  = Among the wins that fall to one of two styles sharing a table, the share of the first; one half is even.
  players bot
  opponent           text     the other style
  n                  count    pairs of seats, one of each style, in one game
  share              ~share   bot's wins / (bot's + opponent's wins) when both sit at the table
  p p_adjusted

cycles | Styles that beat each other in a circle
  = A beats B, B beats C, C beats A, each clearly after Holm's correction; empty when there is none.
  players
  cycle              text     the styles, each beating the next, the last the first
  margin             share    smallest share above 0.5 along the circle

seats | Turn order
  = Win share by seat; n counts games.
  players
  seat               id       0-based position in turn order; 0 is the first player
  n                  count    games
  fair
  win_share          ~share   mean share of a win
  score              ~points  mean final score
  p p_adjusted

seats_by_bot | Turn order by style
  = Win share of each style in each seat; n counts the games in which it sat there.
  players bot
  seat               id       0-based position in turn order; 0 is the first player
  n                  count    seats held
  win_share          ~share   mean share of a win
  gain               ~change  win share minus the style's mean over all seats

score_parts | Where points come from
  = Mean points by part of the score; parts the edition lacks are left out; empty for a race.
  players
  bot                text     spec string of the bot; empty: all bots together
  part               text     route, ticket, ticket_penalty, longest, globetrotter, station, passenger, merchandise
  n                  count    seats
  mean               ~points  mean points of a seat
  winners            ~points  mean points of winners, weighted by their share of the win

scores | Final scores
  = How often each final score occurred; a description of these games, so without intervals.
  players bot
  score              points   final score
  n                  count    seats that ended with it

pace | Length and shape of a game
  = Measures of whole games; n counts the games a measure applies to.
  players
  measure            text     turns, rounds (turns / players), margin, lead_changes, decided (share of the game after
      which the winner leads alone to the end), hidden (share of games whose only winner was not alone in front in
      public score at the end), shared (share of games with several winners), resets, reshuffles
  n                  count    games
  mean               ~number  mean over the games
  p10                number   a tenth of the games lie below
  median             number   half of the games lie below
  p90                number   a tenth of the games lie above

distributions | How games differ
  = Counts of games by value of a measure of `pace`; decided is counted in steps of 0.05.
  players
  measure            text     turns, margin, lead_changes or decided
  value              number   value of the measure
  n                  count    games with it

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

shape_loads | The board on paper and in play | needs turns
  = The load that a full table's tickets put on each connection of the empty board, and how often it is fought over.
  players
  group              id       group of parallel routes
  from to
  load               number   tickets per lane that are expected to want it with as many players as allowed
  crowded            flag     load of at least 1.5 times the board's mean
  n                  count    games
  contention         ~number  fought over: claims per game while another planning seat wanted the route
  stands_out         text     where the two do not match

actions | What turns are spent on | needs turns
  = Kinds of turn; n counts games.
  players
  action             text     draw, claim, tickets, station, discard or pass
  n                  count    games
  share              ~share   share of all turns
  per_seat           ~number  turns of this kind per seat and game

ticket_value | What a ticket is worth
  = The effect of being dealt a ticket at setup, against the mean ticket of its deck; n counts the seats dealt it. The
      verdict goes by what it gives beyond its class. A race has no points: there those are missing.
  players ticket from to deck points copy
  class              text     high (printed points at least 1.5 times the deck's mean; in a race, trains) or low
  n                  count    seats dealt it at setup
  class_effect       ~change  win_effect of all tickets of its deck and class together
  excess             ~change  win_effect minus class_effect
  win_effect         ~change  win share of those dealt it minus that of those dealt the deck's mean ticket
  points_effect      ~points  final score, likewise
  fair_points        ~points  first-order fair value, shown within 3 points of the printed one: printed value - points
      effect / (net completions of a seat dealt it - those of all seats)
  kept_n             count    seats that kept it at any time
  kept_win_share     ~share   the naive number: win share of the seats that kept it, mixed up with who keeps what
  kept_win_gap       ~change  the same minus the mean over all kept tickets of the deck
  p                  p        p-value of the excess being at most 2 wins in 100
  p_adjusted         p        the same after Benjamini and Hochberg's correction over the whole table
  p_serious          p        the same of at most 5 wins in 100, corrected
  verdict            text     generous (certainly gives more than its class), stingy (gives less), or empty
  grade              text     slight (beyond 2 wins in 100), serious (beyond 5), or empty
  holds              text     how far the excess holds: all (clearly the same sign for the same style in the other
      fields), strong, or depends (clearly the opposite in one)

ticket_value_by_bot | What a ticket is worth to each style
  = The same style by style, all player counts together: a ticket is worth what a style can make of it.
  players bot ticket from to deck points copy
  n                  count    seats dealt it at setup
  win_effect         ~change  win share, against the deck's mean ticket
  points_effect      ~points  final score, likewise
  fair_points        ~points  first-order fair value for this style

tickets | How tickets are used
  = From offer to completion, setup and later offers together; n counts offers.
  players ticket from to deck points copy
  trains             number   trains of the shortest path on the empty board; missing when there is none
  n                  count    offers
  dealt_kept         ~share   kept when dealt at setup
  drawn_kept         ~share   kept when drawn during the game
  completed          ~share   completed among those kept
  net_points         ~points  mean points gained or lost by keeping it, as printed
  rounds             ~rounds  rounds from the offer to completion by own routes
  race_rounds        ~rounds  rounds to completion, setup tickets only, minus the deck's mean

routes | Routes | needs turns
  = How often each printed line of spaces is claimed, fought over, and locks somebody out; n counts games.
  players
  route              id       row of routes.csv
  from to
  length             number   spaces
  color              text     color, or gray
  kind               text     plain, tunnel or ferry
  group              id       routes of one group are parallel
  copy               id       counts within the group
  n                  count    games
  claimed            ~share   share of games in which it was claimed
  round              ~rounds  mean round of the claim, from 1
  claimer_win_share  ~share   mean win share of its claimers (a description, not an effect)
  contention         ~share   fought over: share of games in which it was claimed while another planning seat wanted it
  denial             ~share   locked out: share of games in which that seat had no parallel route left open to it
  denied_n           count    seats locked out
  denied_points      ~points  their final score minus the mean of the same bot, seat and player count
  denied_win         ~change  their win share, likewise
  got_points         ~points  the same for seats that claimed it wanting it, with a rival who did
  got_win            ~change  their win share, likewise
  given_up           ~share   tunnels: share of tries given up

connections | Connections | needs turns
  = Neighboring cities, parallel routes taken together; n counts games.
  players
  group              id       group of parallel routes
  from to
  routes             count    parallel routes
  length             number   spaces
  n                  count    games
  claims             ~number  claims per game
  contention         ~number  fought over: claims per game while another planning seat wanted the route
  denial             ~number  locked out: claims per game that left another wanting seat no parallel route

cities | Cities | needs turns
  = Load of each city; n counts games.
  players
  city               id       row of cities.csv
  name               text     its name
  tickets            count    tickets that end there
  ways               count    routes that end there
  n                  count    games
  claims             ~number  claims per game of routes that end there
  used               ~share   share of its routes that is claimed
  stations           ~number  stations built there per game; missing when the edition has none

oddities | Oddities
  = Events that a rulebook hardly foresees, most of them rare, with games to replay; n counts games.
  players
  kind               text     stalled, capped, stuck_row, passed (a seat had no legal action), short_draw (nothing left
      for a second card), short_offer (too few tickets left), no_claim (a seat claimed nothing)
  n                  count    games
  games              count    games in which it occurred
  share              ~share   share of games
  run                text     folder of the examples
  examples           text     numbers of up to five games to replay, joined by commas
"""


def _parse_layouts(text: str) -> dict[str, Table]:
    tables: dict[str, Table] = {}
    for block in text.strip().replace("\n      ", " ").split("\n\n"):
        heading, *lines = block.splitlines()
        name, title, *needs = heading.split(" | ")
        meaning = ""
        columns: list[TableColumn] = []
        common = {column.name: column for column in tables["common"].columns} if tables else {}
        for line in lines:
            words = line.split(maxsplit=2)
            if words[0] == "=":
                meaning = line.removeprefix("  = ")
            elif common.keys() >= set(line.split()):
                columns += [common[word] for word in line.split()]
            else:
                unit = cast(Unit, words[1].removeprefix("~"))
                columns.append(TableColumn(words[0], unit, words[2], interval=words[1] != unit))
        tables[name] = Table(name, title, meaning, tuple(columns), needs_turns=bool(needs))
    del tables["common"]
    return tables


TABLES = _parse_layouts(LAYOUTS)
