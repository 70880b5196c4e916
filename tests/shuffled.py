"""Copies of editions with the lines of their three CSV files in another order."""

from __future__ import annotations

from pathlib import Path
from random import Random

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import write_folder


def shuffled_copy(name: str, folder: Path, seed: int = 1) -> Edition:
    """Write an official edition with shuffled lines, and load it."""
    write_folder(load_edition(name), folder)
    random = Random(seed)
    for file in ("cities.csv", "routes.csv", "tickets.csv"):
        heading, *lines = (folder / file).read_text("utf-8").splitlines()
        random.shuffle(lines)
        (folder / file).write_text("\n".join([heading, *lines]) + "\n", "utf-8")
    return load_edition(folder)
