"""The board drawing, and the base of all maps."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.errors import UserError

if TYPE_CHECKING:
    from ttr_sim.edition.model import Edition

IMAGE_TYPES = (".png", ".svg")

# matplotlib loads in the functions below, not with the package


def check_image(path: Path) -> None:
    """Refuse a path to which no drawing can be written."""
    if path.suffix.lower() not in IMAGE_TYPES:
        raise UserError(f"cannot draw to {path}: the file name must end in .png or .svg")
    if not path.parent.is_dir():
        raise UserError(f"cannot draw to {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise UserError(f"cannot draw to {path}: this is a folder, not a file")


def draw_board(edition: Edition, path: Path) -> None:
    """Write the printed board to a .png or .svg file."""
    from ttr_sim.report.board.drawing import write_board

    write_board(edition, path)


class BoardDrawing:
    """The printed board of an edition: a notebook shows it, `save` writes it to a file."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def save(self, path: str | Path) -> Path:
        """Write the drawing to a .png or .svg file and return its path."""
        check_image(Path(path))
        draw_board(self.edition, Path(path))
        return Path(path)

    def __repr__(self) -> str:
        return f'Drawing of {self.edition.title}: save("board.svg") or save("board.png") writes it'

    def _repr_html_(self) -> str:
        """Return the drawing as an image, so that its styles and ids stay apart from the notebook's."""
        from ttr_sim.report.board.drawing import board_svg

        data = b64encode(board_svg(self.edition).encode()).decode()
        return f'<img alt="Board of {escape(self.edition.title)}" src="data:image/svg+xml;base64,{data}">'
