"""The page of a comparison: each edit with its effect, other moves, and all numbers of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ttr_sim.analysis.analysis import RunInfo
from ttr_sim.analysis.compare import ROUTES, TICKETS, Listing, Number
from ttr_sim.analysis.compare_text import grounds, robustness_by_headline, side_names
from ttr_sim.analysis.targets import MET, MISSED
from ttr_sim.analysis.text import MINUS, ends, ranked
from ttr_sim.analysis.verdict import describe
from ttr_sim.edition.canonical import route_keys, ticket_keys
from ttr_sim.report.board.drawing import line_board
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.cards import CardView, Change, change_context, counted_word, effect_bar, page_card
from ttr_sim.report.document import foreign_wants, write_document
from ttr_sim.report.figures import inline, settings, svg_of, write_picture
from ttr_sim.report.folder import COMPARED, PAGE, comparison_of, new_report
from ttr_sim.report.maps import BandScale, LineStyle, MapMode, put_on_routes, route_names, step_width
from ttr_sim.report.numbers import ALL, HEADING_UNITS, counted, interval, labeled, players_words, written
from ttr_sim.report.tables import Heading, PageCell, PageRow, View, city_targets, plain_view, write_tables

if TYPE_CHECKING:
    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.analysis.tables import Unit

    Names = tuple[str, str]  # of both sides
    Record = Mapping[Any, Any] | pd.Series

MOST_MOVED = 8  # rows of what else moved
CHIPS = {"better": "met", "worse": "miss", "the same": "half", "better and worse": "half"}
FACTS = {"tickets": ("points", "points"), "routes": ("length", "trains")}  # an edited fact, and its unit
NOTABLE = Heading("notable", "sure after correction, and large enough to report")
RIVALS = Heading("among rivals", "whether the difference holds among rivals of several styles")
SURE = {True: "● yes", False: ""}
P = "chance of so large a difference if nothing differed, corrected for the number of questions asked"
CHANGE_NOTE = "blue and solid: more often, orange and dashed: less often, the wider the more; thin: no sure difference"
MORE, LESS = "s0", "s1"  # colors by their names in the page's style sheet
DASHES = (7, 3)
UNSURE, NOT_IN_BOTH = LineStyle("soft", 0.6), LineStyle("soft", 1.6, (1, 3))
MOST_BANDS = 3  # of a change, on either side of none


def write_comparison(comparison: Comparison, folder: Path, command: str = "", force: bool = False) -> Path:
    names, edition, found = side_names(comparison), comparison.b.edition, comparison.targets
    rows: dict[str, list[int]] = {}  # in B's files, of each line of the comparison
    for listing, keys in ((TICKETS, ticket_keys(edition)), (ROUTES, route_keys(edition))):
        lines = getattr(comparison, listing.name)[["from", "to", listing.keys[2], "copy"]]
        places, ordered = {key: row for row, key in enumerate(keys)}, lines.itertuples(index=False, name=None)
        rows[listing.name] = [places[min(a, b), max(a, b), which, copy] for a, b, which, copy in ordered]
    edited, moved = changes(comparison, rows)
    runs = [RunInfo.of(run) for run in (comparison.a, comparison.b)]
    counts = ((found.fixed, "fixed"), (found.worse, "newly missed"), (found.left, "still missed"))
    said = ", ".join(f"{len(targets)} {words}" for targets, words in counts if targets)
    deals = "" if comparison.unpaired else f", {counted(comparison.blocks, 'deal')} played with both"
    ends_of_tickets = [city_targets(edition.tickets[row]) for row in rows["tickets"]]
    context = change_context(edition, [*edited, *moved[:MOST_MOVED]]) | {
        "name": names[1],
        "word": found.word,
        "chip": CHIPS[found.word],
        "heading": f"{names[1]} against {names[0]}",
        "headline": f"{found.word.capitalize()} for the targets of {names[0]}: {said or 'none is missed'}.",
        "banner": foreign_wants(runs),
        "games_words": {ALL: f"{players_words(comparison.a.plan.players)}{deals}"},
        "games_note": " ".join(grounds(comparison)),
        "cards": list(topic_cards(comparison)),
        "edited": edited,
        "moved": moved[:MOST_MOVED],
        "more": len(moved[MOST_MOVED:]),
        "names": names,
        "comparison": comparison,
        "command": command,
        "runs": runs,
        "views": {
            "headlines": headline_view(comparison, names),
            "tickets": list_view(comparison.tickets, TICKETS, names, ends_of_tickets),
            "routes": list_view(comparison.routes, ROUTES, names, [f"route-{row}" for row in rows["routes"]]),
        },
    }
    called = comparison.called if all(comparison.called) else names
    with new_report(folder, comparison_of(called), force) as new:
        (new / "charts").mkdir()
        write_tables({name: getattr(comparison, name) for name in COMPARED}, new / "tables")
        with settings():
            context |= change_map(comparison, rows["routes"], new / "charts")
        write_document(new / PAGE, "compare.html.j2", context)
    return folder / PAGE


def changes(comparison: Comparison, rows: Mapping[str, Sequence[int]]) -> tuple[list[Change], list[Change]]:
    """Edited tickets and routes, and others that surely moved or changed the state of a target."""
    edited, moved, found = list[Change](), list[tuple[bool, float, Change]](), comparison.targets
    states: dict[tuple[str, int | None], tuple[str, str]] = {}  # by topic and row of the target
    for targets, look, words in (
        (found.fixed, "met", "fixed"),
        (found.left, "miss", "still missed"),
        (found.worse, "miss", "newly missed"),
    ):
        states |= {(target.topic, target.row): (look, words) for target in targets}
    for listing in (TICKETS, ROUTES):
        table = getattr(comparison, listing.name)
        fact, unit = FACTS[listing.name]
        numbers = [number for number in listing.numbers if number.unit == "share"]
        flags = table[[number.notable for number in numbers]].eq(True)
        for line, record in enumerate(table.to_dict("records")):
            row = rows[listing.name][line]
            ticket, route = (row, None) if listing is TICKETS else (None, row)
            look, words = states.get((listing.name, row), ("met", ""))
            # The number that moved most, of those that surely did.
            sure = [number for number in numbers if flags[number.notable].iloc[line]]
            number = max(sure or numbers[:1], key=lambda number: abs(record[f"{number.prefix}difference"]))
            a, b, gap, low, high = (record[f"{number.prefix}{end}"] for end in ("a", "b", "difference", "low", "high"))
            before, after = written(a, number.unit), written(b, number.unit)
            note = f"% {number.words}" if listing is TICKETS else f"% of games {number.words}"
            bar = effect_bar(gap, (high - low) / 2)
            change = Change(ends(record), "", look, words, before, after, note, bar, "", route, ticket)
            if record[f"{fact}_a"] != record[f"{fact}_b"]:
                edited.append(replace(change, change=f"{record[f'{fact}_a']} → {record[f'{fact}_b']} {unit}"))
            elif words or record["notable"]:
                moved.append((not words, -abs(gap), change))
    # Targets that changed their state first, then the largest differences.
    moved.sort(key=lambda each: each[:2])
    in_order = [*edited, *(change for _, _, change in moved)]
    numbered = [replace(change, sign=str(number)) for number, change in enumerate(in_order, 1)]
    return numbered[: len(edited)], numbered[len(edited) :]


def topic_cards(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield cards of the targets, of tickets and routes, and of the game as a whole."""
    edition, found, headlines = comparison.b.edition, comparison.targets, comparison.headlines
    said = []
    for word, targets in (("Fixed", found.fixed), ("Worse", found.worse), ("Left", found.left)):
        said += [f"{word}: {describe(edition, target)}." for target in targets]
    missed = [*found.left, *found.worse]
    claim = f"{found.word.capitalize()} for the targets of {side_names(comparison)[0]}"
    big, why = f"{len(found.left) + len(found.fixed)} → {len(missed)}", " ".join(said)
    view = CardView(claim, big, "targets missed", why or "No target changed its state.")
    yield page_card("Targets", MISSED if missed else MET, {ALL: view})
    for topic, table in (("tickets", comparison.tickets), ("routes", comparison.routes)):
        moved = int(table["notable"].sum())
        state = MISSED if any(target.topic == topic for target in missed) else MET
        claim = f"{counted_word(moved, topic.removesuffix('s'))} surely moved"
        why = f"Sure after correction, and at least {comparison.least * 100:g} in 100 of a share."
        yield page_card(topic.capitalize(), state, {ALL: CardView(claim, str(moved), f"of {len(table)}", why)})
    said = []
    for row in headlines[headlines["notable"]].to_dict("records"):
        a, b = (written(row[side], row["unit"]) for side in "ab")
        said.append(f"{labeled(row['name'], row['unit'])}: {a} → {b}.")
    claim = "The game as a whole changes" if said else "Nothing surely moved as a whole"
    if comparison.same:
        claim = "Every game is the same"
    why = " ".join(said) or "Scores, wins by seat, length and other numbers of the whole game."
    view = CardView(claim, str(len(said)), f"of {len(headlines)} numbers", why)
    yield page_card("Whole game", MET, {ALL: view})


