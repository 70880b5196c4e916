"""The page of a report, one HTML file that opens offline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ttr_sim.analysis.analysis import TABLES, Analysis
from ttr_sim.analysis.official import official_ranges
from ttr_sim.analysis.watch import CLOSEST, COMEBACK, MOST_BLOCKED, SEARCHED, TYPICAL, GameToWatch, games_to_watch
from ttr_sim.balance.remedies import NO_REMEDIES, Remedies
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics import Statics, statics
from ttr_sim.errors import no_games
from ttr_sim.report.board.drawing import printed_board
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.charts import games, network, wins
from ttr_sim.report.document import Explainer, banner, played, played_officially, runs_by_field, write_document
from ttr_sim.report.figures import Chart, inline, inline_chart, settings, svg_of, write_picture
from ttr_sim.report.folder import PAGE, REPORTS, new_report, report_on
from ttr_sim.report.glance import board_measures, glance, named_things
from ttr_sim.report.maps import choice_rules, draw_values, route_names
from ttr_sim.report.numbers import ALL, main_count, players_words
from ttr_sim.report.opening import mark_places, sentences, worst_places
from ttr_sim.report.tables import HoverTargets, in_words, row_anchor, view_of, write_tables

if TYPE_CHECKING:
    Filmer = Callable[[Sequence[tuple[GameToWatch, Path]], Edition], None]  # writes the pages of games
    Film = dict[str, Any]  # a game to watch, with the words and the address of its page

GROUPS = {"board": "The board", "play": "How to play it", "limits": "What these runs cannot show"}
OF_RULES = {  # the game to watch that shows a finding's subject
    "turn_order": TYPICAL,
    "contested_connection": MOST_BLOCKED,
    "denied_route": MOST_BLOCKED,
    "hidden_winner": COMEBACK,
    "early_decision": TYPICAL,
    "shared_wins": CLOSEST,
}


@dataclass(frozen=True)
class Section:
    """A part of the page: functions that draw its charts, and names of tables."""

    anchor: str
    title: str
    charts: tuple[Callable[[Analysis], Chart | None], ...]  # None when there is nothing to draw
    tables: tuple[str, ...]


# A new chart or table goes here.
SECTIONS = (
    Section("rewards-section", "What the board rewards", (wins.reward_wins,), ("rewards",)),
    Section("tickets", "Tickets", (network.ticket_values, network.ticket_effects), ("ticket_value", "tickets")),
    Section("routes", "Routes and cities", (network.route_contention, network.city_load), ("routes", "cities")),
    Section("seats", "Turn order", (wins.seat_wins,), ("seats", "seats_by_bot")),
    Section("shape", "Length and shape", (games.game_shape,), ("pace", "actions")),
    Section(
        "experience",
        "What a game feels like",
        (games.course, network.paper_and_play, games.calibration),
        ("shape", "shape_loads", "shape_chances"),
    ),
    Section("points", "Points", (wins.score_parts, games.score_distribution), ("score_parts",)),
    Section(
        "styles",
        "Play styles",
        (wins.style_wins, wins.matchup_matrix, wins.ratings),
        ("strategies", "matchups", "cycles"),
    ),
    Section("oddities", "Oddities", (), ("oddities",)),
)
BESIDE = {"connections": "routes"}  # tables that stand within another on the page


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A written page and the analysis it shows."""

    page: Path
    analysis: Analysis
    remedies: Remedies

    def __repr__(self) -> str:
        return f"Report {self.page}: {self.analysis!r}"

    def _repr_html_(self) -> str:
        page = escape(str(self.page))
        return f'<p><a href="{page}">{page}</a></p>{self.analysis._repr_html_()}'


def write_report(
    analysis: Analysis,
    folder: Path | None = None,
    command: str = "",
    pictures: bool = True,
    film: Filmer | None = None,
    remedies: Remedies = NO_REMEDIES,
    brief: bool = False,
    force: bool = False,
) -> Report:
    """Write the page of an analysis, by default into reports/<edition>.

    `film` writes the games to watch. With force, files in the folder that are not of a report on this board are
    replaced.
    """
    if not any(run.games for run in analysis.runs):
        raise no_games(analysis.runs[0].path)
    folder = folder or REPORTS / analysis.edition.name
    page = write_page(analysis, folder, command, pictures, film, brief=brief, force=force)
    return Report(page, analysis, remedies)


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
    """Write the page with its tables, charts as pictures, and games to watch."""
    with new_report(folder, report_on(analysis.edition.name, brief), force) as new:
        drawings = new / "charts" if pictures else None
        if drawings:
            drawings.mkdir()
        write_tables(analysis.tables, new / "tables")
        films = _write_films(games_to_watch(analysis)[:most_films], analysis.edition, new, film) if film else []
        board, charts = statics(analysis.edition), {}
        with settings():
            maps = _maps(analysis, board, drawings)
            paper = inline_chart(network.load_on_paper(board), drawings)
            for section in SECTIONS:
                drawn = [chart for draw in section.charts if (chart := draw(analysis))]
                charts[section.anchor] = [inline_chart(chart, drawings) for chart in drawn]
        context = {
            "command": command,
            "charts": charts,
            "groups": _findings(analysis, charts, films),
            "films": films,
            "paper": {"lines": board_measures(board), "named": named_things(board), "chart": paper},
        }
        write_document(new / PAGE, "page.html.j2", context | maps | _words(analysis, board, maps))
    return folder / PAGE


