"""The page of a comparison: each edit with its effect, other moves, and all numbers of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from ttr_sim.analysis.analysis import RunInfo
from ttr_sim.analysis.compare import ROUTES, TICKETS, Listing, Number
from ttr_sim.analysis.compare_text import grounds, robustness_by_headline, side_names
from ttr_sim.analysis.targets import MET, MISSED
from ttr_sim.analysis.text import MINUS, ends, ranked
from ttr_sim.analysis.verdict import describe
from ttr_sim.edition.canonical import Key, route_keys, ticket_keys
from ttr_sim.report.board.drawing import line_board
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.cards import CardView, Change, change_context, counted_word, effect_bar, plain_card
from ttr_sim.report.document import foreign_wants, run_facts, run_heading, write_document
from ttr_sim.report.figures import inline, settings, svg_of, write_picture
from ttr_sim.report.folder import COMPARED, PAGE, comparison_of, new_report
from ttr_sim.report.maps import BandScale, LineStyle, MapMode, choice_rules, put_on_routes, route_names, step_width
from ttr_sim.report.numbers import ALL, HEADING_UNITS, counted, interval, labeled, players_words, signed, written
from ttr_sim.report.tables import Heading, PageCell, PageRow, View, city_targets, plain_view, write_tables

if TYPE_CHECKING:
    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.analysis.tables import Unit

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
    """Write the page with its charts and tables."""
    names, edition = side_names(comparison), comparison.b.edition
    rows = {
        "tickets": _rows_of(comparison.tickets, "deck", ticket_keys(edition)),
        "routes": _rows_of(comparison.routes, "color", route_keys(edition)),
    }
    edited, moved = _changes(comparison, rows)
    ends_of_tickets = [city_targets(edition.tickets[row]) for row in rows["tickets"]]
    runs = [RunInfo.of(run) for run in (comparison.a, comparison.b)]
    word, found = comparison.targets.word, comparison.targets
    said = [f"{len(found.fixed)} fixed"] if found.fixed else []
    said += [f"{len(found.worse)} newly missed"] if found.worse else []
    said += [f"{len(found.left)} still missed"] if found.left else []
    deals = "" if comparison.unpaired else f", {counted(comparison.blocks, 'deal')} played with both"
    context = change_context(edition, [*edited, *moved[:MOST_MOVED]]) | {
        "name": names[1],
        "word": word,
        "chip": CHIPS[word],
        "heading": f"{names[1]} against {names[0]}",
        "headline": f"{word.capitalize()} for the targets of {names[0]}: {', '.join(said) or 'none is missed'}.",
        "banner": foreign_wants(runs),
        "games_words": {ALL: f"{players_words(comparison.a.plan.players)}{deals}"},
        "games_note": " ".join(grounds(comparison)),
        "cards": list(_cards(comparison)),
        "edited": edited,
        "moved": moved[:MOST_MOVED],
        "more": len(moved[MOST_MOVED:]),
        "names": names,
        "comparison": comparison,
        "command": command,
        "runs": [(run_heading(run), run_facts(run)) for run in runs],
        "views": {
            "headlines": _headlines(comparison, names),
            "tickets": _list(comparison.tickets, TICKETS, names, ends_of_tickets),
            "routes": _list(comparison.routes, ROUTES, names, [f"route-{row}" for row in rows["routes"]]),
        },
    }
    called = comparison.called if all(comparison.called) else names
    with new_report(folder, comparison_of(called), force) as new:
        drawings = new / "charts"
        drawings.mkdir()
        write_tables({name: getattr(comparison, name) for name in COMPARED}, new / "tables")
        with settings():
            context |= change_map(comparison, rows["routes"], drawings)
        context["rules"] += context["map_rules"]
        write_document(new / PAGE, "compare.html.j2", context)
    return folder / PAGE


def _rows_of(table: pd.DataFrame, kind: str, keys: Sequence[Key]) -> list[int]:
    """Row in B's files of each line of the comparison."""
    rows = {key: row for row, key in enumerate(keys)}
    found = []
    for one, other, which, copy in table[["from", "to", kind, "copy"]].itertuples(index=False, name=None):
        found.append(rows[min(one, other), max(one, other), which, copy])
    return found


