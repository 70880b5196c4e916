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


INTERRUPTED_AT_THE_START = """
import os, signal, time
from ttr_sim.run.workers import ctrl_c_held_back, worker_process
signal.signal(signal.SIGINT, lambda *_: print("heard", flush=True))
process = worker_process()
with ctrl_c_held_back():
    answer = process.submit(os.getppid)
while not answer.done():
    os.killpg(0, signal.SIGINT)
    time.sleep(0.01)
print(answer.result() == os.getpid())
process.shutdown()
"""


INTERRUPTED_WORKERS = """
import os, signal, threading, time
from ttr_sim.run.workers import over_processes
signal.signal(signal.SIGINT, lambda *_: print("heard", flush=True))

def interrupt():
    while not done:
        os.killpg(0, signal.SIGINT)
        time.sleep(0.01)

done = False
thread = threading.Thread(target=interrupt)
thread.start()
results = list(over_processes(abs, [-1, -2, -3], jobs=2))
done = True
thread.join()
print(results == [1, 2, 3])
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows cannot hold signals back")
@pytest.mark.parametrize("program", [INTERRUPTED_AT_THE_START, INTERRUPTED_WORKERS])
def test_a_worker_does_not_hear_ctrl_c_while_it_starts(program: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert set(ended.stdout.split()) == {"heard", "True"}
    assert ended.stderr == ""


ENDED = """
import time
from ttr_sim.run.workers import kill, worker_process
process = worker_process()
process.submit(abs, 1).result()
for _ in range(9):
    process.submit(time.sleep, 600)
kill(process)
"""


def test_a_process_ends_at_once_and_without_a_word_whatever_it_still_has_to_do() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep this limit")
def test_worker_that_wants_too_much_memory_gets_an_error() -> None:
    code = (
        "from ttr_sim.run import workers as worker; worker.MEMORY_LIMIT = 300_000_000; "
        "worker.limit_memory(); bytes(10**9)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr.splitlines()[-1] == "MemoryError"
