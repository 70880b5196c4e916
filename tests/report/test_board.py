"""The board drawing: nothing covers anything, whatever the coordinates, and names do no harm."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import numpy.typing as npt
import pytest

from ttr_sim.edition import load_edition, official_names
from ttr_sim.report.board import draw_board
from ttr_sim.report.board.layout import Layout, lay_out

TOUCH = 1.0  # points: what an eye does not see
HOSTILE = '<script>alert(1)</script> $\\frac{1}{0}$ & "quoted" 東京'
Corners = npt.NDArray[np.float64]
SQUARE = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)], dtype=float) / 2


def overlap(first: Corners, second: Corners) -> float:
    """How far two convex shapes reach into each other; 0 when they are apart."""
    depth = np.inf
    for corners in (first, second):
        sides = np.roll(corners, -1, axis=0) - corners
        normals = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / np.hypot(*sides.T)[:, None]
        for normal in normals:
            a, b = first @ normal, second @ normal
            depth = min(depth, min(a.max(), b.max()) - max(a.min(), b.min()))
    return max(depth, 0.0)


def worst_overlap(shapes: list[Corners], others: list[Corners] | None = None) -> float:
    """Among the shapes themselves, or between them and others."""
    pairs = combinations(shapes, 2) if others is None else product(shapes, others)
    near = (pair for pair in pairs if np.abs(pair[0].mean(axis=0) - pair[1].mean(axis=0)).max() < 120)
    return max((overlap(*pair) for pair in near), default=0.0)


@pytest.fixture(scope="module", params=official_names())
def layout(request: pytest.FixtureRequest) -> Layout:
    return lay_out(load_edition(request.param))


def test_nothing_covers_anything_and_all_is_on_the_canvas(layout: Layout) -> None:
    cars, labels = [], []
    for x, y, angle, length in (car for lane in layout.lanes for car in lane.cars):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        cars.append(SQUARE * (length, layout.sizes.car) @ turn + (x, y))
    for label in layout.labels:
        labels.append(SQUARE * (2 * label.half_width, 2 * label.half_height) + (label.x, label.y))
    inside = 0.55 * layout.sizes.city  # of the square within the ring
    cities = [2 * SQUARE * inside + place for place in layout.places]
    for shapes, others in ((cars, None), (labels, None), (labels, cars), (cities, cars), (cities, labels)):
        assert worst_overlap(shapes, others) < TOUCH
    corners = np.concatenate([*cars, *labels])
    assert corners.min() >= 0
    assert (corners.max(axis=0) <= (layout.width, layout.height)).all()


ROUGH: dict[str, Callable[[int], tuple[float, float]]] = {
    "one point": lambda n: (7.0, 7.0),
    "a line": lambda n: (float(n), 3.0),
    "a column": lambda n: (0.0, float(n)),
    "pairs on each other": lambda n: (float(n // 2 % 3), float(n // 6)),
    "tiny": lambda n: (1e-9 * (n % 4), 1e-9 * (n // 4)),
    "huge and negative": lambda n: (-1e12 * (n % 4), 1e12 * (n // 4)),
}


@pytest.mark.parametrize("kind", ROUGH)
def test_rough_coordinates_still_make_a_board(kind: str) -> None:
    edition, cities = load_edition("amsterdam"), []
    for number, city in enumerate(edition.cities):
        x, y = ROUGH[kind](number)
        cities.append(dataclasses.replace(city, x=x, y=y))
    layout = lay_out(dataclasses.replace(edition, cities=tuple(cities)))
    gaps = layout.places[:, None] - layout.places[None]
    distances = np.hypot(gaps[..., 0], gaps[..., 1]) + 1e9 * np.eye(len(layout.places))
    assert distances.min() > 1.5 * layout.sizes.city
    assert (layout.places >= 0).all()
    assert (layout.places <= (layout.width, layout.height)).all()


def test_files_are_png_or_svg_with_an_id_for_each_route_and_city_and_always_the_same(tmp_path: Path) -> None:
    edition = load_edition("first_journey")
    for name in ("a.svg", "b.svg", "board.png"):
        draw_board(edition, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    ids = {element.get("id") for element in ET.parse(tmp_path / "a.svg").iter()}
    assert {f"route-{n}" for n in range(len(edition.routes))} <= ids
    assert {f"city-{n}" for n in range(len(edition.cities))} <= ids


def test_names_are_only_text(tmp_path: Path) -> None:
    edition = load_edition("amsterdam")
    first, *others = edition.cities
    edition = dataclasses.replace(edition, cities=(dataclasses.replace(first, name=HOSTILE), *others))
    draw_board(edition, tmp_path / "board.svg")
    drawn = ET.parse(tmp_path / "board.svg")
    assert not [element for element in drawn.iter() if element.tag.endswith("script")]
    words = " ".join(element.text or "" for element in drawn.iter() if element.tag.endswith("text"))
    assert "<script>alert(1)</script>" in words


def test_a_lonely_city_is_a_board() -> None:
    edition = load_edition("amsterdam")
    lonely = dataclasses.replace(edition, cities=edition.cities[:1], routes=(), tickets=())
    assert len(lay_out(lonely).labels) == 1
