"""Repeated, interleaved measures: every case in turn, round after round, so that a busy moment of
the machine falls on all of them alike."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

Row = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)


def interleaved(cases: Mapping[Key, Callable[[], object]], rounds: int) -> dict[Key, list[float]]:
    """CPU seconds of each call of each case; one more call before the first round warms up."""
    seconds: dict[Key, list[float]] = {key: [] for key in cases}
    for call in cases.values():
        call()
    for _ in range(rounds):
        for key, call in cases.items():
            start = time.process_time()
            call()
            seconds[key].append(time.process_time() - start)
    return seconds


def median_ratio(seconds: list[float], reference: list[float]) -> float:
    """How many times longer than the reference, round by round."""
    return statistics.median(mine / its for mine, its in zip(seconds, reference, strict=True))


def machine() -> Row:
    return {"python": platform.python_version(), "processor": platform.machine(), "cores": os.cpu_count()}
