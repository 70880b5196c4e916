"""The workers of a Dask cluster: each is looked at when it joins, and takes part when it is fit.

Looks and compilations are tasks for one worker each, so a worker that hangs or dies meanwhile holds nobody up.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from ttr_sim.run.backends import Work
from ttr_sim.run.backends.on_worker import Sight, look, made_of

SHORT_HASH = 8
ANSWER = 10.0  # seconds that fetching what a worker has shown may take


class Muster:
    """Who is there: `fit` holds the number of threads by the address of each worker that may play."""

    def __init__(self, client: Any, work: Work[Any, Any], token: str, ended: SimpleQueue[str | None]) -> None:
        self.client, self.work, self.token = client, work, token
        self.ended = ended  # receives the key of each errand that has ended, and None for what ends here
        self.mark = None if work.folder is None else work.folder / f".cluster-{token}.tmp"
        self.present: dict[str, int] = {}
        self.fit: dict[str, int] = {}
        self.looks: dict[str, Any] = {}  # futures by address
        self.machines: dict[str, str] = {}  # by address, of workers that have nothing against them
        self.compiling: dict[str, tuple[str, Any]] = {}  # address and future by machine
        self.compiled: set[str] = set()
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
    def futures(self) -> list[Any]:
        """Return what still has to show who is fit."""
        return [*self.looks.values(), *(future for _, future in self.compiling.values())]

    def update(self) -> set[str]:
        """Look for who came, and return the addresses of those who took part and are gone."""
        self.present = self.client.nthreads()
        gone = set(self.fit) - set(self.present)
        for address in {*self.fit, *self.looks, *self.machines, *self.refused} - set(self.present):
            self.forget(address)
        for address in self.present.keys() - {*self.looks, *self.machines, *self.refused}:
            self.looks[address] = self.send(address, look, self.token, self.mark)
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

    def send(self, address: str, function: Callable[..., Any], *arguments: Any, key: str | None = None) -> Any:
        """Submit a task for one worker. Dask's own retries would go to the same one."""
        how = {"workers": [address], "key": key or f"ttr-sim-{secrets.token_hex(8)}", "pure": False}
        future = self.client.submit(function, *arguments, **how)
        future.add_done_callback(lambda done: self.ended.put(key))
        return future

    def _judge(self, address: str, future: Any) -> None:
        error = future.exception() if future.status == "error" else None
        if error is not None:
            self.refuse(address, f"it cannot load this version of ttr-sim ({type(error).__name__}: {error})")
            return
        with contextlib.suppress(TimeoutError, CancelledError):  # lost with its worker, or looked at again
            sight = future.result(timeout=ANSWER)
            trouble = self._trouble(sight)
            if trouble is None:
                self.machines[address] = sight.machine
            else:
                self.refuse(address, trouble)

    def _trouble(self, sight: Sight) -> str | None:
        for name, here in made_of().items():
            there = sight.made_of.get(name, "missing")
            if there != here:
                return f"its {name} is {there[:SHORT_HASH]}, not {here[:SHORT_HASH]} as here; install the same there"
        if self.mark is not None and sight.token != self.token:
            return f"it does not see the folder {self.mark.parent}; all machines must share it, by the same path"
        return None

    def refuse(self, address: str, trouble: str) -> None:
        self.refused[address] = f"worker {address} is not used: {trouble}"
        self.work.note(self.refused[address])

    def _compile(self) -> None:
        """Let one worker of each machine compile the kernels, which the others then find."""
        for machine, (address, future) in list(self.compiling.items()):
            if future.done():
                del self.compiling[machine]
                if future.status == "finished":
                    self.compiled.add(machine)
                else:
                    self.machines.pop(address, None)
                    self.refuse(address, f"it cannot play ({_reason(future)})")
        for address, machine in self.machines.items():
            if machine not in self.compiled and machine not in self.compiling:
                self.compiling[machine] = address, self.send(address, self.work.prepare)


def _reason(future: Any) -> str:
    with contextlib.suppress(Exception):
        error = future.exception()
        return f"{type(error).__name__}: {error}"
    return str(future.status)
