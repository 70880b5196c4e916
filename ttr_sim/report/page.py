"""The page of a report, one HTML file that opens offline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.findings import LIMITS, PLAY, Finding
from ttr_sim.analysis.official import Ranges, Span, official_ranges
from ttr_sim.analysis.tables import TABLES, Unit
from ttr_sim.analysis.targets import MET, TICKETS, TOPICS
from ttr_sim.analysis.watch import CLOSEST, COMEBACK, MOST_BLOCKED, SEARCHED, TYPICAL, GameToWatch, games_to_watch
from ttr_sim.balance.remedies import NO_REMEDIES, Remedies
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics import Statics, measured, shown, statics
from ttr_sim.errors import no_games
from ttr_sim.report.board.drawing import printed_board
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.cards import number_word
from ttr_sim.report.charts import network, play
from ttr_sim.report.document import Explainer, played_officially, write_document
from ttr_sim.report.figures import Chart, inline, inline_chart, settings, write_picture
from ttr_sim.report.folder import PAGE, REPORTS, new_report, report_on
from ttr_sim.report.maps import draw_values
from ttr_sim.report.numbers import interval, labeled, players_words, written
from ttr_sim.report.tables import TableViews, in_words, key_of, row_anchor, write_tables
from ttr_sim.report.verdict_page import VerdictPage, remedies_table

if TYPE_CHECKING:
    from ttr_sim.report.verdict_page import Film

    Filmer = Callable[[Sequence[tuple[GameToWatch, Path]], Edition], None]  # writes the pages of games

OF_RULES = {  # the game to watch that shows a finding's subject
    "turn_order": TYPICAL,
    "contested_connection": MOST_BLOCKED,
    "denied_route": MOST_BLOCKED,
    "hidden_winner": COMEBACK,
    "early_decision": TYPICAL,
    "shared_wins": CLOSEST,
}
ON_SCREEN_2 = ("ticket_generous", "ticket_stingy")
Number = tuple[float, float, float]  # with the ends of its interval, all equal without one
PADDING = 0.06  # of a strip, free at both ends
MARGIN = "Winner's margin"
# Words, table, row, column and unit of each number.
MEASURES: tuple[tuple[str, str, dict[str, object], str, Unit], ...] = (
    ("Wins of the first player", "seats", {"seat": 0}, "win_share", "share"),
    ("Rounds of a game", "pace", {"measure": "rounds"}, "mean", "rounds"),
    (MARGIN, "pace", {"measure": "margin"}, "mean", "number"),
    ("Changes of the lead", "pace", {"measure": "lead_changes"}, "mean", "number"),
    ("Winner leads for good from", "pace", {"measure": "decided"}, "mean", "share"),
    ("Winner not ahead in open points", "pace", {"measure": "hidden"}, "mean", "share"),
    ("Shared wins", "pace", {"measure": "shared"}, "mean", "share"),
    ("Points from routes", "score_parts", {"bot": "", "part": "route"}, "mean", "points"),
    ("Points from tickets", "score_parts", {"bot": "", "part": "ticket"}, "mean", "points"),
    ("Lost on failed tickets", "score_parts", {"bot": "", "part": "ticket_penalty"}, "mean", "points"),
    ("Claims per player", "actions", {"action": "claim"}, "per_seat", "number"),
    ("Draws of tickets per player", "actions", {"action": "tickets"}, "per_seat", "number"),
)


@dataclass(frozen=True)
class Section:
    """A part of the page: functions that draw its charts, and names of tables."""

    anchor: str
    title: str
    charts: tuple[Callable[[Analysis], Chart | None], ...]  # None when there is nothing to draw
    tables: tuple[str, ...]


# A new chart or table goes here.
SECTIONS = (
    Section("rewards-section", "What the board rewards", (play.reward_wins,), ("rewards",)),
    Section("tickets", "Tickets", (network.ticket_values, network.ticket_effects), ("ticket_value", "tickets")),
    Section("routes", "Routes and cities", (network.route_contention, network.city_load), ("routes", "cities")),
    Section("seats", "Turn order", (play.seat_wins,), ("seats", "seats_by_bot")),
    Section("shape", "Length and shape", (play.game_shape,), ("pace", "actions")),
    Section(
        "experience",
        "What a game feels like",
        (play.course, network.paper_and_play, play.calibration),
        ("shape", "shape_loads", "shape_chances"),
    ),
    Section("points", "Points", (play.score_parts, play.score_distribution), ("score_parts",)),
    Section(
        "styles",
        "Play styles",
        (play.style_wins, play.matchup_matrix, play.ratings),
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
    """Write the page with its tables, charts as pictures, and games to watch, by default into reports/<edition>.

    `film` writes the games to watch. With force, files in the folder that are not of a report on this board are
    replaced.
    """
    if not any(run.games for run in analysis.runs):
        raise no_games(analysis.runs[0].path)
    edition, ranges = analysis.edition, official_ranges(analysis.edition)
    folder = folder or REPORTS / edition.name
    with new_report(folder, report_on(edition.name, brief), force) as new:
        write_tables(analysis.tables, new / "tables")
        if remedies.each:
            write_tables({"remedies": remedies_table(analysis, remedies)}, new / "tables")
        films = write_films(analysis, new, film) if film else []
        drawings = new / "charts" if pictures else None
        board, layout = statics(edition), lay_out(edition)
        charts: dict[str, list[Chart]] = {}
        with settings():
            if drawings:
                drawings.mkdir()
                write_picture(printed_board(edition, layout), drawings / "board.png")
            maps = draw_values(analysis, board, layout, drawings)
            for section in SECTIONS:
                found = [chart for draw in section.charts if (chart := draw(analysis))]
                charts[section.anchor] = [inline_chart(chart, drawings) for chart in found]
            paper_chart = inline_chart(network.load_on_paper(board), drawings)
        linked = {anchor_of(analysis, finding) for finding in analysis.findings} | (maps.links if maps else set())
        views = TableViews(analysis, board, ranges, linked)
        screens = VerdictPage(analysis, board, remedies, films)
        context = screens.screen_1() | screens.screen_2() | folded_sections(analysis, board, charts, films)
        context |= {
            "map_rules": maps.rules if maps else "",
            "command": command,
            "films": films,
            "charts": charts,
            "paper_chart": paper_chart,
            "analysis": analysis,
            "edition": edition,
            "maps": maps,
            "map_drawing": inline(maps.svg, f"Numbers on the board of {edition.title}", "group") if maps else "",
            "explain": Explainer(),
            "glance": glance(analysis, sorted({run.players for run in analysis.runs}), ranges),
            "official": ranges.editions,
            "played_officially": played_officially(analysis),
            "sections": SECTIONS,
            "titles": {name: table.title for name, table in TABLES.items()},
            "views": {name: views.view(name) for section in SECTIONS for name in section.tables},
        }
        write_document(new / PAGE, "page.html.j2", context)
    return Report(folder / PAGE, analysis, remedies)


def folded_sections(
    analysis: Analysis, board: Statics, charts: Mapping[str, Sequence[Chart]], films: Sequence[Film]
) -> dict[str, Any]:
    """Contents of the folded sections: findings, each with its chart, row and game, and odd measures of the board."""
    groups: dict[str, list[Any]] = {name: [] for name in ("fine", "play", "odd", "limits")}
    for finding in analysis.findings:
        if finding.rule in ON_SCREEN_2:
            continue
        table = BESIDE.get(finding.table, finding.table)
        drawn = [chart.name for section in SECTIONS if table in section.tables for chart in charts[section.anchor]]
        kind, places = kind_of_game(analysis, finding), finding.players
        filmed = [film for film in films if film["watched"].kind == kind and film["watched"].players in places]
        is_odd = finding.table == "oddities" and finding.notable
        name = {PLAY: "play", LIMITS: "limits"}.get(finding.about, "odd" if is_odd else "fine")
        chart, game = drawn[0] if drawn else "", filmed[0]["address"] if filmed else ""
        groups[name].append((finding, chart, anchor_of(analysis, finding), game))
    met = []
    for topic in dict.fromkeys(TOPICS.values()):
        states = [target.state for target in analysis.verdict.targets if target.topic == topic and target.state]
        if states:
            words = TICKETS if topic == TICKETS else f"limits of {topic}"
            met.append(f"{states.count(MET):,} of {len(states):,} {words} are met")
    if never_dealt := analysis.verdict.never_dealt:
        met.append(f"{never_dealt:,} tickets never dealt, so not measured")
    outside = [line for line in board_measures(board) if line["cells"][0]["standing"] in ("below", "above")]
    most = max((run.games for run in analysis.main_runs), default=0)
    return {
        "number_word": number_word,
        "groups": groups,
        "met": met,
        "paper": {"lines": outside, "named": named_things(board)},
        "searched": f"the first {SEARCHED:,}" if most > SEARCHED else "all",
    }


def write_films(analysis: Analysis, folder: Path, write: Filmer) -> list[Film]:
    """Write the page of each game to watch, with the finding that it is an example of."""
    films: list[Film] = []
    pages = []
    for watched in games_to_watch(analysis):
        name = f"{watched.kind.replace('_', '-').replace(' ', '-')}-{watched.players}p-{watched.game}.html"
        words = f"{players_words(watched.players)}, {watched.words or in_words('kind', watched.kind)}"
        films.append({"watched": watched, "words": words, "address": f"games/{name}"})
        said = f"{words[0].upper()}{words[1:]}."
        for finding in analysis.findings:
            if watched.kind == kind_of_game(analysis, finding) and watched.players in finding.players:
                said = f"{said} An example of: {finding.sentence}"
                break
        pages.append((replace(watched, words=said), folder / "games" / name))
    if films:
        (folder / "games").mkdir()
        write(pages, analysis.edition)
    return [film for film in films if (folder / film["address"]).exists()]  # a filmer may leave some out


def kind_of_game(analysis: Analysis, finding: Finding) -> str | None:
    if finding.table == "oddities" and finding.notable:
        return str(analysis.tables["oddities"]["kind"].get(finding.row))
    return OF_RULES.get(finding.rule)


def anchor_of(analysis: Analysis, finding: Finding) -> str:
    """HTML id of a finding's table or row."""
    table, row = finding.table, finding.row
    if table == "connections":  # shown by the row of its first lane at the same player count
        table = "routes"
        if row is not None:
            connection, routes = analysis.tables["connections"].loc[row], analysis.tables["routes"]
            of_players = routes["players"] == connection["players"]
            lanes = routes[of_players & (routes["group"] == connection["group"])]
            row = int(str(lanes.index[0])) if len(lanes) else None
    return f"t-{table}" if row is None else row_anchor(table, row)


