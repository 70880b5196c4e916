"""SHA-256 as hashlib has it, of many messages at once."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttr_sim.run.sha256 import CHUNK, LANES, digests_of, rooms_for


def digests(messages: list[bytes]) -> bytes:
    rooms = rooms_for(np.array([len(message) for message in messages], np.int64))
    laid, ends = np.zeros(rooms[-1], np.uint8), rooms[:-1].copy()
    for number, message in enumerate(messages):
        ends[number] += len(message)
        laid[rooms[number] : ends[number]] = list(message)
    return digests_of(laid, rooms, ends)


def expected(messages: list[bytes]) -> bytes:
    return b"".join(hashlib.sha256(message).digest() for message in messages)


@given(st.lists(st.binary(max_size=5 * CHUNK), max_size=3 * LANES))
def test_digests_are_those_of_hashlib(messages: list[bytes]) -> None:
    assert digests(messages) == expected(messages)


@pytest.mark.parametrize("size", [0, 55, 56, 63, 64, 119, 120, 100_000])
def test_messages_that_just_fill_their_chunks(size: int) -> None:
    messages = [bytes([number]) * size for number in (0, 127, 255)]
    assert digests(messages) == expected(messages)


def test_a_long_message_among_short_ones() -> None:
    messages = [b"x" * (number == 7) * 1_000 for number in range(2 * LANES + 1)]
    assert digests(messages) == expected(messages)
