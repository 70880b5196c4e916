"""A Dask cluster: items are handed out one to a thread, to workers that were looked at, and again when one is lost.

The client chooses the worker of each item by itself. So only fit workers play, a worker that joins late plays too, and
an item that ends its worker's process is not mixed up with those that only shared the worker with it.
"""

from __future__ import annotations

import pickle
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Generic, Self

from ttr_sim.errors import UserError
from ttr_sim.run.backends import Item, MishapError, Result, Trouble, Work
from ttr_sim.run.backends.muster import Muster
from ttr_sim.run.backends.on_worker import UnknownWorkerError, carry_out, stop
from ttr_sim.run.control import Heartbeat, Pulse

GLANCE = 0.2  # seconds to wait for a message before looking at everything else
LOOK_AROUND = 1.0  # seconds between two questions who is there
MOST_FAILURES = 3
NOBODY = 45.0  # seconds without a single worker
GRACE = 5.0
MESSAGE = 10.0  # seconds a message may take
STOPPING = 2.0  # seconds that asking all workers to stop may take, when there is no time to wait for them


Say = Callable[[str, Callable[[str], None]], None]  # receives a sentence on who plays, and what shows it to the user


@dataclass(slots=True)
class Errand(Generic[Item]):
    """An item on its way, and what its worker said of it."""

    number: int
    item: Item
    address: str
    threads: int  # taken at the worker
    future: Any = None
    games: int = 0
    turn: int = 0
    hanging: list[int] | None = None  # the rest of a heartbeat
    outcome: bytes | None = None
    overdue: float = float("inf")