def metric_cell(
    texts: tuple[str, str, str], number: Number | None = None, span: Span | None = None, scale: Sequence[float] = ()
) -> dict[str, str]:
    """A number with its interval and official range, and their places on a strip that covers the scale."""
    standing = strip = ""
    if number and span:
        # Outside only when the whole interval is.
        standing = "below" if number[2] < span[0] else "above" if number[1] > span[1] else "within"
        room = PADDING * ((max(scale) - min(scale)) or 1.0)
        least, most = min(scale) - room, max(scale) + room
        shares = (round(100 * (value - least) / (most - least), 1) for value in (*span, *number))
        strip = ";".join(f"--{name}:{share}%" for name, share in zip("abxcd", shares, strict=True))
    words, between, usual = texts
    return {"words": words, "between": between, "usual": usual, "standing": standing, "strip": strip}


def glance(analysis: Analysis, counts: Sequence[int], ranges: Ranges) -> list[dict[str, Any]]:
    rows = []
    for name, table, of_row, column, unit in MEASURES:
        found: dict[int, tuple[Number, Span | None]] = {}
        for players in counts:
            chosen = analysis.tables[table]
            for key, wanted in {"players": players, **of_row}.items():
                chosen = chosen[chosen[key] == wanted]
            known = chosen[[column, f"{column}_low", f"{column}_high"]].astype(float).dropna().to_numpy()
            if len(known):
                value, low, high = map(float, known[0])
                # The margin of a race counts tickets, where other boards count points.
                is_odd = analysis.edition.is_race and name == MARGIN
                span = None if is_odd else ranges.of(table, players, key_of(table, of_row), column)
                found[players] = (value, low, high), span
        # All counts on one scale, so that a row of strips can be compared.
        scale = [value for number, span in found.values() for value in (*number, *(span or ()))]
        cells = {players: metric_cell((written(None, unit), "", "")) for players in counts}
        for players, ((value, low, high), span) in found.items():
            texts = written(value, unit), interval(low, high, unit), interval(*span, unit) if span else ""
            cells[players] = metric_cell(texts, (value, low, high), span, scale)
        if found:
            rows.append({"words": labeled(name, unit), "anchor": table, "cells": list(cells.values())})
    return rows


