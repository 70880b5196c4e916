"""The map of changes between two runs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from ttr_sim.analysis.compare import ROUTES, Comparison, Number
from ttr_sim.analysis.compare_text import side_names
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import MINUS
from ttr_sim.edition.canonical import route_keys
from ttr_sim.report.board.drawing import line_board
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.figures import inline, svg_of, write_picture
from ttr_sim.report.maps import BandScale, LineStyle, MapMode, choice_rules, put_on_routes, route_names, step_width
from ttr_sim.report.numbers import interval, signed, written

CHANGE_NOTE = "blue and solid: more often, orange and dashed: less often, the wider the more; thin: no sure difference"
MORE, LESS = "s0", "s1"  # colors by their names in the page's style sheet
DASHES = (7, 3)
UNSURE, NOT_IN_BOTH = LineStyle("soft", 0.6), LineStyle("soft", 1.6, (1, 3))
MOST_BANDS = 3  # of a change, on either side of none


def change_map(comparison: Comparison, folder: Path) -> dict[str, Any]:
    """Draw the map of changes for page and disk, none without turns."""
    edition, routes = comparison.b.edition, comparison.routes
    if comparison.same or routes["difference"].isna().all():
        return {"modes": [], "map_drawing": "", "map_rules": ""}
    names, layout = side_names(comparison), lay_out(edition)
    lines = {}
    for line, (a, b, color, copy) in enumerate(routes[["from", "to", "color", "copy"]].itertuples(index=False)):
        lines[min(a, b), max(a, b), color, copy] = line
    # The comparison's row for each route, empty where there is none.
    placed = routes.reset_index(drop=True).reindex([lines.get(key, -1) for key in route_keys(edition)])
    numbers = [number for number in ROUTES.numbers if routes[f"{number.prefix}difference"].notna().any()]
    changes = [_change_mode(placed, number, names, layout.sizes.car) for number in numbers]
    # Unsure changes are not drawn in the page: a reader would see a pattern in noise.
    modes = [mode for mode, number in zip(changes, numbers, strict=True) if routes[number.notable].fillna(False).any()]
    for number in numbers:
        # Both sides of a number share a scale.
        columns = placed[[number.prefix + side for side in "ab"]].to_numpy(float).T
        scale = BandScale.over(columns, 0.0)
        for side, name, column in zip("ab", names, columns, strict=True):
            choice, title = f"{number.words} in {name}", f"How often routes are {number.words} in {name}"
            steps, caption = [str(scale.step(value)) for value in column], "Share of games. Dashed: no estimate."
            legend, looks = scale.legend("share"), scale.looks(layout.sizes.car)
            modes.append(MapMode(f"{number.name}-{side}", choice, title, caption, legend, looks, {"": steps}))
    figure, _, drawn = line_board(edition, layout)
    # Claims are the first number of routes, and need no published plans.
    changes[0].paint(drawn, "")
    write_picture(figure, folder / "map-changes.png", f"Where claims moved from {names[0]} to {names[1]}", CHANGE_NOTE)
    titles = {}
    for place, (name, row) in enumerate(zip(route_names(edition), placed.to_dict("records"), strict=True)):
        tips = [name]
        for each in numbers if isinstance(row["from"], str) else ():
            a, b = (written(row[each.prefix + side], each.unit) for side in "ab")
            change: Unit = "change" if each.unit == "share" else each.unit
            gap, low, high = (row[f"{each.prefix}{end}"] for end in ("difference", "low", "high"))
            between = interval(low, high, change, "+")
            tips.append(f"{each.words}: {a} → {b} % of the games ({signed(gap, change)}; {between})")
        titles[f"route-{place}"] = "\n".join(tips if len(tips) > 1 else [name, "not in both"])
    svg = svg_of(figure, "changes-", titles)
    put_on_routes(svg, modes)
    return {
        "modes": modes,
        "routes_moved": bool(routes["notable"].any()),
        "map_drawing": inline(svg, f"The routes on the board of {names[1]}", "group"),
        "map_rules": Markup("\n".join([choice_rules(()), *(mode.rules for mode in modes)])),
    }


def _change_mode(placed: pd.DataFrame, number: Number, names: tuple[str, str], car: float) -> MapMode:
    """Show the sure changes of a number."""
    # Steps are p upward, m downward, u without a sure difference, n not in both.
    differences = placed[f"{number.prefix}difference"].astype(float)
    gaps = differences.where(placed[number.notable].fillna(False).astype(bool)).to_numpy(float)
    scale = BandScale.over(np.abs(gaps), 0.0, MOST_BANDS)
    steps = []
    for gap, is_known in zip(gaps, differences.notna(), strict=True):
        if np.isnan(gap):
            steps.append("u" if is_known else "n")
        else:
            steps.append(f"{'p' if gap >= 0 else 'm'}{scale.band(float(abs(gap)))}")
    looks = {"u": UNSURE, "n": NOT_IN_BOTH}
    legend = [("no sure difference", LineStyle("soft", 1))]
    for band, (low, high) in enumerate(pairwise(f"{edge * 100:.3g}" for edge in scale.edges)):
        width = step_width(scale.steps[band], car)
        looks[f"p{band}"], looks[f"m{band}"] = LineStyle(MORE, width), LineStyle(LESS, width, DASHES)
        to, start = (low, low) if low == "0" else (f"{MINUS}{low}", f"+{low}")
        legend.insert(0, (f"{MINUS}{high} to {to}", looks[f"m{band}"]))
        legend.append((f"{start} to +{high}", looks[f"p{band}"]))
    title = f"Where routes are {number.words} more or less often"
    caption = f"Percentage points of the games, {names[1]} minus {names[0]}. Dotted: not in both."
    return MapMode(f"change-{number.name}", f"change: {number.words}", title, caption, legend, looks, {"": steps})
