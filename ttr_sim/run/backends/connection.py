"""A connection to a Dask cluster, or a cluster of processes on this machine."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ttr_sim.errors import UserError
from ttr_sim.run import worker_process

PATIENCE = 20.0  # seconds a scheduler may take to answer


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Yield a client of the cluster."""
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what went wrong is said in our words
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # versions are compared more strictly by the muster
        try:
            client = Client(address, timeout=PATIENCE)
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
    """Yield the address of a cluster of processes that live as long as this."""
    import dask
    from distributed import LocalCluster

    how = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    with (
        dask.config.set({"distributed.worker.profile.enabled": False}),  # a look a hundred times a second at what plays
        LocalCluster(n_workers=workers, preload=[worker_process.__name__], memory_limit=None, **how) as cluster,
    ):
        yield cluster.scheduler_address