def headline_view(comparison: Comparison, names: Names) -> View:
    first = Heading("number", "the number that is compared")
    headings = [first, *headings_of("", "", names), Heading("p", P, numeric=True), NOTABLE]
    holds = [""] * len(comparison.headlines)
    if comparison.rivals is not None:
        headings, holds = [*headings, RIVALS], [held or "" for held in robustness_by_headline(comparison)]
    rows: list[list[PageCell | str]] = []
    for row, held in zip(comparison.headlines.to_dict("records"), holds, strict=True):
        unit, sure = row["unit"], SURE[bool(row["notable"])]
        rows.append([labeled(row["name"], unit), *cells_of(row, "", unit), written(row["p_adjusted"], "p"), sure])
        rows[-1] += [held] if comparison.rivals is not None else []
    return plain_view("headlines", headings, rows, b=names[1], a=names[0])


def list_view(table: pd.DataFrame, listing: Listing, names: Names, targets: Sequence[str]) -> View:
    kind, thing = listing.keys[2], listing.title.lower().removesuffix("s")
    numbers = [number for number in listing.numbers if table[f"{number.prefix}difference"].notna().any()]
    headings = [Heading(thing, "as its line in the file names its ends"), Heading(kind, "which one it is"), NOTABLE]
    for number in numbers:
        headings += headings_of(f"{number.words}, ", HEADING_UNITS.get(number.unit, ""), names)
    shares = [f"{number.prefix}difference" for number in numbers if number.unit == "share"]
    # Most differences are not sure: those rows come last, behind a switch.
    order = ranked(table.assign(size=table[shares].abs().max(axis=1)), "notable", "size")
    rows = []
    for line, row in order.iterrows():
        which = f"{row[kind]} no. {row['copy'] + 1}" if row["copy"] else str(row[kind])
        cells = [PageCell(words) for words in (ends(row), which, SURE[bool(row["notable"])])]
        for number in numbers:
            cells += cells_of(row, number.prefix, number.unit)
        rows.append(PageRow(cells, targets=targets[int(str(line))], minor=not row["notable"]))
    meanings = ". ".join(f"{number.words.capitalize()}: {number.meaning}" for number in numbers)
    missing = "" if rows and numbers else "There is nothing to compare."
    return View(listing.name, f"{listing.title} of both", f"{meanings}.", headings, rows, missing=missing)


