"""Study the official editions; write their ranges into the package and their pages into reports/gallery."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from scripts.tools.checkout import ROOT
from ttr_sim.analysis import analyze
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.cli.options import jobs_option
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.studying import DEFAULT_GAMES
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.statics import statics
from ttr_sim.report import ranges
from ttr_sim.report.board.canvas import settings
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.maps import draw_values
from ttr_sim.report.overview import write_overview
from ttr_sim.report.page import write_page
from ttr_sim.report.reports import Report
from ttr_sim.run.plan import all_player_counts
from ttr_sim.run.study import Study, play_study
from ttr_sim.run.workers import ThisMachine

GALLERY = Path("reports/gallery")
SEED = 1


@click.command()
@click.option("--games", type=int, default=DEFAULT_GAMES, show_default=True, help="For each edition and player count.")
@jobs_option
def main(games: int, jobs: int) -> None:
    """Play, analyze, write. The pages hold all pictures, so none is written beside them."""
    os.chdir(ROOT)  # the runs and pages of the gallery are the checkout's
    progress = Progress()
    analyses = []
    for name in official_names():
        edition = load_edition(name)
        study = Study(edition, all_player_counts(edition), games, SEED)
        *_, runs = play_study(study, ThisMachine(jobs), progress, f"ttr-sim study {name}")
        analyses.append(analyze(runs))
    _write_ranges(analyses)
    reports = []
    for name, analysis in zip(official_names(), analyses, strict=True):
        folder = GALLERY / name
        folder.mkdir(parents=True, exist_ok=True)
        reports.append(Report(write_page(analysis, folder, f"ttr-sim study {name}", pictures=False), analysis))
        progress.note(f"{reports[-1].page}: {reports[-1].page.stat().st_size / 1e6:.2f} MB")
    write_overview(reports, GALLERY, pictures=False)
    _write_front_picture(analyses[official_names().index("usa")])


def _write_front_picture(usa: Analysis) -> None:
    """The README's picture: where USA routes are claimed."""
    with settings(), TemporaryDirectory() as folder:
        draw_values(usa, statics(usa.edition), lay_out(usa.edition), Path(folder))
        shutil.copy(next(Path(folder).glob("map-claims-4p.png")), GALLERY / "usa-claims.png")


def _write_ranges(analyses: list[Analysis]) -> None:
    stored = {
        "editions": [{"title": a.edition.title, "fingerprint": a.edition.fingerprint} for a in analyses],
        "spans": ranges.spans_of(analyses),
    }
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    (ROOT / "ttr_sim" / "report" / ranges.FILE).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(prog_name="scripts/gallery")
