"""Clusters for tests: processes of this machine, started and joined as a user's cluster would be."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ttr_sim.run.cluster import local_cluster

SECONDS = 120  # until a test gives up


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    with local_cluster(workers) as address:
        yield address


@contextmanager
def worker_of(address: str, folder: Path, *words: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Let one more worker join, as docs/cluster.md says."""
    options = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(folder), *words]
    program = [sys.executable, "-m", "distributed.cli.dask_worker", address, *options]
    env = {**os.environ, "PYTHONSAFEPATH": "1", **variables}
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def wait_until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
