"""Study the official editions, and write their ranges into the package and their pages into reports/gallery."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from playwright.sync_api import ViewportSize, sync_playwright

from scripts.tools.command import ROOT
from scripts.tools.official_ranges import spans_of
from ttr_sim.analysis import official
from ttr_sim.analysis.analysis import analyze
from ttr_sim.analysis.verdict import Verdict
from ttr_sim.analysis.watch import GameToWatch
from ttr_sim.balance.remedies import replay_remedies
from ttr_sim.cli import options
from ttr_sim.cli.film import film_games
from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.report.document import environment
from ttr_sim.report.page import write_report
from ttr_sim.run.plan import all_player_counts
from ttr_sim.run.study import STUDY_GAMES, Study, play_study
from ttr_sim.run.workers import ThisMachine

GALLERY = Path("reports/gallery")
SEED = 1
FILMS = 1  # games to watch beside each page: a study writes a dozen
INDEX = """{% extends "frame.html.j2" %}
{% block title %}Reports on the official boards{% endblock %}
{% block head %}<h1>Reports on the official boards</h1>{% endblock %}
{% block main %}<ul>{% for name, title in boards %}<li><a href="{{ name }}/index.html">{{ title }}</a>
{% endfor %}</ul>{% endblock %}
"""
FRONT_SIZE: ViewportSize = {"width": 1180, "height": 780}


@click.command()
@click.option("--games", type=int, default=STUDY_GAMES, show_default=True, help="For each edition and player count.")
@options.jobs
def main(games: int, jobs: int) -> None:
    """Play, analyze and write pages with all pictures inside and one game to watch."""
    os.chdir(ROOT)  # the runs and pages of the gallery are the checkout's
    progress = Progress()
    analyses = []
    for name in official_names():
        edition = load_edition(name)
        study = Study(edition, all_player_counts(edition), games, SEED)
        *_, runs = play_study(study, ThisMachine(jobs), progress, f"ttr-sim study {name}")
        analyses.append(analyze(runs))
    boards = [{"title": found.edition.title, "fingerprint": found.edition.fingerprint} for found in analyses]
    stored = {"editions": boards, "spans": spans_of(analyses)}
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    (ROOT / "ttr_sim" / "analysis" / official.FILE).write_text(text + "\n", encoding="utf-8")
    official.stored.cache_clear()
    for name, measured in zip(official_names(), analyses, strict=True):
        # Judged again: the limits of turn order and routes come from these numbers.
        verdict = Verdict.of(measured.edition, measured.tables, official.official_ranges(measured.edition))
        analysis = replace(measured, verdict=verdict)
        folder = GALLERY / name
        shutil.rmtree(folder, ignore_errors=True)  # all of it is ours, older files without a list too
        command = f"ttr-sim study {name}"
        remedies = replay_remedies(analysis, ThisMachine(jobs), progress, command)
        page = write_report(analysis, folder, command, False, first_films, remedies).page
        progress.note(f"{page}: {page.stat().st_size / 1e6:.2f} MB")
    titles = [(name, analysis.edition.title) for name, analysis in zip(official_names(), analyses, strict=True)]
    index = environment().from_string(INDEX).render(boards=titles)
    (GALLERY / "index.html").write_text(index, encoding="utf-8")
    write_front_picture(progress)


def first_films(games: Sequence[tuple[GameToWatch, Path]], edition: Edition) -> None:
    film_games(games[:FILMS], edition)


def write_front_picture(progress: Progress) -> None:
    """The README's picture: the first screen of the report on USA, as a browser shows it."""
    browser = shutil.which("chromium")
    if browser is None:
        progress.note("without Chromium, the README keeps its picture")
        return
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page(viewport=FRONT_SIZE, color_scheme="light")
        page.goto((ROOT / GALLERY / "usa" / "index.html").as_uri())
        page.screenshot(path=GALLERY / "usa-report.png")
        opened.close()


if __name__ == "__main__":
    main(prog_name="scripts/gallery")
