"""What several tasks of another process are given: packed once here, and unpacked once there."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

Content = TypeVar("Content")


class Shared(Generic[Content]):
    """Holds something large, which its own process has as it is."""

    def __init__(self, content: Content) -> None:
        self.content = content

    @cached_property
    def _packed(self) -> bytes:
        return pickle.dumps(self.content, pickle.HIGHEST_PROTOCOL)

    def __reduce__(self) -> tuple[Callable[[bytes], Shared[Content]], tuple[bytes]]:
        return _unpacked, (self._packed,)


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Shared[Content]:
    return Shared(pickle.loads(packed))
