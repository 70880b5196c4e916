"""What a game feels like: when it is decided, whether the board plays as it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_sim.report.board.colors import INK
from ttr_sim.report.charts.names import name_mark
from ttr_sim.report.charts.style import (
    MARKS,
    SERIES,
    Chart,
    counts_in,
    facets,
    in_full,
    legend,
    of_main_count,
    percent_axis,
    short_ends,
    spans,
    tell,
)
from ttr_sim.report.numbers import players_words, whole_percent

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis


def course(analysis: Analysis) -> Chart | None:
    """Draw the mean chance to win of the winner and of the leader over the game, a panel per player count."""
    table = analysis.tables["shape_course"]
    if table.empty:
        return None
    counts = counts_in(table)
    figure, panels = facets([players_words(count) for count in counts], 3.4)
    for panel, count in zip(panels, counts, strict=True):
        rows = table[table["players"] == count]
        for number, (column, words) in enumerate((("winner", "the eventual winner"), ("leader", "who leads"))):
            color = SERIES[number]
            panel.plot(rows["part"], rows[column], color=color, marker=MARKS[number], markersize=4, label=words)
            panel.fill_between(rows["part"], rows[f"{column}_low"], rows[f"{column}_high"], alpha=0.2, color=color)
            told = [f"{words}, {_told_of(row, column)}" for row in rows.to_dict("records")]
            tell(panel, zip(rows["part"], rows[column], told, strict=True))
        panel.axhline(1 / count, color=INK, linewidth=0.8, linestyle=":")
        panel.set_ylim(0, 1)
        panel.set_xlabel("part of the game that is over")
        percent_axis(panel.xaxis)
        percent_axis(panel.yaxis)
    panels[0].set_ylabel("mean chance to win")
    legend(figure)
    return Chart(
        "shape-course",
        _halfway(table),
        "The chance to win at the end of each round, as a spectator who sees all hands and tickets would estimate it. "
        "The gap between the lines is the drama; dotted, a fair share. Bands are 95 % intervals.",
        figure,
    )


def _told_of(row: dict[Any, Any], column: str) -> str:
    return f"after {whole_percent(row['part'])} % of the game: {in_full(row, column, 'share')}"


def _halfway(table: pd.DataFrame) -> str:
    rows, players = of_main_count(table)
    row = rows.iloc[(rows["part"] - 0.5).abs().argmin()]
    chance = whole_percent(row["winner"])
    return f"Halfway through a game with {players}, the eventual winner had a chance of {chance} %"


def belief(analysis: Analysis) -> Chart | None:
    """Draw how often seats of about the same chance won."""
    table = analysis.tables["shape_chances"].dropna(subset=["won_low"])
    if table.empty:
        return None
    counts = counts_in(table)
    figure, panels = facets([players_words(count) for count in counts], 3.2)
    for panel, count in zip(panels, counts, strict=True):
        rows = table[table["players"] == count]
        panel.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=":")
        panel.errorbar(rows["chance"], rows["won"], yerr=spans(rows, "won"), fmt="o", markersize=4, color=SERIES[0])
        seats = rows.to_dict("records")
        given = [f"given {whole_percent(row['chance'])} %: {in_full(row, 'won', 'share')} won" for row in seats]
        tell(panel, zip(rows["chance"], rows["won"], given, strict=True))
        panel.set_xlabel("chance given")
        percent_axis(panel.xaxis)
        percent_axis(panel.yaxis)
    panels[0].set_ylabel("share that won")
    return Chart(
        "shape-belief",
        _believed(table),
        "Seats to which the model gave about the same chance, in games it did not learn from, and how many of them "
        "won: dots on the dotted line mean that chances are what they say. Bars are 95 % intervals.",
        figure,
    )


def _believed(table: pd.DataFrame) -> str:
    fits = int(table["chance"].between(table["won_low"], table["won_high"]).sum())
    return f"{fits} of {len(table)} groups of seats won as often as expected"


def paper_and_play(analysis: Analysis) -> Chart | None:
    """Draw contention in play over load on paper, a panel per player count, and name what does not match."""
    table = analysis.tables["shape_loads"].dropna(subset=["contention"])
    if table.empty:
        return None
    counts = counts_in(table)
    figure, panels = facets([players_words(count) for count in counts], 3.8)
    for panel, count in zip(panels, counts, strict=True):
        rows = table[table["players"] == count]
        for number, odd in enumerate((False, True)):
            part = rows[(rows["stands_out"] != "") == odd]
            words = "does not match" if odd else "a connection"
            panel.plot(part["load"], part["contention"], MARKS[number], color=SERIES[number], markersize=4, label=words)
        told = [f"{short_ends(row)}: {row['contention']:.2f} claims per game" for row in rows.to_dict("records")]
        tell(panel, zip(rows["load"], rows["contention"], told, strict=True))
        panel.set_xlabel("load on paper: tickets per lane")
    panels[0].set_ylabel("fought over: claims per game")
    for panel, count in zip(panels, counts, strict=True):  # once all are drawn, for they share their scale
        rows = table[table["players"] == count]
        places = rows[["load", "contention"]].to_numpy(float)
        for row in _named(rows):
            name_mark(panel, short_ends(row), (row["load"], row["contention"]), places)
    legend(figure)
    return Chart(
        "shape-loads",
        _mismatched(table),
        "Each mark is a connection: how many tickets of a full table are expected to want it, per lane, and how often "
        "it is fought over in play. Named are the clearest of those that do not match: crowded on paper and hardly "
        "fought over, or quiet on paper and fought over; the table lists them all.",
        figure,
    )


def _mismatched(table: pd.DataFrame) -> str:
    rows, players = of_main_count(table)
    number = int((rows["stands_out"] != "").sum())
    few = f"{number} of {len(rows)} connections" if number else "No connection"
    return f"{few} with {players} clearly {'play' if number else 'plays'} otherwise than on paper"


def _named(rows: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return what matches least, one connection of either kind."""
    gap = (rows["load"].rank(pct=True) - rows["contention"].rank(pct=True)).abs()
    odd = rows.assign(gap=gap)[rows["stands_out"] != ""]
    return odd.sort_values("gap", ascending=False).drop_duplicates("stands_out").to_dict("records")
