"""What tasks share is packed and unpacked once."""

from __future__ import annotations

import pickle

import numpy as np

from ttr_sim.report.shared import Shared


class Counted:
    """Counts how often it is packed."""

    packed = 0

    def __reduce__(self) -> tuple[type[Counted], tuple[()]]:
        Counted.packed += 1
        return Counted, ()


def test_it_is_packed_once() -> None:
    shared = Shared(Counted())
    for task in range(3):
        pickle.dumps((task, shared))
    assert Counted.packed == 1


def test_it_is_unpacked_once() -> None:
    shared = Shared(np.arange(5))
    one, other = (pickle.loads(pickle.dumps((task, shared)))[1] for task in range(2))
    assert one.content is other.content
    assert one.content.tolist() == shared.content.tolist()
