"""The board drawing, and the base of all maps."""

from __future__ import annotations

import io
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ttr_sim.report.folder import check_file

if TYPE_CHECKING:
    from ttr_sim.edition.model import Edition

IMAGE_TYPES = (".png", ".svg")
DPI = 150


def draw_board(edition: Edition, file: Path | IO[bytes], kind: str = "") -> None:
    # Matplotlib takes a third of a second to import, and most commands draw nothing.
    from ttr_sim.report.board.drawing import printed_board
    from ttr_sim.report.board.layout import lay_out
    from ttr_sim.report.figures import NO_DATE, settings

    kind = kind or Path(str(file)).suffix.lower().removeprefix(".")
    with settings():
        figure = printed_board(edition, lay_out(edition))
        figure.savefig(file, format=kind, dpi=DPI, metadata=NO_DATE if kind == "svg" else None)


class BoardDrawing:
    """The printed board of an edition, for notebooks and files."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def save(self, path: str | Path) -> Path:
        check_file(Path(path), "draw to", IMAGE_TYPES)
        draw_board(self.edition, Path(path))
        return Path(path)

    def __repr__(self) -> str:
        return f'Drawing of {self.edition.title}: save("board.svg") or save("board.png") writes it'

    def _repr_html_(self) -> str:
        # As an image, its styles and ids stay apart from the notebook's.
        svg = io.BytesIO()
        draw_board(self.edition, svg, "svg")
        data = b64encode(svg.getvalue()).decode()
        return f'<img alt="Board of {escape(self.edition.title)}" src="data:image/svg+xml;base64,{data}">'
