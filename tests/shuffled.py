"""Copies of editions with the lines of their three CSV files in another order, and ends too."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import write_folder


def shuffled_copy(name: str, folder: Path, seed: int = 1, turned: bool = False) -> Edition:
    """Write an official edition with shuffled lines, and load it; turned, half of its routes name their ends the other
    way round."""
    write_folder(load_edition(name), folder)
    random = Random(seed)
    for file in ("cities.csv", "routes.csv", "tickets.csv"):
        with (folder / file).open(encoding="utf-8", newline="") as lines:
            heading, *rows = csv.reader(lines)
        random.shuffle(rows)
        if turned and file == "routes.csv":
            rows[::2] = [[b, a, *rest] for a, b, *rest in rows[::2]]
        with (folder / file).open("w", encoding="utf-8", newline="") as target:
            csv.writer(target, lineterminator="\n").writerows([heading, *rows])
    return load_edition(folder)
