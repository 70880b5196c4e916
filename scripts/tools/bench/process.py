"""Whole processes, measured as a user would have them: by the clock, the processor and the memory at the peak."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass

# The process tells its own peak: what a parent is told starts with the parent's own size.
TELL_PEAK = """
import sys
from pathlib import Path
try:
    {work}
finally:
    print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""
COMMAND = "from ttr_sim.cli.main import main; main(sys.argv[1:])"


@dataclass(frozen=True)
class Cost:
    """Of one process and the processes it started; memory of the first alone."""

    seconds: float
    processor_seconds: float
    megabytes: float


def cost(work: str, *words: str) -> Cost:
    """Of a line of Python that reads these words from sys.argv; COMMAND is ttr-sim itself."""
    began, used = time.perf_counter(), _processor_seconds()
    call = [sys.executable, "-c", TELL_PEAK.format(work=work), *words]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    kilobytes = int(done.stdout.split()[-1])
    return Cost(time.perf_counter() - began, _processor_seconds() - used, kilobytes / 1e3)


def _processor_seconds() -> float:
    """Of all processes that were started from here and have ended."""
    times = os.times()
    return times.children_user + times.children_system
