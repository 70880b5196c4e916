"""ttr-sim: a Monte-Carlo strategy and balance analyzer for the Ticket to Ride family.

In a notebook or a script:

    edition = ttr_sim.load_edition("usa")
    run = ttr_sim.play(edition, players=2, bots="planner,racer", games=1_000)
    run.seats().groupby("bot", observed=True)["win_share"].mean()
    ttr_sim.study(edition, games=2_000)

docs/api.md describes all of it. Wrong input raises `ttr_sim.errors.UserError`, a sentence that names the remedy.
"""

from __future__ import annotations

import sys

# `python -m ttr_sim` puts the working directory first on the path: a `json.py` beside an edition must not run.
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:
    del sys.path[0]

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.edition import Edition
    from ttr_sim.report.board import BoardDrawing
    from ttr_sim.report.page import Report
    from ttr_sim.run.read import Run

__version__ = "0.1.0"
__all__ = ["__version__", "analyze", "compare", "draw", "load_edition", "open_run", "play", "study"]

# Every function imports what it needs, so that the package itself loads in no time.


def __dir__() -> list[str]:
    return __all__


def load_edition(name_or_folder: str | Path) -> Edition:
    """Load an official edition by its name, or your own from its folder."""
    from ttr_sim import edition

    return edition.load_edition(name_or_folder)


def play(
    edition: Edition | str | Path,
    players: int,
    bots: str | Sequence[str],
    games: int,
    seed: int = 1,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> Run:
    """Play games into a run, with tables as pandas frames: `run.seats()`, `run.turns()`...

    `bots` are specs as on the command line: "planner,racer" or ["planner:greed=0.3", "my_bots.py:Greedy"]. The same
    arguments give the same games, and a run that is already in the folder `out` (by default one in `runs/`) is not
    played again. `jobs` is how many games are played at once, by default as many as there are cores.
    """
    from ttr_sim.cli.options import available_jobs
    from ttr_sim.cli.output import Progress
    from ttr_sim.run.plan import Request, make_plans

    progress, specs = Progress(), _specs(bots)
    request = Request(_loaded(edition), (players,), specs, games, seed)
    (plan,) = make_plans(request, progress)

    # Numba loads here, after the request was checked.
    from ttr_sim.run.play import play_plan
    from ttr_sim.run.workers import ThisMachine

    folder = plan.default_folder if out is None else Path(out)
    call = _call("play", edition, players=players, bots=specs, games=games, seed=seed)
    return play_plan(request, plan, folder, ThisMachine(jobs or available_jobs()), progress, call)


def study(
    edition: Edition | str | Path,
    players: int | Sequence[int] | None = None,
    bots: str | Sequence[str] | None = None,
    games: int | None = None,
    seed: int = 1,
    out: str | Path | None = None,
    force: bool = False,
) -> Report:
    """Play an edition at several player counts and write its report, as the command `ttr-sim study` does.

    By default strong players play 20,000 games at each player count of the edition, and other fields fewer, into
    folders in `runs/`. `bots` play alone. `out` is the folder of the report, by default `reports/<edition>`. With
    `force`, files there that are not ours are replaced.
    """
    from ttr_sim.balance.remedies import replay_remedies
    from ttr_sim.cli.film import film_games
    from ttr_sim.cli.options import available_jobs
    from ttr_sim.cli.output import Progress
    from ttr_sim.report.folder import REPORTS, check_folder, make_folder, report_on
    from ttr_sim.report.page import write_report
    from ttr_sim.run.plan import all_player_counts
    from ttr_sim.run.study import STUDY_GAMES, Study, play_study
    from ttr_sim.run.workers import ThisMachine

    loaded, progress = _loaded(edition), Progress()
    counts = all_player_counts(loaded) if players is None else (players,) if isinstance(players, int) else players
    specs, games = None if bots is None else _specs(bots), STUDY_GAMES if games is None else games
    planned = Study(loaded, tuple(counts), games, seed, specs)
    folder = REPORTS / loaded.name if out is None else Path(out)
    check_folder(folder, report_on(loaded.name), force)
    make_folder(folder)
    call = _call("study", edition, players=planned.players, bots=specs, games=games, seed=seed)
    workers = ThisMachine(available_jobs())
    *_, runs = play_study(planned, workers, progress, call)
    analysis = analyze(runs)
    remedies = replay_remedies(analysis, workers, progress, call)
    return write_report(analysis, folder, call, film=film_games, remedies=remedies, force=force)


def open_run(folder: str | Path) -> Run:
    """Open a run that was played before: `open_run("runs/...").turns(["game", "route"])`, with names joined."""
    from ttr_sim.run import read

    return read.open_run(folder)


def analyze(runs: Run | str | Path | Sequence[Run | str | Path]) -> Analysis:
    """Analyze runs of one edition: `findings` in sentences, `tables` as pandas frames."""
    from ttr_sim.analysis.analysis import analyze as analyzed
    from ttr_sim.run.read import Run

    return analyzed([runs] if isinstance(runs, Run | str | Path) else runs)


def compare(a: Run | str | Path, b: Run | str | Path) -> Comparison:
    """Compare two runs, deal by deal where seed and bots are the same."""
    from ttr_sim.analysis.compare import compare as compared
    from ttr_sim.analysis.thresholds import LEAST_DIFFERENCE
    from ttr_sim.run.read import Run, open_run

    first, second = (run if isinstance(run, Run) else open_run(run) for run in (a, b))
    return compared(first, second, LEAST_DIFFERENCE)


def draw(edition: Edition | str | Path) -> BoardDrawing:
    """Draw the board for a notebook, or for a file: `draw(edition).save("board.png")`."""
    from ttr_sim.report.board import BoardDrawing

    return BoardDrawing(_loaded(edition))


def _loaded(edition: Edition | str | Path) -> Edition:
    return load_edition(edition) if isinstance(edition, str | Path) else edition


def _specs(bots: str | Sequence[str]) -> tuple[str, ...]:
    from ttr_sim.bots import split_specs

    return tuple(split_specs(bots) if isinstance(bots, str) else bots)


def _call(function: str, edition: Edition | str | Path, **arguments: object) -> str:
    """Format the call so that it can be repeated, for run.json and pages."""
    name = str(edition) if isinstance(edition, str | Path) else edition.name
    given = "".join(f", {argument}={value!r}" for argument, value in arguments.items())
    return f"ttr_sim.{function}({name!r}{given})"
