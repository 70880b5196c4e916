"""Play on a Dask cluster: each worker is checked before its first item, and failed items are repeated."""

from __future__ import annotations

import hashlib
import logging
import secrets
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ttr_sim.errors import UserError
from ttr_sim.files import cache_root
from ttr_sim.run import processes
from ttr_sim.run.processes import Item, Result
from ttr_sim.run.workers import NEW_HEARTBEAT, Control, Heartbeat, Pool, Work, WorkerError

LOCAL = "local:"
MOST_PROCESSES = 256  # of a cluster on this machine
CONNECT_TIMEOUT = 20.0  # seconds
NO_WORKER_TIMEOUT = 45.0
CHECK_SECONDS, LISTEN_SECONDS = 1.0, 0.5  # between two looks at the workers, and at their games
STOP_TIMEOUT = 2.0
RETRIES = 2  # of an item

# On a worker: the games it plays now, by key, and the clients that have stopped. Threads of one worker share both.
_playing: dict[str, Control] = {}
_stopped: set[str] = set()


class Cluster(ExitStack):
    """Dask cluster, connected on first use."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.processes = address, 0
        if address.startswith(LOCAL):
            number = address.removeprefix(LOCAL)
            if not number.isdecimal() or not 1 <= int(number) <= MOST_PROCESSES:
                raise UserError(
                    f"{address} is not local: and a number from 1 to {MOST_PROCESSES}, as in local:4 (--cluster)"
                )
            self.processes = int(number)
        if find_spec("distributed") is None:
            raise UserError('--cluster needs Dask; install it with: pip install "ttr-sim[cluster]"')

    @cached_property
    def client(self) -> Any:
        from distributed import Client

        address = self.enter_context(local_cluster(self.processes)) if self.processes else self.address
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported in our words
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # versions are compared more strictly below
            try:
                return self.enter_context(Client(address, timeout=CONNECT_TIMEOUT))
            except (OSError, ValueError) as error:
                raise UserError(
                    f"no Dask scheduler answers at {address} ({error}); start one with dask scheduler, or use local:2"
                ) from None

    @property
    def jobs(self) -> int:
        return self.processes or max(1, sum(self.client.nthreads().values()))

    def pool(self, work: Work[Item, Result]) -> Pool[Item, Result]:
        return DaskPool(self.client, work, self.address)


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    import dask
    from distributed import LocalCluster

    options = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    with (
        # It interrupts games 100 times a second.
        dask.config.set({"distributed.worker.profile.enabled": False}),
        LocalCluster(n_workers=workers, preload=[processes.__name__], memory_limit=None, **options) as cluster,
    ):
        yield cluster.scheduler_address


class DaskPool(Pool[Item, Result]):
    """Pool in which each item goes to one thread of a worker, so that a dead worker names its items."""

    name, grace = "dask", 5.0

    def __init__(self, client: Any, work: Work[Item, Result], address: str) -> None:
        super().__init__(work)
        self.client, self.address, self.token = client, address, f"ttr-sim-{secrets.token_hex(8)}"
        self.mark = None if work.folder is None else work.folder / f".cluster-{self.token}.tmp"
        self.threads: dict[str, int] = {}  # of each worker that may play
        self.refused: dict[str, str] = {}
        self.last_death, self.next_check, self.last_seen = "", 0.0, time.monotonic()
        self.beats: dict[object, Heartbeat] = {}
        self.closed = threading.Event()
        # In a thread of its own: a worker that is out of reach must not hold up the others.
        threading.Thread(target=self.listen, daemon=True).start()

    def start(self, slot: tuple[str, int], item: Item) -> Any:
        key = f"{self.token}-{secrets.token_hex(8)}"
        words = item, key, self.token, self.work.task
        return self.client.submit(play_item, *words, key=key, workers=[slot[0]], pure=False)

    def problem_of(self, slot: object, item: Item, failures: int, error: Exception) -> str | None:
        """Sentence of a user's error, or of an item that failed too often."""
        if isinstance(error, UserError) and not isinstance(error, WorkerError):
            return str(error)
        died = isinstance(error, BrokenExecutor)
        if died:
            self.last_death = f", since one died in {self.work.describe(item)}"
        if failures < RETRIES:
            self.pending.append((item, failures + 1))
            return None
        if isinstance(error, WorkerError):
            return str(error)
        reason = "the worker process died (bot crash or out of memory)" if died else repr(error)
        return (
            f"{self.work.describe(item)} failed {RETRIES + 1} times; {reason}; finished parts are kept; "
            f"{self.work.resume_hint}"
        )

    def refresh(self) -> None:
        """Admit new workers, repeat items of lost ones, and end the run when none can play."""
        lost = UserError(f"the cluster {self.address} is gone; finished parts are kept; {self.work.resume_hint}")
        if self.client.status != "running":
            raise lost
        if time.monotonic() < self.next_check:
            return
        self.next_check = time.monotonic() + CHECK_SECONDS
        try:
            present: dict[str, int] = self.client.nthreads()
        except OSError:
            raise lost from None
        before = self.threads
        self.threads = {address: threads for address, threads in before.items() if address in present}
        self.idle = [slot for slot in self.idle if slot[0] in present]
        for future, (slot, item, failures) in list(self.under_way.items()):
            if slot[0] not in present:
                self.client.cancel([future])
                del self.under_way[future]
                sentence = self.problem_of(slot, item, failures, BrokenExecutor())
                if sentence is not None:
                    raise UserError(sentence)
        self.admit({address: present[address] for address in present.keys() - before.keys() - self.refused.keys()})
        if self.threads and self.threads != before:
            threads = sum(self.threads.values())
            self.jobs = max(self.jobs, min(threads, self.work.items))
            self.work.note(f"workers: {len(self.threads)}, threads: {threads}")
        # A refused worker that has left says nothing about those that may still come.
        refusals = [sentence for address, sentence in self.refused.items() if address in present]
        if self.threads or self.stopping:
            self.last_seen = time.monotonic()
        elif refusals:
            raise UserError(f"no worker of the cluster {self.address} can play; {refusals[0]}")
        elif time.monotonic() - self.last_seen > NO_WORKER_TIMEOUT:
            raise UserError(
                f"the cluster {self.address} has had no worker for {NO_WORKER_TIMEOUT:.0f} s{self.last_death}; "
                f"start some, then {self.work.resume_hint}"
            )

    def admit(self, new: dict[str, int]) -> None:
        """Check new workers and open a slot for each of their threads."""
        if not new:
            return
        if self.mark is not None:
            self.mark.write_text(self.token)
        # As a task this would end a worker without ttr-sim, which fails to unpickle it.
        words = versions_here(), self.mark, self.token
        answers = self.client.run(reason_to_refuse, *words, workers=list(new), on_error="return")
        for address, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # lost before it answered; it may come back
            reason = answer
            if isinstance(answer, Exception):
                reason = f"it cannot load this version of ttr-sim ({type(answer).__name__}: {answer})"
            if reason:
                self.refused[address] = f"worker {address} is not used: {reason}"
                self.work.note(self.refused[address])
            else:
                self.threads[address] = new[address]
                self.idle += [(address, number) for number in range(new[address])]

    def listen(self) -> None:
        """Ask all workers for heartbeats, and pass on a stop."""
        while not self.closed.wait(LISTEN_SECONDS):
            items = {future.key: item for future, (_, item, _) in list(self.under_way.items())}
            answers = self.look_at_games(self.stopping)
            self.beats = {
                (address, beat.item): beat._replace(item=items[beat.item])
                for address, beats in answers.items()
                for beat in beats
                if beat.item in items
            }

    def look_at_games(self, stop: bool) -> dict[str, list[Heartbeat]]:
        with suppress(Exception):  # the cluster may be gone
            words, workers = (self.token, stop), list(self.threads)
            return dict(self.client.run(look_at_games, *words, workers=workers, on_error="ignore"))
        return {}

    def heartbeats(self) -> dict[object, Heartbeat]:
        return self.beats

    def close(self) -> None:
        self.closed.set()
        if self.mark is not None:
            self.mark.unlink(missing_ok=True)
        with suppress(Exception):
            if self.under_way:
                self.look_at_games(True)
                self.client.cancel(list(self.under_way))
                # A thread that never answers ends with its process.
                playing = list({slot[0] for slot, _, _ in self.under_way.values()})
                self.client.restart_workers(playing, timeout=STOP_TIMEOUT, raise_for_error=False)


