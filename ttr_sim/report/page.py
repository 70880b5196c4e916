"""The page of a report: one HTML file that opens offline, with everything in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.tables import TABLES
from ttr_sim.analysis.watch import games_to_watch
from ttr_sim.edition.statics import Statics, statics
from ttr_sim.report.board.drawing import printed_board
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.charts.routes import load_on_paper
from ttr_sim.report.document import write_document
from ttr_sim.report.figures import InlineChart, inline, inline_chart, settings, svg_of, write_picture
from ttr_sim.report.films import Filmer, Shown, film_of_finding, searched, write_films
from ttr_sim.report.folder import PAGE, new_report, report_on
from ttr_sim.report.glance import board_measures, glance, named_things
from ttr_sim.report.glossary import Explainer
from ttr_sim.report.maps import choice_rules, draw_values, route_names, value_maps, write_map_pictures
from ttr_sim.report.numbers import choices, main_count, played_counts
from ttr_sim.report.opening import banner, board_facts, played, played_officially, sentences
from ttr_sim.report.provenance import made
from ttr_sim.report.ranges import Ranges, official_ranges
from ttr_sim.report.sections import SECTIONS, section_of
from ttr_sim.report.spreadsheets import write_tables
from ttr_sim.report.targets import HoverTargets
from ttr_sim.report.views import route_of_connection, row_anchor, views_of
from ttr_sim.report.worst import mark_places, worst_places

if TYPE_CHECKING:
    from ttr_sim.analysis.findings import Finding

Sheets = dict[str, list[InlineChart]]  # the charts of each section, by its anchor
Linked = tuple["Finding", str, str, str]  # with the anchors of its chart and of its row, and its game
GROUPS = {"board": "The board", "play": "How to play it", "limits": "What these runs cannot show"}


def write_page(
    analysis: Analysis,
    folder: Path,
    command: str = "",
    pictures: bool = True,
    film: Filmer | None = None,
    most_films: int | None = None,
    brief: bool = False,
    force: bool = False,
) -> Path:
    """Write the page with its tables, its charts as pictures if they are wanted, and some games to watch."""
    with new_report(folder, report_on(analysis.edition.name, brief), force) as new:
        drawings = new / "charts" if pictures else None
        if drawings:
            drawings.mkdir()
        write_tables(analysis.tables, new / "tables")
        films = write_films(games_to_watch(analysis)[:most_films], analysis.edition, new, film) if film else []
        board = statics(analysis.edition)
        with settings():
            drawn = _maps(analysis, board, drawings)
            paper, sheets = _charts(analysis, board, drawings)
        context = drawn | _context(analysis, board, drawn, films, command)
        context["paper"] = {"lines": board_measures(board), "named": named_things(board), "chart": paper}
        write_document(new / PAGE, "page.html.j2", context | _sheets_and_findings(analysis, sheets, films))
    return folder / PAGE


def _charts(analysis: Analysis, board: Statics, folder: Path | None) -> tuple[InlineChart, Sheets]:
    paper = inline_chart(load_on_paper(board), folder)
    sheets = {
        section.anchor: [inline_chart(chart, folder) for draw in section.charts if (chart := draw(analysis))]
        for section in SECTIONS
    }
    return paper, sheets


def _context(
    analysis: Analysis, board: Statics, drawn: dict[str, Any], films: list[Shown], command: str
) -> dict[str, Any]:
    """Return all that the page says but the charts, and the findings that lead to them."""
    linked = {_anchor(analysis, finding) for finding in analysis.findings}
    linked |= {anchor for _, anchor in drawn["places"]}
    if drawn["maps"]:
        linked |= drawn["maps"].links
    ranges, targets = official_ranges(analysis.edition), HoverTargets.of(board)
    names = [name for section in SECTIONS for name in section.tables]
    views = views_of(analysis, names, ranges, linked, targets)
    return _words(analysis, ranges, command) | {"views": views, "films": films}


def _maps(analysis: Analysis, board: Statics, folder: Path | None) -> dict[str, Any]:
    edition = analysis.edition
    layout, shown = lay_out(edition), value_maps(analysis, board)
    figure, places = printed_board(edition, layout), worst_places(analysis)
    if folder:
        write_picture(figure, folder / "board.png")
        write_map_pictures(analysis, layout, shown, folder)
    titles = {f"route-{number}": words for number, words in enumerate(route_names(edition))}
    printed = svg_of(figure, "board-", titles)
    mark_places(printed, layout, places)
    maps = draw_values(analysis, board, layout, shown)
    return {
        "board": inline(printed, f"The board of {analysis.edition.title}"),
        "places": [(place.words, _row_anchor(analysis, place.table, place.row)) for place in places],
        "maps": maps,
        "map_drawing": inline(maps.svg, f"Numbers on the board of {analysis.edition.title}", "group") if maps else "",
        "rules": Markup(choice_rules(choices(played_counts(analysis))) + (maps.rules if maps else "")),
    }


def _sheets_and_findings(analysis: Analysis, sheets: Sheets, films: list[Shown]) -> dict[str, Any]:
    """Return the charts, and the findings with where the chart, the row and the game of each are."""
    findings = [
        (finding, _chart_anchor(finding, sheets), _anchor(analysis, finding), _film(analysis, finding, films))
        for finding in analysis.findings
    ]
    return {"charts": sheets, "groups": _groups(findings)}


def _anchor(analysis: Analysis, finding: Finding) -> str:
    return _row_anchor(analysis, finding.table, finding.row)


def _film(analysis: Analysis, finding: Finding, films: list[Shown]) -> str:
    kinds = analysis.tables["oddities"]["kind"].to_dict() if finding.table == "oddities" else {}
    return film_of_finding(finding, films, str(kinds.get(finding.row, "")))


def _groups(findings: list[Linked]) -> list[tuple[str, list[Linked]]]:
    """Put findings under headings, the board first."""
    groups = [(words, [linked for linked in findings if linked[0].about == about]) for about, words in GROUPS.items()]
    return [(words, found) for words, found in groups if found]


def _chart_anchor(finding: Finding, sheets: Sheets) -> str:
    section = section_of(finding.table)
    drawn = sheets[section.anchor] if section else []
    return drawn[0].name if drawn else ""


def _row_anchor(analysis: Analysis, table: str, row: int | None) -> str:
    """Return the id of the row where a number stands, or of its table; connections stand with their routes."""
    if table == "connections":
        table, row = "routes", row if row is None else route_of_connection(analysis, row)
    return f"t-{table}" if row is None else row_anchor(table, row)


def _words(analysis: Analysis, ranges: Ranges, command: str) -> dict[str, Any]:
    counts = played_counts(analysis)
    return {
        "analysis": analysis,
        "explain": Explainer(),
        "said": sentences(analysis, main_count(counts), ranges),
        "banner": banner(analysis),
        "played": played(analysis),
        "edition": analysis.edition,
        "board_facts": board_facts(analysis.edition),
        "counts": counts,
        "choices": choices(counts),
        "main_count": main_count(counts),
        "glance": glance(analysis, counts, ranges),
        "official": ranges.editions,
        "played_officially": played_officially(analysis),
        "sections": SECTIONS,
        "searched": searched(analysis),
        "titles": {name: table.title for name, table in TABLES.items()},
        "made": made(analysis, command),
    }
