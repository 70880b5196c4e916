"""Numbers of games and board, each with its range over the official editions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.official import Ranges, Span
from ttr_sim.analysis.tables import Unit
from ttr_sim.edition.statics import Statics, measured, shown
from ttr_sim.report.numbers import interval, labeled, written
from ttr_sim.report.tables import key_of

Number = tuple[float, float, float]  # with the ends of its interval, all equal without one
PADDING = 0.06  # of a strip, free at both ends
MARGIN = "Winner's margin"
# Words, table, row, column and unit of each number.
MEASURES: tuple[tuple[str, str, dict[str, object], str, Unit], ...] = (
    ("Wins of the first player", "seats", {"seat": 0}, "win_share", "share"),
    ("Rounds of a game", "pace", {"measure": "rounds"}, "mean", "rounds"),
    (MARGIN, "pace", {"measure": "margin"}, "mean", "number"),
    ("Changes of the lead", "pace", {"measure": "lead_changes"}, "mean", "number"),
    ("Winner leads for good from", "pace", {"measure": "decided"}, "mean", "share"),
    ("Winner not ahead in open points", "pace", {"measure": "hidden"}, "mean", "share"),
    ("Shared wins", "pace", {"measure": "shared"}, "mean", "share"),
    ("Points from routes", "score_parts", {"bot": "", "part": "route"}, "mean", "points"),
    ("Points from tickets", "score_parts", {"bot": "", "part": "ticket"}, "mean", "points"),
    ("Lost on failed tickets", "score_parts", {"bot": "", "part": "ticket_penalty"}, "mean", "points"),
    ("Claims per player", "actions", {"action": "claim"}, "per_seat", "number"),
    ("Draws of tickets per player", "actions", {"action": "tickets"}, "per_seat", "number"),
)


@dataclass(frozen=True)
class MetricCell:
    """A number and its position in the official range."""

    words: str
    between: str = ""
    usual: str = ""
    standing: str = ""  # below, within, above or empty
    strip: str = ""  # places of the range, the dot and the interval's ends, for the page's style sheet

    @classmethod
    def placed(cls, texts: tuple[str, str, str], number: Number, span: Span | None, scale: list[float]) -> MetricCell:
        """Compare a number with a range, on a strip that covers the scale."""
        if span is None:
            return cls(*texts)
        _, low, high = number
        # Outside only when the whole interval is.
        standing = "below" if high < span[0] else "above" if low > span[1] else "within"
        room = PADDING * ((max(scale) - min(scale)) or 1.0)
        least, most = min(scale) - room, max(scale) + room
        shares = (round(100 * (value - least) / (most - least), 1) for value in (*span, *number))
        strip = ";".join(f"--{name}:{share}%" for name, share in zip("abxcd", shares, strict=True))
        return cls(*texts, standing, strip)


@dataclass(frozen=True)
class MetricRow:
    """A measure with a cell per player count, or one for the empty board."""

    words: str
    anchor: str  # of its table
    cells: list[MetricCell]
    meaning: str = ""


def glance(analysis: Analysis, counts: Sequence[int], ranges: Ranges) -> list[MetricRow]:
    """Row for each measure that the runs show."""
    rows = []
    for name, table, of_row, column, unit in MEASURES:
        found: dict[int, tuple[Number, Span | None]] = {}
        for players in counts:
            chosen = analysis.tables[table]
            for key, wanted in {"players": players, **of_row}.items():
                chosen = chosen[chosen[key] == wanted]
            known = chosen[[column, f"{column}_low", f"{column}_high"]].astype(float).dropna().to_numpy()
            if len(known):
                value, low, high = map(float, known[0])
                # The margin of a race counts tickets, where other boards count points.
                is_odd = analysis.edition.is_race and name == MARGIN
                span = None if is_odd else ranges.of(table, players, key_of(table, of_row), column)
                found[players] = (value, low, high), span
        # All counts on one scale, so that a row of strips can be compared.
        scale = [value for number, span in found.values() for value in (*number, *(span or ()))]
        cells = {players: MetricCell(written(None, unit)) for players in counts}
        for players, (number, span) in found.items():
            value, low, high = number
            texts = written(value, unit), interval(low, high, unit), interval(*span, unit) if span else ""
            cells[players] = MetricCell.placed(texts, number, span, scale)
        if found:
            rows.append(MetricRow(labeled(name, unit), table, list(cells.values())))
    return rows


def board_measures(board: Statics) -> Iterator[MetricRow]:
    """Yield each measure of the board before anyone plays."""
    for row in measured(board):
        texts = shown(row.value, row.measure.unit), "", f"{shown(row.low)} to {shown(row.high)}"
        cell = MetricCell(*texts)
        if row.value is not None and row.low is not None and row.high is not None:
            cell = MetricCell.placed(texts, (row.value,) * 3, (row.low, row.high), [row.value, row.low, row.high])
        yield MetricRow(row.measure.name, "", [cell], row.measure.definition)


def named_things(board: Statics) -> list[tuple[str, str]]:
    """Name the things that the board measures only count."""
    name, shape, tickets = board.net.name, board.shape, board.edition.tickets
    pairs = []
    for pair in board.near_duplicates:
        first, second = tickets[pair.first], tickets[pair.second]
        pairs.append(f"{first.a}–{first.b} and {second.a}–{second.b} ({100 * pair.overlap:.0f} %)")
    bridges = [board.net.connections[number] for number in shape.bridges]
    found = {
        "Bridges": [f"{name(bridge.a)}–{name(bridge.b)}" for bridge in bridges],
        "Cut cities": [name(city) for city in shape.cut_cities],
        "Dead ends": [name(city) for city in shape.dead_ends],
        "Regions": [", ".join(map(name, region)) for region in shape.regions],
        "Near-duplicates": pairs,
        "Places without tickets": [place for place, times in board.tickets_by_place.items() if not times],
    }
    return [(kind, "; ".join(things) or "none") for kind, things in found.items()]
