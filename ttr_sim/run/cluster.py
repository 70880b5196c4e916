"""Play on a Dask cluster: each worker is checked before its first item, and failed items are repeated."""

from __future__ import annotations

import hashlib
import logging
import secrets
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, NamedTuple

import numpy as np

from ttr_sim.errors import UserError
from ttr_sim.files import cache_root
from ttr_sim.run.workers import (
    TURN_TIMEOUT,
    Control,
    Heartbeat,
    Item,
    Result,
    TaskError,
    Work,
    WorkerError,
    heartbeat,
    reset_control,
)

LOCAL = "local:"
MOST_PROCESSES = 256  # of a cluster on this machine
CONNECT_TIMEOUT = 20.0  # seconds
NO_WORKER_TIMEOUT = 45.0
CHECK_SECONDS = 1.0  # between two looks at the workers
STOP_TIMEOUT = 2.0
RESULT_TIMEOUT = 5.0
RETRIES = 2  # of an item

# On a worker: what it plays now, and the clients that have stopped. Threads of one worker share both.
_playing: dict[str, tuple[int, Control]] = {}
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
        address = self.enter_context(local_cluster(self.processes)) if self.processes else self.address
        return self.enter_context(connected(address))

    @property
    def jobs(self) -> int:
        return self.processes or max(1, sum(self.client.nthreads().values()))

    @contextmanager
    def backend(self, work: Work[Item, Result]) -> Iterator[DaskPool[Item, Result]]:
        pool = DaskPool(self.client, work, self.address)
        try:
            yield pool
        finally:
            pool.close()


@contextmanager
def connected(address: str) -> Iterator[Any]:
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported in our words
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # versions are compared more strictly below
        try:
            client = Client(address, timeout=CONNECT_TIMEOUT)
        except (OSError, ValueError) as error:
            raise UserError(
                f"no Dask scheduler answers at {address} ({error}); start one with dask scheduler, or use local:2"
            ) from None
    try:
        yield client
    finally:
        client.close()


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    import dask
    from distributed import LocalCluster

    options = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    with (
        # It interrupts games 100 times a second.
        dask.config.set({"distributed.worker.profile.enabled": False}),
        LocalCluster(n_workers=workers, preload=[Work.__module__], memory_limit=None, **options) as cluster,
    ):
        yield cluster.scheduler_address


