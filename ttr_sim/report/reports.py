"""From run folders to report folders; the one way in for the commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.errors import no_games
from ttr_sim.report.folder import REPORTS

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.report.films import Filmer
    from ttr_sim.run.opened import Run


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
    force: bool = False,
) -> Report:
    """Analyze runs of one edition and write their page, by default into reports/<edition>.

    In brief, without what takes long to find out. `film` writes the games to watch. With force, files in the folder
    that are not those of a report on this board are replaced.
    """
    from ttr_sim.analysis import analyze
    from ttr_sim.balance.points import with_remedies
    from ttr_sim.report.page import write_page

    analysis = analyze(runs, in_brief)
    if not any(run.games for run in analysis.runs):
        raise no_games(analysis.runs[0].path)
    analysis = with_remedies(analysis)
    folder = folder or REPORTS / analysis.edition.name
    page = write_page(analysis, folder, command, pictures, film, brief=in_brief, force=force)
    return Report(page, analysis)
