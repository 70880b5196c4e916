"""A game one can watch: a page that steps through it turn by turn."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.errors import UserError


def check_page(path: Path) -> None:
    """Refuse a path to which no page can be written."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"cannot write the game to {path}: the file name must end in .html")
    if not path.parent.is_dir():
        raise UserError(f"cannot write the game to {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise UserError(f"cannot write the game to {path}: this is a folder, not a file")