def play_item(item: Item, key: str, token: str, task: Callable[[Item, Control], Result]) -> Result:
    """Play one item, visible to heartbeats and stops."""
    from filelock import FileLock

    from ttr_sim.engine.jit import is_cache_cold
    from ttr_sim.engine.play import STOP_WORD, new_control

    control: Control = new_control()
    control[1:] = NEW_HEARTBEAT
    _playing[key] = control
    # Only now is the item visible to a stop, so one that came before must be looked up.
    control[STOP_WORD] = token in _stopped
    try:
        if is_cache_cold():
            # One worker of a machine compiles with its first item, and the others wait for it.
            with FileLock(cache_root() / "cluster.lock"):
                if is_cache_cold():
                    return task(item, control)
        return task(item, control)
    finally:
        del _playing[key]


def look_at_games(token: str, stop: bool) -> list[Heartbeat]:
    """Heartbeats of a client's games on this worker, which a stop ends at their next turn."""
    from ttr_sim.engine.play import STOP_WORD

    if stop:
        _stopped.add(token)
    own = [(key, control) for key, control in list(_playing.items()) if key.startswith(token)]
    for _, control in own:
        control[STOP_WORD] = token in _stopped
    return [Heartbeat(key, *control[1:].tolist()) for key, control in own]


def reason_to_refuse(versions: dict[str, str], mark: Path | None, token: str) -> str:
    """Reason why this worker cannot play for a client of these versions, or an empty text."""
    for name, there in versions_here().items():
        here = versions.get(name, "missing")
        if there != here:
            return f"{name} is {there} there and {here} here; install the same"
    if not sys.flags.safe_path:
        return (
            "it would run Python files of the folder it was started in; start it with PYTHONSAFEPATH=1 in its "
            "environment"
        )
    with suppress(OSError):
        if mark is None or mark.read_text() == token:
            return ""
    return f"it does not see the folder {mark and mark.parent}; all machines must share it, by the same path"


@cache
def versions_here() -> dict[str, str]:
    from ttr_sim.engine.jit import PACKAGE
    from ttr_sim.run.folder import versions

    sources = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        sources.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return {**versions(), "the source code of ttr-sim": sources.hexdigest()[:12]}