def headings_of(lead: str, unit: str, names: Names) -> list[Heading]:
    """Headings of a number: both sides and their difference."""
    sides = [Heading(f"{lead}{name}", f"{lead}in {name}", unit, numeric=True) for name in names]
    meaning = f"{lead}{names[1]} minus {names[0]}, with its 95 % interval"
    return [*sides, Heading("difference", meaning, unit, numeric=True)]


def cells_of(row: Record, prefix: str, unit: Unit) -> list[PageCell]:
    """Write both sides of a number and their difference, for shares in percentage points."""
    change: Unit = "change" if unit == "share" else unit
    a, b, gap, low, high = (row[f"{prefix}{name}"] for name in ("a", "b", "difference", "low", "high"))
    between = interval(low, high, change, "+")
    return [PageCell(written(a, unit)), PageCell(written(b, unit)), PageCell(written(gap, change, "+"), between)]


def change_map(comparison: Comparison, rows: Sequence[int], folder: Path) -> dict[str, Any]:
    """Draw the map of changes for page and disk, none without turns."""
    edition, routes = comparison.b.edition, comparison.routes
    if comparison.same or routes["difference"].isna().all():
        return {"modes": [], "map_drawing": "", "map_rules": ""}
    names, layout = side_names(comparison), lay_out(edition)
    # The comparison's row for each route, empty where there is none.
    placed = routes.set_axis(list(rows)).reindex(range(len(edition.routes)))
    numbers = [number for number in ROUTES.numbers if routes[f"{number.prefix}difference"].notna().any()]
    modes = [change_mode(placed, number, names, layout.sizes.car) for number in numbers]
    figure, _, drawn = line_board(edition, layout)
    # Claims are the first number of routes, and need no published plans.
    modes[0].paint(drawn, "")
    write_picture(figure, folder / "map-changes.png", f"Where claims moved from {names[0]} to {names[1]}", CHANGE_NOTE)
    # Unsure changes are not drawn in the page: a reader would see a pattern in noise.
    modes = [mode for mode, number in zip(modes, numbers, strict=True) if routes[number.notable].fillna(False).any()]
    for number in numbers:
        # Both sides of a number share a scale.
        columns = placed[[number.prefix + side for side in "ab"]].to_numpy(float).T
        scale = BandScale.over(columns, 0.0)
        for side, name, column in zip("ab", names, columns, strict=True):
            choice, title = f"{number.words} in {name}", f"How often routes are {number.words} in {name}"
            steps, caption = [str(scale.step(value)) for value in column], "Share of games. Dashed: no estimate."
            legend, looks = scale.legend("share"), scale.looks(layout.sizes.car)
            modes.append(MapMode(f"{number.name}-{side}", choice, title, caption, legend, looks, {"": steps}))
    titles = {}
    for place, (name, row) in enumerate(zip(route_names(edition), placed.to_dict("records"), strict=True)):
        tips = [name]
        for each in numbers if isinstance(row["from"], str) else ():
            a, b, gap = cells_of(row, each.prefix, each.unit)
            tips.append(f"{each.words}: {a.words} → {b.words} % of the games ({gap.words}; {gap.between})")
        titles[f"route-{place}"] = "\n".join(tips if len(tips) > 1 else [name, "not in both"])
    svg = svg_of(figure, "changes-", titles)
    put_on_routes(svg, modes)
    return {
        "modes": modes,
        "routes_moved": bool(routes["notable"].any()),
        "map_drawing": inline(svg, f"The routes on the board of {names[1]}", "group"),
        "map_rules": "\n".join(mode.rules for mode in modes),
    }


def change_mode(placed: pd.DataFrame, number: Number, names: Names, car: float) -> MapMode:
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
