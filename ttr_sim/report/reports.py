"""From run folders to report folders; the one way in for the commands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from html import escape
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.errors import no_games

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.beside import Beside
    from ttr_sim.report.films import Filmer
    from ttr_sim.run.opened import Run

REPORTS = Path("reports")


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A written page and the analysis it shows."""

    page: Path
    analysis: Analysis

    def __repr__(self) -> str:
        return f"Report {self.page}: {self.analysis!r}"

    def _repr_html_(self) -> str:
        return f'<p><a href="{escape(str(self.page))}">{escape(str(self.page))}</a></p>{self.analysis._repr_html_()}'


def write_report(
    runs: Sequence[str | Path | Run],
    folder: Path | None = None,
    command: str = "",
    pictures: bool = True,
    in_brief: bool = False,
    film: Filmer | None = None,
    beside: Beside | None = None,
) -> Report:
    """Analyze runs of one edition and write their page, tables and (unless they are not wanted) charts as files; by
    default into reports/<edition>. In brief, without what takes long to find out; `film` writes the games to watch. A
    process beside this one helps, which may have begun on these runs before."""
    from ttr_sim.analysis import analyze, helped
    from ttr_sim.analysis.beside import second_process

    with ExitStack() as stack:
        beside = beside or stack.enter_context(second_process(pictures) if in_brief else helped(runs, pictures))
        from ttr_sim.analysis.analysis import opened  # all of this takes a while to load, but the other one is busy now
        from ttr_sim.balance.remedies import with_remedies
        from ttr_sim.report.board.layout import lay_out
        from ttr_sim.report.folder import PAGE, new_report
        from ttr_sim.report.page import begin_page, finish_page

        known = tuple(opened(runs))
        if known and pictures:
            beside.begin_ahead(lay_out, known[0].edition)
        analysis = analyze(known, in_brief, beside)
        if not any(run.games for run in analysis.runs):
            raise no_games(analysis.runs[0].path)
        folder = folder or REPORTS / analysis.edition.name
        with new_report(folder) as new:
            drawings = begin_page(analysis, new, pictures, beside)
            analysis = with_remedies(analysis)  # in words alone, so that the other process can already draw
            finish_page(analysis, new, drawings, command, film)
        return Report(folder / PAGE, analysis)


def write_side_by_side(reports: Sequence[Report], folder: Path) -> Path:
    """Write the page that puts several editions' reports side by side."""
    from ttr_sim.report.overview import write_overview

    return write_overview(reports, folder)


def folder_names(editions: Sequence[str]) -> list[str]:
    """Return a folder name for each edition as the user wrote it, none twice."""
    names: list[str] = []
    for edition in editions:
        path = Path(edition)
        name = (path.resolve() if path.name in ("", "..") else path).name
        further = (f"{name}-copy{number}" for number in count(1))
        names.append(next(free for free in chain([name], further) if free not in names))
    return names
