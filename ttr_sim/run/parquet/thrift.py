"""Thrift's compact protocol, in which the footer of a Parquet file and the heads of its pages are spelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
END_OF_STRUCT = 0
LONG_LIST = 15  # from this length on, the length stands by itself
ALIKE = 1024  # values kept, as parts are much alike


class Value(NamedTuple):
    kind: int
    data: bytes


def varint(number: int) -> bytes:
    """Return a number that is not negative, seven bits a byte, the lowest first."""
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def zigzag(number: int) -> bytes:
    """Return a number of either sign, in few bytes if it is near 0."""
    return varint(number << 1 if number >= 0 else ~number << 1 | 1)


@lru_cache(ALIKE)
def i32(number: int) -> Value:
    return Value(I32, zigzag(number))


def i64(number: int) -> Value:
    return Value(I64, zigzag(number))


def binary(data: bytes) -> Value:
    return Value(BINARY, varint(len(data)) + data)


def text(letters: str) -> Value:
    return binary(letters.encode())


def items(values: Sequence[Value]) -> Value:
    """Return a list of one or more values of the same kind."""
    kind, length = values[0].kind, len(values)
    head = bytes([length << 4 | kind]) if length < LONG_LIST else bytes([LONG_LIST << 4 | kind]) + varint(length)
    return Value(LIST, head + b"".join(value.data for value in values))


def struct(fields: Mapping[int, Value]) -> Value:
    """Return fields by their number, which rises."""
    data, before = bytearray(), 0
    for number, value in fields.items():
        data.append(number - before << 4 | value.kind)
        data += value.data
        before = number
    data.append(END_OF_STRUCT)
    return Value(STRUCT, bytes(data))