def board_measures(board: Statics) -> Iterator[dict[str, Any]]:
    for row in measured(board):
        low, high = row.low, row.high
        texts = shown(row.value, row.unit), "", f"{shown(low)} to {shown(high)}"
        cell = metric_cell(texts)
        if row.value is not None and low is not None and high is not None:
            cell = metric_cell(texts, (row.value,) * 3, (low, high), [row.value, low, high])
        yield {"words": row.name, "cells": [cell], "meaning": row.definition}


def named_things(board: Statics) -> list[tuple[str, str]]:
    name, shape, tickets = board.net.name, board.shape, board.edition.tickets
    pairs = []
    for pair in board.near_duplicates:
        first, second = tickets[pair.first], tickets[pair.second]
        pairs.append(f"{first.a}–{first.b} and {second.a}–{second.b} ({100 * pair.overlap:.0f} %)")
    bridges = [board.net.connections[number] for number in shape.bridges]
    found = {
        "Bridges": [f"{name(bridge.a)}–{name(bridge.b)}" for bridge in bridges],
        "Cut cities": [name(city) for city in shape.cut_cities],
        "Dead ends": [name(city) for city in shape.dead_ends],
        "Regions": [", ".join(map(name, region)) for region in shape.regions],
        "Near-duplicates": pairs,
        "Places without tickets": [place for place, times in board.tickets_by_place.items() if not times],
    }
    return [(kind, "; ".join(things) or "none") for kind, things in found.items()]
