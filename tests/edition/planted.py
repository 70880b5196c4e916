"""Small boards with one property each, written as edition folders."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path

from ttr_sim.edition import Edition, find_folder, load_edition

Link = tuple[str, str, int]
PLACES = {name: (x, y) for name, (x, y) in zip("ABCDEFGHIJKL", product(range(4), range(3)), strict=True)}


def planted(
    folder: Path,
    routes: Iterable[Link],
    tickets: Iterable[Link],
    *,
    cities: Iterable[str] | None = None,
    changes: Iterable[tuple[str, str]] = (),
) -> Edition:
    """Write a board for two players with one ticket each, under the rules of the USA but for `changes`."""
    routes, tickets = list(routes), list(tickets)
    rows = cities or [f"{name},{x},{y}" for name, (x, y) in PLACES.items() if any(name in link[:2] for link in routes)]
    rules = (find_folder("usa") / "edition.toml").read_text(encoding="utf-8")
    for old, new in (("players = [2, 5]", "players = [2, 2]"), ("deal = 3 ", "deal = 1 "), *changes):
        assert old in rules
        rules = rules.replace(old, new, 1)
    rules = rules.replace("keep_at_start = 2", "keep_at_start = 1")
    folder.mkdir(exist_ok=True)
    (folder / "edition.toml").write_text(rules, encoding="utf-8")
    _write(folder / "cities.csv", "name,x,y,country" if cities else "name,x,y", rows)
    _write(folder / "routes.csv", "from,to,length,color", (f"{a},{b},{n},gray" for a, b, n in routes))
    _write(folder / "tickets.csv", "from,to,points,deck", (f"{a},{b},{n},regular" for a, b, n in tickets))
    return load_edition(folder)


def _write(path: Path, headings: str, rows: Iterable[str]) -> None:
    path.write_text("\n".join([headings, *rows]) + "\n", encoding="utf-8")
