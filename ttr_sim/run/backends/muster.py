"""The workers of a Dask cluster: each is looked at when it joins, and takes part when it is fit.

Each is asked for itself, so that one that hangs or dies meanwhile holds nobody up.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from ttr_sim.run.backends import Work
from ttr_sim.run.backends.on_worker import Sight, look, made_of

MOST_LOSSES = 3  # of workers that compile, on one machine
ASKERS = 16  # workers asked at the same time


class Muster:
    """Who is there: `fit` holds the number of threads by the address of each worker that may play."""

    def __init__(self, client: Any, work: Work[Any, Any], token: str, ended: SimpleQueue[str | None]) -> None:
        self.client, self.work, self.token = client, work, token
        self.ended = ended  # receives the key of each errand that has ended, and None for what ends here
        self.mark = None if work.folder is None else work.folder / f".cluster-{token}.tmp"
        self.present: dict[str, int] = {}
        self.fit: dict[str, int] = {}
        self.askers = ThreadPoolExecutor(ASKERS)
        self.looks: dict[str, Future[dict[str, Any]]] = {}  # by address
        self.machines: dict[str, str] = {}  # by address, of workers that have nothing against them
        self.compiling: dict[str, tuple[str, Any]] = {}  # address and future by machine
        self.compiled: set[str] = set()
        self.losses: Counter[str] = Counter()  # of workers that compiled, by machine
        self.refused: dict[str, str] = {}

    @contextmanager
    def marked(self) -> Iterator[None]:
        """Keep a file in the shared folder, by which a worker shows that it sees the same folder."""
        if self.mark is None:
            yield
            return
        self.mark.write_text(self.token)
        try:
            yield
        finally:
            self.mark.unlink(missing_ok=True)

    @property
    def is_waiting(self) -> bool:
        """Return whether somebody may yet become fit."""
        return bool(self.looks or self.compiling)

    def leave(self) -> None:
        self.askers.shutdown(wait=False, cancel_futures=True)
        for _, future in self.compiling.values():
            future.cancel()

    def update(self) -> set[str]:
        """Look for who came, and return the addresses of those who took part and are gone."""
        self.present = self.client.nthreads()
        gone = set(self.fit) - set(self.present)
        for address in {*self.fit, *self.looks, *self.machines, *self.refused} - set(self.present):
            self.forget(address)
        for address in self.present.keys() - {*self.looks, *self.machines, *self.refused}:
            self.looks[address] = self._asked(address)
        for address in [address for address, future in self.looks.items() if future.done()]:
            self._judge(address, self.looks.pop(address))
        self._compile()
        self.fit = {a: self.present[a] for a, machine in self.machines.items() if machine in self.compiled}
        return gone

    def forget(self, address: str) -> None:
        """Take a worker for one that was never seen."""
        for known in (self.fit, self.looks, self.machines, self.refused):
            known.pop(address, None)
        for machine, (where, _) in list(self.compiling.items()):
            if where == address:
                del self.compiling[machine]
                self.losses[machine] += 1

    def send(self, address: str, function: Callable[..., Any], *arguments: Any, key: str | None = None) -> Any:
        """Submit a task for one worker. Dask's own retries would go to the same one."""
        how = {"workers": [address], "key": key or f"ttr-sim-{secrets.token_hex(8)}", "pure": False}
        future = self.client.submit(function, *arguments, **how)
        future.add_done_callback(lambda done: self.ended.put(key))
        return future

    def _asked(self, address: str) -> Future[dict[str, Any]]:
        """Let a worker show itself. As a task this would end a worker that has no ttr-sim: Dask fails to read it."""
        how = {"workers": [address], "on_error": "return"}
        future = self.askers.submit(self.client.run, look, self.token, self.mark, **how)
        future.add_done_callback(lambda done: self.ended.put(None))
        return future

    def _judge(self, address: str, future: Future[dict[str, Any]]) -> None:
        answer = None if future.exception() else future.result().get(address)
        if isinstance(answer, Sight):
            trouble = self._trouble(answer)
            if trouble is None:
                self.machines[address] = answer.machine
            else:
                self.refuse(address, trouble)
        elif isinstance(answer, Exception) and not isinstance(answer, OSError):  # nor lost before it answered
            self.refuse(address, f"it cannot load this version of ttr-sim ({type(answer).__name__}: {answer})")

    def _trouble(self, sight: Sight) -> str | None:
        for name, here in made_of().items():
            there = sight.made_of.get(name, "missing")
            if there != here:
                return f"{name} is {there} there and {here} here; install the same"
        if self.losses[sight.machine] >= MOST_LOSSES:
            return f"{MOST_LOSSES} workers of its machine ended while they loaded the games, perhaps for want of memory"
        if self.mark is not None and sight.token != self.token:
            return f"it does not see the folder {self.mark.parent}; all machines must share it, by the same path"
        return None

    def refuse(self, address: str, trouble: str) -> None:
        self.refused[address] = f"worker {address} is not used: {trouble}"
        self.work.note(self.refused[address])

    def _compile(self) -> None:
        """Let one worker of each machine compile the kernels, which the others then find."""
        for machine, (address, future) in list(self.compiling.items()):
            if future.status == "finished":
                self.compiled.add(machine)
                del self.compiling[machine]
            elif future.status == "error":
                self.forget(address)
                self.refuse(address, f"it cannot play ({future.exception()!r})")
        for address, machine in self.machines.items():
            if machine not in self.compiled and machine not in self.compiling:
                self.compiling[machine] = address, self.send(address, self.work.prepare)
