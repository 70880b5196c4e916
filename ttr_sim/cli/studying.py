"""How a study is carried out: at full length or quickly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.cli.progress import Progress

if TYPE_CHECKING:
    from ttr_sim.report.page import Report
    from ttr_sim.run.backends import Workers
    from ttr_sim.run.opened import Run
    from ttr_sim.run.study import Study

DEFAULT_GAMES = 20_000
QUICK_GAMES = 2_000  # at each player count
QUICK_PART = 250  # games: one player count keeps several workers busy


@dataclass(frozen=True, slots=True)
class Length:
    """How much is played: `games` is None where the user named no number."""

    games: int | None
    quick: bool = False


def plan_study(
    edition: str, players: tuple[int, ...] | None, bots: tuple[str, ...] | None, seed: int, length: Length
) -> Study:
    """Return what is to be played of one edition, checked before anything is played."""
    from ttr_sim.edition import load_edition
    from ttr_sim.run.plan import all_player_counts, check_request
    from ttr_sim.run.study import Study

    loaded = load_edition(edition)
    counts = players or all_player_counts(loaded)
    usual = QUICK_GAMES if length.quick else DEFAULT_GAMES
    games = usual if length.games is None else length.games
    part_size = QUICK_PART if length.quick and not bots else None
    study = Study(loaded, counts, games, seed, bots, length.quick, part_size)
    check_request(study.first)
    return study


def play_and_report(
    study: Study, length: Length, folder: Path, workers: Workers, progress: Progress, line: str, force: bool
) -> Iterator[Report]:
    """Play a study and yield its page, first as soon as there is something to show."""
    from ttr_sim.cli.film import film_games
    from ttr_sim.report.page import write_report
    from ttr_sim.run.study import play_first, play_rest

    first = play_first(study, workers, progress, line)
    for number, runs in enumerate(play_rest(study, first, workers, progress, line)):
        if number:
            progress.note(f"completing {folder}")
        in_brief = length.quick or _is_first_page(study, runs)
        with progress.wait("analyzing the games"):
            film = None if in_brief else film_games
            report = write_report(runs, folder, line, not length.quick, in_brief, film, force)
        progress.note(f"{report.page} is written")
        yield report


def _is_first_page(study: Study, runs: Sequence[Run]) -> bool:
    """Return whether a complete page follows."""
    from ttr_sim.run.fields import STRONG

    return {run.field for run in runs} == {STRONG} and next(study.rest, None) is not None


def open_page(address: str, progress: Progress) -> None:
    """Open a page in the user's browser."""
    import webbrowser

    if not webbrowser.open(address):
        progress.note(f"no browser was found; open {address} yourself")