def _changes(comparison: Comparison, rows: Mapping[str, Sequence[int]]) -> tuple[list[Change], list[Change]]:
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
    numbered: list[Change] = []
    for change in (*edited, *(change for _, _, change in moved)):
        numbered.append(replace(change, sign=str(len(numbered) + 1)))
    return numbered[: len(edited)], numbered[len(edited) :]


def _cards(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield cards of the targets, of tickets and routes, and of the game as a whole."""
    edition, found, (a, _) = comparison.b.edition, comparison.targets, side_names(comparison)
    said = []
    for word, targets in (("Fixed", found.fixed), ("Worse", found.worse), ("Left", found.left)):
        said += [f"{word}: {describe(edition, target)}." for target in targets]
    missed = len(found.left) + len(found.worse)
    claim = f"{found.word.capitalize()} for the targets of {a}"
    before = len(found.left) + len(found.fixed)
    view = CardView(claim, f"{before} → {missed}", "targets missed", " ".join(said) or "No target changed its state.")
    yield plain_card("Targets", MISSED if missed else MET, view)
    for topic, table in (("tickets", comparison.tickets), ("routes", comparison.routes)):
        moved = int(table["notable"].sum())
        here = [target for target in (*found.worse, *found.left) if target.topic == topic]
        claim = f"{counted_word(moved, topic.removesuffix('s'))} surely moved"
        why = f"Sure after correction, and at least {comparison.least * 100:g} in 100 of a share."
        yield plain_card(
            topic.capitalize(), MISSED if here else MET, CardView(claim, str(moved), f"of {len(table)}", why)
        )
    headlines = comparison.headlines
    notable = headlines[headlines["notable"]]
    said = []
    for row in notable.to_dict("records"):
        numbers = [written(row[side], row["unit"]) for side in "ab"]
        said.append(f"{labeled(row['name'], row['unit'])}: {numbers[0]} → {numbers[1]}.")
    claim = "The game as a whole changes" if said else "Nothing surely moved as a whole"
    if comparison.same:
        claim = "Every game is the same"
    why = " ".join(said) or "Scores, wins by seat, length and other numbers of the whole game."
    view = CardView(claim, str(len(notable)), f"of {len(headlines)} numbers", why)
    yield plain_card("Whole game", MET, view)


def _headlines(comparison: Comparison, names: tuple[str, str]) -> View:
    first = Heading("number", "the number that is compared")
    headings = [first, *_headings("", "", names), Heading("p", P, numeric=True), NOTABLE]
    if comparison.rivals is not None:
        headings.append(RIVALS)
    rows: list[list[PageCell | str]] = []
    holds = robustness_by_headline(comparison)
    for row, held in zip(comparison.headlines.to_dict("records"), holds, strict=True):
        unit, p = row["unit"], written(row["p_adjusted"], "p")
        rows.append([labeled(row["name"], unit), *_cells(row, "", unit), p, SURE[bool(row["notable"])]])
        if comparison.rivals is not None:
            rows[-1].append(held or "")
    meaning = f"The whole game. A difference is {names[1]} minus {names[0]}, with its 95 % interval below it."
    return plain_view("headlines", "Headline numbers", meaning, headings, rows)


def _list(table: pd.DataFrame, listing: Listing, names: tuple[str, str], targets: Sequence[str]) -> View:
    """Lay out tickets or routes, the notable first and the others on demand."""
    kind, thing = listing.keys[2], listing.title.lower().removesuffix("s")
    numbers = [number for number in listing.numbers if table[f"{number.prefix}difference"].notna().any()]
    headings = [Heading(thing, "as its line in the file names its ends"), Heading(kind, "which one it is"), NOTABLE]
    for number in numbers:
        headings += _headings(number.words, HEADING_UNITS.get(number.unit, ""), names)
    shares = [f"{number.prefix}difference" for number in numbers if number.unit == "share"]
    # Most differences are not sure: those rows come last, behind a switch.
    order = ranked(table.assign(size=table[shares].abs().max(axis=1)), "notable", "size")
    rows = []
    for line, row in order.iterrows():
        which = f"{row[kind]} no. {row['copy'] + 1}" if row["copy"] else str(row[kind])
        cells = [PageCell(ends(row)), PageCell(which), PageCell(SURE[bool(row["notable"])])]
        for number in numbers:
            cells += _cells(row, number.prefix, number.unit)
        rows.append(PageRow(cells, targets=targets[int(str(line))], minor=not row["notable"]))
    meanings = ". ".join(f"{number.words.capitalize()}: {number.meaning}" for number in numbers)
    missing = "" if rows and numbers else "There is nothing to compare."
    return View(listing.name, f"{listing.title} of both", f"{meanings}.", headings, rows, missing=missing)


def _headings(words: str, unit: str, names: tuple[str, str]) -> Iterator[Heading]:
    """Headings of a number: both sides and their difference."""
    lead = f"{words}, " if words else ""
    for name in names:
        yield Heading(f"{lead}{name}", f"{lead}in {name}", unit, numeric=True)
    meaning = f"{lead}{names[1]} minus {names[0]}, with its 95 % interval"
    yield Heading("difference", meaning, unit, numeric=True)


def _cells(row: Mapping[Any, Any] | pd.Series, prefix: str, unit: Unit) -> list[PageCell]:
    """Write both sides of a number and their difference."""
    return [*(PageCell(written(row[f"{prefix}{side}"], unit)) for side in "ab"), difference_cell(row, prefix, unit)]


def difference_cell(row: Mapping[Any, Any] | pd.Series, prefix: str, unit: Unit) -> PageCell:
    """Write a difference with its interval, for shares in percentage points."""
    change: Unit = "change" if unit == "share" else unit
    gap, low, high = (row[f"{prefix}{name}"] for name in ("difference", "low", "high"))
    return PageCell(signed(gap, change), interval(low, high, change, "+"))


def change_map(comparison: Comparison, rows: Sequence[int], folder: Path) -> dict[str, Any]:
    """Draw the map of changes for page and disk, none without turns."""
    edition, routes = comparison.b.edition, comparison.routes
    if comparison.same or routes["difference"].isna().all():
        return {"modes": [], "map_drawing": "", "map_rules": ""}
    names, layout = side_names(comparison), lay_out(edition)
    # The comparison's row for each route, empty where there is none.
    placed = routes.set_axis(list(rows)).reindex(range(len(edition.routes)))
    numbers = [number for number in ROUTES.numbers if routes[f"{number.prefix}difference"].notna().any()]
    changes = [change_mode(placed, number, names, layout.sizes.car) for number in numbers]
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
            gap = difference_cell(row, each.prefix, each.unit)
            tips.append(f"{each.words}: {a} → {b} % of the games ({gap.words}; {gap.between})")
        titles[f"route-{place}"] = "\n".join(tips if len(tips) > 1 else [name, "not in both"])
    svg = svg_of(figure, "changes-", titles)
    put_on_routes(svg, modes)
    return {
        "modes": modes,
        "routes_moved": bool(routes["notable"].any()),
        "map_drawing": inline(svg, f"The routes on the board of {names[1]}", "group"),
        "map_rules": Markup("\n".join([choice_rules(()), *(mode.rules for mode in modes)])),
    }


def change_mode(placed: pd.DataFrame, number: Number, names: tuple[str, str], car: float) -> MapMode:
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