class DaskPool(Generic[Item, Result]):
    """Pool in which each item goes to one worker, so that a dead worker names its items."""

    name = "dask"
    grace = 5.0

    def __init__(self, client: Any, work: Work[Item, Result], address: str) -> None:
        self.client, self.work, self.address = client, work, address
        self.token = secrets.token_hex(8)
        self.mark = None if work.folder is None else work.folder / f".cluster-{self.token}.tmp"
        self.jobs, self.turn_timeout, self.stopping = 1, TURN_TIMEOUT, False
        self.threads: dict[str, int] = {}  # of each worker that may play
        self.refused: dict[str, str] = {}
        self.under_way: dict[Any, tuple[int, Item, str]] = {}  # by future: number, item and worker
        self.failures: Counter[int] = Counter()  # by number of the item
        self.repeats: list[tuple[int, Item]] = []
        self.last_death = ""
        self.outcomes: list[Result | TaskError] = []
        self.beats: dict[tuple[str, int], Heartbeat] = {}
        self.next_check, self.next_beat, self.last_seen = 0.0, 0.0, time.monotonic()

    def results(self, items: Iterable[Item]) -> Iterator[Result | TaskError]:
        waiting, is_exhausted, is_stop_sent = enumerate(items), False, False
        while True:
            self._check_workers()
            is_exhausted = self._hand_out(waiting) or is_exhausted
            if self.stopping and not is_stop_sent:
                is_stop_sent = True
                self._on_all_workers(stop_games, self.token)
            self._collect()
            if self.outcomes:
                yield self.outcomes.pop(0)
            elif not self.under_way and (self.stopping or (is_exhausted and not self.repeats)):
                return
            else:
                time.sleep(0.02)

    def _hand_out(self, waiting: Iterator[tuple[int, Item]]) -> bool:
        """Keep one item waiting for each one played, true once all are handed out."""
        while self.threads and not self.stopping:
            load = Counter(worker for _, _, worker in self.under_way.values())
            room = {worker: 2 * threads - load[worker] for worker, threads in self.threads.items()}
            worker = max(room, key=lambda worker: room[worker])
            if not room[worker]:
                break
            following = self.repeats.pop() if self.repeats else next(waiting, None)
            if following is None:
                return True
            number, item = following
            key = f"ttr-sim-{self.token}-{number}-{secrets.token_hex(2)}"
            task, prepare = self.work.task, self.work.prepare
            future = self.client.submit(
                play_item, item, number, task, prepare, self.token, key=key, workers=[worker], pure=False
            )
            self.under_way[future] = number, item, worker
        return False

    def _collect(self) -> None:
        for future in [future for future in self.under_way if future.done() and future.status != "cancelled"]:
            self._check_connection()
            number, item, _ = self.under_way[future]
            try:
                self.outcomes.append(future.result(RESULT_TIMEOUT))
            except TimeoutError:
                continue  # the worker was lost with its result; the next look at the workers repeats the item
            except Exception as error:
                self._fail(number, item, error)
            del self.under_way[future]

    def _fail(self, number: int, item: Item, error: Exception | None) -> None:
        """Repeat or give up the item. Without an error its worker died."""
        self.failures[number] += 1
        if error is None:
            self.last_death = f", since one died in {self.work.describe(item)}"
        if self.failures[number] <= RETRIES:
            self.repeats.append((number, item))
        elif isinstance(error, WorkerError):
            self.outcomes.append(TaskError(str(error)))
        else:
            died = error is None or type(error).__name__ == "KilledWorker"
            reason = "the worker process died (bot crash or out of memory)" if died else repr(error)
            sentence = f"{self.work.describe(item)} failed {RETRIES + 1} times; {reason}; finished parts are kept; "
            self.outcomes.append(TaskError(sentence + self.work.resume_hint))

    def _check_workers(self) -> None:
        """Admit new workers, repeat items of lost ones, and end the run when none can play."""
        if time.monotonic() < self.next_check:
            return
        self.next_check = time.monotonic() + CHECK_SECONDS
        self._check_connection()
        try:
            present: dict[str, int] = self.client.nthreads()
        except OSError:
            raise self._lost_connection() from None
        before = dict(self.threads)
        for address in before.keys() - present.keys():
            self._repeat_items_of(address)
            del self.threads[address]
        new = [address for address in present if address not in before and address not in self.refused]
        if new:
            self._admit(new, present)
        if self.threads != before and self.threads:
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

    def _repeat_items_of(self, address: str) -> None:
        """Repeat the items of a lost worker. The oldest ones, under way, count as failed."""
        lost = {future: entry for future, entry in self.under_way.items() if entry[2] == address}
        self.client.cancel(list(lost))
        for place, (future, (number, item, _)) in enumerate(lost.items()):
            del self.under_way[future]
            if place < self.threads[address]:
                self._fail(number, item, None)
            else:
                self.repeats.append((number, item))

    def _admit(self, new: list[str], present: dict[str, int]) -> None:
        folder = self.work.folder
        if self.mark is not None:
            self.mark.write_text(self.token)
        # As a task this would end a worker without ttr-sim, which fails to unpickle it.
        answers = self.client.run(describe_worker, self.mark, workers=new, on_error="return")
        for address in new:
            answer = answers.get(address)
            if isinstance(answer, WorkerFacts):
                problem = answer.problem
                if problem is None and self.mark is not None and answer.mark != self.token:
                    problem = f"it does not see the folder {folder}; all machines must share it, by the same path"
            elif not isinstance(answer, Exception) or isinstance(answer, OSError):
                continue  # lost before it answered; it may come back
            else:
                problem = f"it cannot load this version of ttr-sim ({type(answer).__name__}: {answer})"
            if problem is None:
                self.threads[address] = present[address]
            else:
                self.refused[address] = f"worker {address} is not used: {problem}"
                self.work.note(self.refused[address])

    def _check_connection(self) -> None:
        if self.client.status != "running":
            raise self._lost_connection()

    def _lost_connection(self) -> UserError:
        return UserError(f"the cluster {self.address} is gone; finished parts are kept; {self.work.resume_hint}")

    def heartbeats(self) -> dict[object, Heartbeat]:
        """Ask all workers, at most once a second, in the watchdog's thread."""
        if time.monotonic() < self.next_beat:
            return dict(self.beats)
        self.next_beat = time.monotonic() + CHECK_SECONDS
        items = {number: item for number, item, _ in list(self.under_way.values())}
        answers = self._on_all_workers(read_heartbeats, self.token) or {}
        self.beats = {
            (address, beat.item): beat._replace(item=items[beat.item])
            for address, beats in answers.items()
            for beat in beats or ()
            if beat.item in items
        }
        return dict(self.beats)

    def stop(self) -> None:
        # The loop in `results` sends it: this may run in a signal handler.
        self.stopping = True

    def _on_all_workers(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with suppress(Exception):  # the cluster may be gone
            return self.client.run(function, *arguments, workers=list(self.threads), on_error="ignore")
        return None

    def close(self) -> None:
        if self.mark is not None:
            self.mark.unlink(missing_ok=True)
        with suppress(Exception):
            if self.under_way:
                self._on_all_workers(stop_games, self.token)
                self.client.cancel(list(self.under_way))
                # A thread that never answers ends with its process.
                if self.beats:
                    playing = list({address for address, _ in self.beats})
                    self.client.restart_workers(playing, timeout=STOP_TIMEOUT, raise_for_error=False)


def play_item(
    item: Item,
    number: int,
    task: Callable[[Item, Control], Result],
    prepare: Callable[[], object],
    token: str,
) -> Result | TaskError:
    """Play one item, visible to heartbeats and stops."""
    from filelock import FileLock

    from ttr_sim.engine.jit import is_cache_cold
    from ttr_sim.engine.play import N_CONTROL, STOP_WORD

    if is_cache_cold():
        # One worker of a machine compiles, and the others wait for it.
        with FileLock(cache_root() / "cluster.lock"):
            if is_cache_cold():
                prepare()
    control: Control = np.zeros(N_CONTROL, np.int64)
    reset_control(control)
    key = f"{token}-{secrets.token_hex(4)}"
    _playing[key] = number, control
    # Only now is the item visible to a stop, so one that came before must be looked up.
    control[STOP_WORD] = token in _stopped
    try:
        return task(item, control)
    except WorkerError:
        # A worker's own trouble: the item is repeated. Other errors are final.
        raise
    except UserError as error:
        return TaskError(str(error))
    finally:
        del _playing[key]


def read_heartbeats(token: str) -> list[Heartbeat]:
    return [heartbeat(number, control) for key, (number, control) in list(_playing.items()) if key.startswith(token)]


def stop_games(token: str) -> None:
    from ttr_sim.engine.play import STOP_WORD

    _stopped.add(token)
    for key, (_, control) in list(_playing.items()):
        if key.startswith(token):
            control[STOP_WORD] = 1


class WorkerFacts(NamedTuple):
    versions: dict[str, str]
    mark: str | None  # content of the shared folder's marker
    safe_path: bool

    @property
    def problem(self) -> str | None:
        for name, here in versions_here().items():
            there = self.versions.get(name, "missing")
            if there != here:
                return f"{name} is {there} there and {here} here; install the same"
        if not self.safe_path:
            return (
                "it would run Python files of the folder it was started in; "
                "start it with PYTHONSAFEPATH=1 in its environment"
            )
        return None


def describe_worker(mark: Path | None) -> WorkerFacts:
    try:
        text = None if mark is None else mark.read_text()
    except OSError:
        text = None
    return WorkerFacts(versions_here(), text, bool(sys.flags.safe_path))


@cache
def versions_here() -> dict[str, str]:
    from ttr_sim.engine.jit import PACKAGE
    from ttr_sim.run.folder import versions

    sources = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        sources.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return {**versions(), "the source code of ttr-sim": sources.hexdigest()[:12]}