class Dask(Generic[Item, Result]):
    name = "dask"
    grace = GRACE

    def __init__(self, client: Any, work: Work[Item, Result], where: str, say: Say) -> None:
        self.client, self.work, self.where, self.say = client, work, where, say
        self.token = secrets.token_hex(8)
        self.ended: SimpleQueue[str | None] = SimpleQueue()
        self.muster = Muster(client, work, self.token, self.ended)
        self.jobs = 1
        self.stopping = self.is_stop_sent = False
        self.under_way: dict[str, Errand[Item]] = {}  # by key
        self.numbers = count()  # of all items, for unique keys
        self.again: deque[tuple[int, Item]] = deque()  # items that failed, with their numbers
        self.failures: Counter[int] = Counter()
        self.next_look, self.last_seen = 0.0, time.monotonic()

    def stop(self) -> None:
        """Leave it to the loop in `results` to stop the workers: this may run in a signal handler."""
        self.stopping = True

    def pulse(self) -> Pulse:
        hanging, games, turn = None, 0, 0
        for errand in list(self.under_way.values()):
            games, turn = games + errand.games, max(turn, errand.turn)
            if errand.hanging is not None:
                hanging = Heartbeat(errand.item, *errand.hanging)  # type: ignore[arg-type]
        return Pulse(games, hanging, turn)

    @contextmanager
    def opened(self) -> Iterator[Self]:
        self.client.subscribe_topic(self.token, self._hear)
        with self.muster.marked():
            try:
                yield self
            finally:
                self._leave()

    def results(self, items: Iterable[Item]) -> Iterator[Result | Trouble]:
        waiting = zip(self.numbers, items, strict=False)
        while self._hand_out(waiting) or self.under_way:
            yield from self._arrived()
            yield from self._look_around()

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        """Note what a worker says, in the client's event loop; Dask adds fields of its own."""
        message = event[1]
        errand = self.under_way.get(message["key"])
        if errand is None:
            return
        if "outcome" in message:
            errand.outcome = message["outcome"]
            self.ended.put(message["key"])
        else:
            errand.games, errand.turn, errand.hanging = message["games"], message["turn"], message["hanging"]

    def _hand_out(self, waiting: Iterator[tuple[int, Item]]) -> bool:
        """Send items to threads that have none; return whether there are more.

        What failed goes first, and alone to a worker: when that one is lost too, nothing else can be to blame.
        """
        if self.stopping:
            return False
        free = self._free()
        while self.again:
            idle = [address for address, threads in free.items() if threads == self.muster.fit[address]]
            if not idle:
                return True
            self._send(*self.again.popleft(), idle[0], free.pop(idle[0]))
        for _, address in sorted((place, address) for address, threads in free.items() for place in range(threads)):
            following = next(waiting, None)
            if following is None:
                return False
            self._send(*following, address, 1)
        return True

    def _free(self) -> dict[str, int]:
        """Return how many threads of each worker have nothing to do, where there are any."""
        free = dict(self.muster.fit)
        for errand in self.under_way.values():
            if errand.address in free:
                free[errand.address] -= errand.threads
        return {address: threads for address, threads in free.items() if threads > 0}

    def _send(self, number: int, item: Item, address: str, threads: int) -> None:
        key = f"ttr-sim-{self.token}-{number}-{self.failures[number]}"
        errand = self.under_way[key] = Errand(number, item, address, threads)  # it may answer before the next line
        errand.future = self.muster.send(address, carry_out, self.token, key, self.work.task, item, key=key)

    def _arrived(self) -> Iterator[Result | Trouble]:
        with suppress(Empty):
            key = self.ended.get(timeout=GLANCE)
            while True:
                if key is None:
                    self.next_look = 0.0
                elif key in self.under_way and not self._is_message_to_come(self.under_way[key]):
                    yield from self._outcome(key)
                key = self.ended.get_nowait()

    def _is_message_to_come(self, errand: Errand[Item]) -> bool:
        """Return whether the task has ended and only its message has not, which Dask may deliver a little later."""
        if errand.outcome is None and errand.future.status == "finished":
            errand.overdue = time.monotonic() + MESSAGE
            return True
        return False

    def _outcome(self, key: str) -> Iterator[Result | Trouble]:
        """Yield what came of an errand that has ended, or whose worker is gone."""
        errand = self.under_way.pop(key)
        if errand.outcome is not None:
            yield pickle.loads(errand.outcome)
            return
        self._check_connection()
        error = errand.future.exception() if errand.future.status == "error" else None
        if isinstance(error, UnknownWorkerError):
            self.muster.forget(errand.address)
        self.failures[errand.number] += 1
        if self.failures[errand.number] < MOST_FAILURES:
            self.again.append((errand.number, errand.item))
        elif not self.stopping:
            yield Trouble(str(error) if isinstance(error, MishapError) else self._blame(errand.item, error))

    def _blame(self, item: Item, error: BaseException | None) -> str:
        lost = error is None or isinstance(error, UnknownWorkerError) or type(error).__name__ == "KilledWorker"
        reason = "the process that played it ended, by a bot or for want of memory" if lost else f"{error!r}"
        return (
            f"{self.work.describe(item)} failed {MOST_FAILURES} times, the last time because {reason}; "
            f"what is finished is kept; {self.work.how_to_go_on}"
        )

    def _look_around(self) -> Iterator[Result | Trouble]:
        """See who came, and take back the items of those who are gone."""
        if self.stopping and not self.is_stop_sent:
            self.is_stop_sent = True
            self._send_stop()
        if time.monotonic() < self.next_look:
            return
        self.next_look = time.monotonic() + LOOK_AROUND
        gone = self._updated()
        now = time.monotonic()
        for key in [key for key, errand in self.under_way.items() if errand.address in gone or errand.overdue < now]:
            self.under_way[key].future.cancel()
            yield from self._outcome(key)
        self._refuse_to_wait()

    def _updated(self) -> set[str]:
        self._check_connection()
        before = self.muster.fit
        try:
            gone = self.muster.update()
        except OSError:
            raise self._lost_connection() from None
        if self.muster.fit != before:
            threads = sum(self.muster.fit.values())
            self.jobs = max(self.jobs, min(threads, self.work.items))
            self.say(f"workers: {len(self.muster.fit)}, threads: {threads}", self.work.note)
        return gone

    def _check_connection(self) -> None:
        if self.client.status != "running":
            raise self._lost_connection()

    def _lost_connection(self) -> UserError:
        return UserError(f"the cluster {self.where} is gone; what is finished is kept; {self.work.how_to_go_on}")

    def _refuse_to_wait(self) -> None:
        """Raise UserError when nobody can play."""
        muster = self.muster
        if muster.fit or muster.is_waiting or self.stopping:
            self.last_seen = time.monotonic()
        elif muster.refused:
            raise UserError(f"no worker of the cluster {self.where} can play; {next(iter(muster.refused.values()))}")
        elif time.monotonic() - self.last_seen > NOBODY:
            raise UserError(
                f"the cluster {self.where} has had no worker for {NOBODY:.0f} s; start some, then "
                f"{self.work.how_to_go_on}"
            )

    def _send_stop(self) -> threading.Thread:
        """Do it in a thread of its own: a worker that does not listen must not hold this one up."""
        workers = list({errand.address for errand in self.under_way.values()})

        def send() -> None:
            with suppress(Exception):
                self.client.run(stop, self.token, workers=workers, on_error="ignore")

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        return thread

    def _leave(self) -> None:
        """End what is still under way: it was left behind, or is lost."""
        with suppress(Exception):  # the cluster may be gone
            if self.under_way:
                self._send_stop().join(STOPPING)
            self.muster.leave()
            for errand in self.under_way.values():
                errand.future.cancel()
            hanging = [errand.address for errand in self.under_way.values() if errand.hanging is not None]
            if hanging:  # a thread that never answers ends with its process
                self.client.restart_workers(hanging, timeout=STOPPING, raise_for_error=False)
            self.client.unsubscribe_topic(self.token)
