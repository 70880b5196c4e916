"""Worker processes: little memory, and no life of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", (
    "import time; from ttr_sim.run import workers; workers.PARENT_POLL_SECONDS = 0.05; "
    f"workers.set_up_worker({os.getpid()}); print('ready', flush=True); time.sleep(600)"
)], stderr=subprocess.PIPE)  # where a worker's prints go
child.stderr.readline()
print(child.pid, flush=True)
time.sleep(600)
"""


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_worker_ends_when_its_parent_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    assert is_alive(worker)
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate()
    deadline = time.monotonic() + 60
    while is_alive(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(worker)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep this limit")
def test_worker_that_wants_too_much_memory_gets_an_error() -> None:
    code = (
        "from ttr_sim.run import workers as worker; worker.MEMORY_LIMIT = 300_000_000; "
        "worker.limit_memory(); bytes(10**9)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr.splitlines()[-1] == "MemoryError"
