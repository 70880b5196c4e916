"""The values of a column as Parquet spells them, in whole bytes.

Parquet packs indices and differences into as few bits as they need, and eight of them into as many bytes. But a writer
may choose more bits: with 8 or 16 each number is bytes as numpy has them, and zstd makes up for the idle bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ttr_sim.run.parquet.thrift import ALIKE, varint, zigzag

Integers = NDArray[np.signedinteger]
Flags = NDArray[np.bool_]

PLAIN, RLE, DELTA_BINARY_PACKED, RLE_DICTIONARY = 0, 3, 5, 8

BYTE = 8
LENGTH_BYTES = 4
GROUP = 8  # indices come by so many
RUN = 63 * GROUP
BLOCK = 128  # differences come by so many; more is allowed, fewer are not
WIDTHS = 1, 2, 4, 8  # in bytes


class Dictionary(NamedTuple):
    """What indices stand for: so many values, spelled plainly."""

    size: int
    values: bytes


class Encoded(NamedTuple):
    encoding: int
    values: bytes
    dictionary: Dictionary | None = None


def plain(values: NDArray[np.generic]) -> Encoded:
    return Encoded(PLAIN, values.tobytes())


def flags(values: Flags) -> Encoded:
    return plain(np.packbits(values, bitorder="little"))


def numbers(values: Integers) -> Encoded:
    """Return numbers of at most four bytes: where it pays, as indices into all there are from least to greatest."""
    if not len(values):
        return plain(values)
    low, high = int(values.min()), int(values.max())
    if high - low >= len(values):
        return plain(values.astype("<i4"))
    every = np.arange(low, high + 1, dtype="<i4")
    return _indexed(values - values.dtype.type(low), Dictionary(len(every), every.tobytes()))


def texts(values: pa.StringArray) -> Encoded:
    """Return texts as indices into those that differ."""
    if not len(values):
        return Encoded(PLAIN, b"")
    told_apart = values.dictionary_encode()
    return _indexed(told_apart.indices.to_numpy(), _dictionary_of(told_apart.dictionary))


def words(indices: Integers, listed: Sequence[str]) -> Encoded:
    return _indexed(indices, _dictionary_of_words(tuple(listed)))


def differences(values: Integers) -> Encoded:
    """Return the first value, then in blocks how much more each step is than the least one."""
    first = int(values[0]) if len(values) else 0
    steps = np.diff(values)
    least = int(steps.min(initial=0))
    rises = steps - least
    width = _fewest_bytes(int(rises.max(initial=0)))
    body = np.zeros(-(-len(rises) // BLOCK) * BLOCK, f"<u{width}")
    body[: len(rises)] = rises
    blocks = _headed(zigzag(least) + bytes([width * BYTE]), body.reshape(-1, BLOCK))
    before = varint(BLOCK) + varint(1) + varint(len(values)) + zigzag(first)
    return Encoded(DELTA_BINARY_PACKED, b"".join((before, blocks)))


def levels(present: Flags) -> bytes:
    """Return in which rows a column that may be null has a value: one run, either of bits or all the same."""
    count = int(np.count_nonzero(present))
    if count in (0, len(present)):
        run = varint(len(present) << 1) + bytes([count > 0])
    else:
        bits = np.packbits(present, bitorder="little").tobytes()
        run = varint(len(bits) << 1 | 1) + bits
    return len(run).to_bytes(LENGTH_BYTES, "little") + run


@lru_cache(ALIKE)
def _dictionary_of_words(listed: tuple[str, ...]) -> Dictionary:
    return _dictionary_of(pa.array(listed, pa.string()))


def _dictionary_of(listed: pa.StringArray) -> Dictionary:
    return Dictionary(len(listed), _spelled(listed))


def _spelled(listed: pa.StringArray) -> bytes:
    """Return the length of each text and its letters behind it."""
    _, ends, letters = listed.buffers()
    offsets = np.frombuffer(ends, np.int32, len(listed) + 1)
    lengths = np.diff(offsets).astype("<i4").view(np.uint8).reshape(-1, LENGTH_BYTES)
    places = offsets[:-1, np.newaxis] + LENGTH_BYTES * np.arange(len(listed))[:, np.newaxis] + np.arange(LENGTH_BYTES)
    spelled = np.empty(lengths.size + offsets[-1], np.uint8)
    is_letter = np.ones(len(spelled), np.bool_)
    spelled[places], is_letter[places] = lengths, False
    spelled[is_letter] = np.frombuffer(letters or b"", np.uint8, offsets[-1])
    return spelled.tobytes()


def _indexed(indices: Integers, dictionary: Dictionary) -> Encoded:
    """Return indices in runs, as many in each as its head can tell in a byte: DuckDB is slow in longer ones."""
    width = _fewest_bytes(dictionary.size - 1)
    packed = indices.astype(f"<u{width}")
    whole = len(packed) - len(packed) % RUN
    runs = _headed(bytes([RUN // GROUP << 1 | 1]), packed[:whole].reshape(-1, RUN))
    groups = -(-(len(packed) - whole) // GROUP)
    rest = bytes([groups << 1 | 1]) + packed[whole:].tobytes().ljust(groups * GROUP * width, b"\0")
    return Encoded(RLE_DICTIONARY, b"".join((bytes([width * BYTE]), runs, rest)), dictionary)


def _headed(head: bytes, rows: NDArray[np.unsignedinteger]) -> memoryview:
    """Return the bytes of all rows, each behind the same head."""
    headed = np.empty((len(rows), len(head) + rows.itemsize * rows.shape[1]), np.uint8)
    headed[:, : len(head)] = np.frombuffer(head, np.uint8)
    headed[:, len(head) :] = rows.view(np.uint8)
    return headed.data


def _fewest_bytes(greatest: int) -> int:
    return next(width for width in WIDTHS if greatest < 1 << width * BYTE)