def _maps(analysis: Analysis, board: Statics, folder: Path | None) -> dict[str, Any]:
    """Draw the printed board with its worst places, and the map of numbers."""
    edition = analysis.edition
    layout, places = lay_out(edition), worst_places(analysis)
    figure = printed_board(edition, layout)
    if folder:
        write_picture(figure, folder / "board.png")
    # Worst places are marked in the page only: the picture on disk is the plain board.
    titles = {f"route-{number}": words for number, words in enumerate(route_names(edition))}
    printed = svg_of(figure, "board-", titles)
    mark_places(printed, layout, places)
    maps = draw_values(analysis, board, layout, folder)
    return {
        "board": inline(printed, f"The board of {edition.title}"),
        "places": [(place.words, _row_anchor(analysis, place.table, place.row)) for place in places],
        "maps": maps,
        "map_drawing": inline(maps.svg, f"Numbers on the board of {edition.title}", "group") if maps else "",
    }


def _words(analysis: Analysis, board: Statics, maps: dict[str, Any]) -> dict[str, Any]:
    """All texts and tables of the page."""
    ranges, targets, shown = official_ranges(analysis.edition), HoverTargets(board), maps["maps"]
    counts = sorted({run.players for run in analysis.runs})
    choices = counts if len(counts) == 1 else [*counts, ALL]
    linked = {_row_anchor(analysis, finding.table, finding.row) for finding in analysis.findings}
    linked |= {anchor for _, anchor in maps["places"]}
    linked |= shown.links if shown else set()
    names = [name for section in SECTIONS for name in section.tables]
    most = max((run.games for run in analysis.main_runs), default=0)
    return {
        "analysis": analysis,
        "edition": analysis.edition,
        "explain": Explainer(),
        "said": sentences(analysis, main_count(counts), ranges),
        "banner": banner(analysis),
        "played": played(analysis),
        "counts": counts,
        "choices": choices,
        "rules": Markup(choice_rules(choices) + (shown.rules if shown else "")),
        "main_count": main_count(counts),
        "glance": glance(analysis, counts, ranges),
        "official": ranges.editions,
        "played_officially": played_officially(analysis),
        "sections": SECTIONS,
        "searched": f"the first {SEARCHED:,}" if most > SEARCHED else "all",
        "titles": {name: table.title for name, table in TABLES.items()},
        "views": {name: view_of(name, analysis, ranges, linked, targets) for name in names},
        "fields": runs_by_field(analysis),
    }


def _findings(
    analysis: Analysis, charts: dict[str, list[Chart]], films: list[Film]
) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """Group findings under headings, each with its chart, row and game."""
    kinds = analysis.tables["oddities"]["kind"].to_dict()
    groups: dict[str, list[tuple[Any, ...]]] = {about: [] for about in GROUPS}
    for finding in analysis.findings:
        table = BESIDE.get(finding.table, finding.table)
        drawn = [chart for section in SECTIONS if table in section.tables for chart in charts[section.anchor]]
        kind = kinds.get(finding.row) if finding.table == "oddities" else OF_RULES.get(finding.rule)
        shown = [film for film in films if film["watched"].kind == kind and film["watched"].players in finding.players]
        row, game = _row_anchor(analysis, finding.table, finding.row), shown[0]["address"] if shown else ""
        if finding.about in groups:
            groups[finding.about].append((finding, drawn[0].name if drawn else "", row, game))
    return [(GROUPS[about], found) for about, found in groups.items() if found]


def _write_films(games: Sequence[GameToWatch], edition: Edition, folder: Path, write: Filmer) -> list[Film]:
    """Write the page of each game to watch."""
    films: list[Film] = []
    for watched in games:
        name = f"{watched.kind.replace('_', '-')}-{watched.players}p-{watched.game}.html"
        words = f"{players_words(watched.players)}, {watched.words or in_words('kind', watched.kind)}"
        films.append({"watched": watched, "words": words, "address": f"games/{name}"})
    if films:
        (folder / "games").mkdir()
        write([(film["watched"], folder / film["address"]) for film in films], edition)
    return films


def _row_anchor(analysis: Analysis, table: str, row: int | None) -> str:
    """HTML id of a table or row."""
    if table == "connections":  # shown by the row of its first lane at the same player count
        table = "routes"
        if row is not None:
            connection, routes = analysis.tables["connections"].loc[row], analysis.tables["routes"]
            of_players = routes["players"] == connection["players"]
            lanes = routes[of_players & (routes["group"] == connection["group"])]
            row = int(str(lanes.index[0])) if len(lanes) else None
    return f"t-{table}" if row is None else row_anchor(table, row)
