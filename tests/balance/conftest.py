"""Amsterdam with one contract worth far too much."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import write_folder

PLANTED = 20  # points of a contract that is worth a few


def spoiled(home: Path) -> Edition:
    write_folder(load_edition("amsterdam"), home)
    path = home / "tickets.csv"
    first, line, *rest = path.read_text("utf-8").splitlines()
    cells = line.split(",")
    path.write_text("\n".join([first, ",".join([*cells[:2], str(PLANTED), *cells[3:]]), *rest]) + "\n", "utf-8")
    return load_edition(home)
