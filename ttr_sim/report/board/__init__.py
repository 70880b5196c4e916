"""The board drawing, and the base of all maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ttr_sim.edition.model import Edition


def draw_board(edition: Edition, path: Path) -> None:
    """Write the printed board to a .png or .svg file."""
    from ttr_sim.report.board.drawing import write_board  # matplotlib loads here, not with the package

    write_board(edition, path)
