"""Many parts at once: joblib threads for compiled bots, processes for bots in plain Python."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttr_sim.errors import UserError
from ttr_sim.run.controls import CONTROLS, Heartbeat
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.interrupted import Interrupted
from ttr_sim.run.parts import Part
from ttr_sim.run.plan import Plan
from ttr_sim.run.vigil import keep_vigil
from ttr_sim.run.watch import Counter
from ttr_sim.run.workers import Played, Stopped, describe_hang, play_part

THREADS, PROCESSES = "threads", "processes"
JOBLIB_BACKENDS = {THREADS: "threading", PROCESSES: "loky"}
GRACE = {THREADS: 3.0, PROCESSES: 0.0}  # seconds; processes can be cut off at once


@dataclass(slots=True)
class Tally:
    """What has been played in this session."""

    games: int = 0
    first_start: float = float("inf")
    last_end: float = 0.0

    def add(self, part: Played) -> None:
        self.games += part.games
        self.first_start = min(self.first_start, part.started)
        self.last_end = max(self.last_end, part.ended)

    @property
    def seconds(self) -> float:
        return max(0.0, self.last_end - self.first_start) if self.games else 0.0


def play_parts(
    plan: Plan, folder: Path, parts: Iterable[Part], jobs: int, backend: str, tally: Tally, show: Counter
) -> None:
    """Every part is on disk when this returns; what was played before an exception stays so, and in the tally."""
    reason = None

    def blame(heartbeat: Heartbeat) -> str:
        return describe_hang(plan, heartbeat)

    with keep_vigil(lambda under_way: show(tally.games + under_way), blame, GRACE[backend]):
        for outcome in _outcomes(plan, folder, parts, jobs, backend):
            if isinstance(outcome, Played):
                tally.add(outcome)
                show(tally.games)
            else:
                reason = reason or outcome.reason
                CONTROLS.stop()
    if reason is not None:
        raise UserError(reason)
    if CONTROLS.stopping:
        raise Interrupted


def _outcomes(plan: Plan, folder: Path, parts: Iterable[Part], jobs: int, backend: str) -> Iterator[Played | Stopped]:
    """In the order in which they come."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    how: dict[str, Any] = {"backend": JOBLIB_BACKENDS[backend], "return_as": "generator_unordered", "batch_size": 1}
    if backend == PROCESSES:
        how["initializer"] = _leave_ctrl_c_to_the_parent
    # A single job must not play in this thread, which is to hear Ctrl-C: two workers, given one task at a time.
    parallel = Parallel(jobs, **how) if jobs > 1 else Parallel(2, pre_dispatch=1, **how)
    tasks = (delayed(play_part)(plan, folder, part) for part in parts if not CONTROLS.stopping)
    try:
        yield from parallel(tasks)
    except TerminatedWorkerError:
        way_on = RunFolder(folder).resume_command
        raise UserError(f"a worker process died (killed, or out of memory); go on with: {way_on}") from None


def _leave_ctrl_c_to_the_parent() -> None:
    """A terminal sends it to all processes; a worker would print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
