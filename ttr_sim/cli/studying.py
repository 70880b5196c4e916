"""How a study is carried out: at full length, until it knows enough, or quickly; and what it asks of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.cli.progress import Progress

if TYPE_CHECKING:
    from ttr_sim.report.reports import Report
    from ttr_sim.run.backends import Workers
    from ttr_sim.run.opened import Run
    from ttr_sim.run.study import Study

DEFAULT_GAMES = 20_000
QUICK_PART = 250  # games: the first look, at a thousand, keeps several workers busy


@dataclass(frozen=True, slots=True)
class Length:
    """How much is played: `games` is None where the user named no number; `within` is a share of wins; `choices` are
    turns at which they are weighed."""

    games: int | None
    within: float | None = None
    quick: bool = False
    choices: int = 0


def plan_study(
    edition: str, players: tuple[int, ...] | None, bots: tuple[str, ...] | None, seed: int, length: Length
) -> Study:
    """Return what is to be played of one edition, checked before anything is played."""
    from ttr_sim.edition import load_edition
    from ttr_sim.run.plan import FULL, RESULTS, all_player_counts, check_request
    from ttr_sim.run.study import Study

    loaded = load_edition(edition)
    log, rest_of = (RESULTS, 0) if length.quick else (FULL, DEFAULT_GAMES if length.within else None)
    counts = players or all_player_counts(loaded)
    part_size = QUICK_PART if length.quick and not bots else None
    study = Study(loaded, counts, _most_games(length), seed, bots, log, rest_of, part_size)
    check_request(study.first)
    return study


def _most_games(length: Length) -> int:
    if length.games is not None:
        return length.games
    if length.within is None:
        return DEFAULT_GAMES
    from ttr_sim.analysis.until import MOST_GAMES

    return MOST_GAMES


def play_and_report(
    study: Study, length: Length, folder: Path, workers: Workers, progress: Progress, line: str
) -> Iterator[Report]:
    """Play a study and yield its page, first as soon as there is something to show."""
    from ttr_sim.cli.film import film_games
    from ttr_sim.report.reports import write_report
    from ttr_sim.run.study import play_rest

    first = play_main(study, length, workers, progress, line)
    for number, runs in enumerate(play_rest(study, first, workers, progress, line)):
        if number:
            progress.note(f"completing {folder}")
        in_brief = length.quick or _is_first_page(study, runs)
        if length.choices and not in_brief:
            _weigh_choices(runs, length.choices, workers.jobs, progress)
        with progress.wait("analyzing the games"):
            film = None if in_brief else film_games
            report = write_report(runs, folder, line, not length.quick, in_brief, film)
        progress.note(f"{report.page} is written")
        yield report


def _weigh_choices(runs: Sequence[Run], turns: int, jobs: int, progress: Progress) -> None:
    from ttr_sim.run.choices import weigh_choices
    from ttr_sim.run.fields import STRONG

    for run in runs:
        if run.field == STRONG:
            weigh_choices(run, turns, jobs, progress)


def _is_first_page(study: Study, runs: Sequence[Run]) -> bool:
    """Return whether a complete page follows."""
    from ttr_sim.run.fields import STRONG

    return {run.field for run in runs} == {STRONG} and next(study.rest, None) is not None


def play_main(
    study: Study, length: Length, workers: Workers, progress: Progress, line: str, aloud: bool = True
) -> list[Run]:
    """Play what the page rests on, to the end or until enough is known; `aloud` says what stands out on the way."""
    from ttr_sim.run.study import play_beginning, play_first

    if not length.quick and length.within is None:
        return play_first(study, workers, progress, line)
    from ttr_sim.analysis.until import QUICK_WIDTH, Within, looks, play_until, quick_looks
    from ttr_sim.run.plan import make_plans

    plans = make_plans(study.first, progress)

    def play(games: int) -> list[Run]:
        return play_beginning(study, plans, games, workers, progress, line)

    within = Within(length.within or QUICK_WIDTH, progress.note)
    if not length.quick:
        return play_until(play, looks(study.games), within)
    return play_until(play, quick_looks(study.games), lambda runs: within(runs) or (aloud and _said(runs, progress)))


def _said(runs: Sequence[Run], progress: Progress) -> bool:
    """Say what stands out so far; that is not enough yet."""
    from ttr_sim.analysis import analyze

    progress.note(f"so far: {analyze(runs, in_brief=True).findings[0].sentence}")
    return False


def open_page(address: str, progress: Progress) -> None:
    """Open a page in the user's browser."""
    import webbrowser

    if not webbrowser.open(address):
        progress.note(f"no browser was found; open {address} yourself")
