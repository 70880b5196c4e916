"""What tickets ask of each connection before anyone plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttr_sim.report.board.colors import INK
from ttr_sim.report.charts.style import MARKS, SERIES, Chart, legend, one, rows_of, short, tell

if TYPE_CHECKING:
    from ttr_sim.edition.statics import Statics

MOST = 25  # connections listed


def loads_on_paper(board: Statics) -> Chart:
    """Draw the connections that the tickets of a full table want most, per lane."""
    loads = sorted(enumerate(board.loads), key=lambda load: -load[1].per_lane)[:MOST]
    names = [_name(board, number) for number, _ in loads]
    figure, panel = one(1.1 + 0.22 * len(loads))
    for kind, (crowded, words) in enumerate(((True, "crowded"), (False, "not crowded"))):
        rows = [row for row, (_, load) in enumerate(loads) if load.crowded == crowded]
        panel.plot(
            [loads[row][1].per_lane for row in rows], rows, MARKS[kind], color=SERIES[kind], markersize=5, label=words
        )
    told = [
        f"{name}: {load.tickets:.2f} tickets, {board.net.connections[number].lanes} lanes"
        for name, (number, load) in zip(names, loads, strict=True)
    ]
    tell(panel, ((load.per_lane, row, words) for row, ((_, load), words) in enumerate(zip(loads, told, strict=True))))
    mean = sum(load.per_lane for load in board.loads) / len(board.loads)
    panel.axvline(mean, color=INK, linewidth=0.8, linestyle=":", label="mean of the board")
    rows_of([panel], names)
    panel.set_xlim(left=0)
    panel.set_xlabel(f"tickets per lane, with {board.edition.players[1]} players")
    legend(figure)
    return Chart(
        "load-on-paper",
        f"{_name(board, loads[0][0], whole=True)} is the most wanted connection on paper",
        "How many of the tickets that setup deals at a full table are expected to want a connection of the empty "
        "board, over the lanes it has for them.",
        figure,
    )


def _name(board: Statics, number: int, whole: bool = False) -> str:
    connection = board.net.connections[number]
    names = [board.net.name(city) for city in (connection.a, connection.b)]
    return "–".join(names if whole else [short(name, 18) for name in names])
