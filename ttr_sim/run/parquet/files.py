"""A file of one group of rows: the pages of each column, then a footer that says where they are.

Fields have the numbers of parquet.thrift, the definition of the format; so have types and encodings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import pyarrow as pa

from ttr_sim import __version__
from ttr_sim.run.parquet.encodings import LENGTH_BYTES, PLAIN, RLE, Dictionary, Encoded, Flags, levels
from ttr_sim.run.parquet.thrift import ALIKE, Value, binary, i32, i64, items, struct, text

MAGIC = b"PAR1"
FORMAT = 2
ZSTD, ITS_NUMBER = pa.Codec("zstd", 3), 6
DATA_PAGE, DICTIONARY_PAGE = 0, 2
REQUIRED, OPTIONAL = 0, 1
BY_VALUE = struct({1: struct({})})  # how bounds are compared


class Kind(NamedTuple):
    """Parquet's numbers for the type that is stored and for the one that is meant."""

    stored: int
    meant: int | None = None


class Column(NamedTuple):
    """The values of a column without its nulls; one that may be null says in which rows it is not."""

    name: str
    kind: Kind
    encoded: Encoded
    present: Flags | None = None
    bounds: tuple[bytes, bytes] | None = None  # the least and the greatest value


class Page(NamedTuple):
    data: bytes
    unpacked: int  # its bytes if nothing were compressed


def file_bytes(columns: Sequence[Column], rows: int, metadata: Mapping[str, str]) -> bytearray:
    data, chunks, unpacked = bytearray(MAGIC), [], 0
    for column in columns:
        pages = _pages(column, rows)
        chunks.append(_chunk(column, rows, pages, len(data)))
        unpacked += sum(page.unpacked for page in pages)
        data += b"".join(page.data for page in pages)
    group = struct({1: items(chunks), 2: i64(unpacked), 3: i64(rows)})
    footer = _footer(columns, rows, group, metadata)
    return data + footer + len(footer).to_bytes(LENGTH_BYTES, "little") + MAGIC


def _pages(column: Column, rows: int) -> list[Page]:
    """Return the page of the column's dictionary, if it has one, and that of its values."""
    encoded = column.encoded
    dictionary = [] if encoded.dictionary is None else [_dictionary_page(encoded.dictionary)]
    body = encoded.values if column.present is None else levels(column.present) + encoded.values
    head = struct({1: i32(rows), 2: i32(encoded.encoding), 3: i32(RLE), 4: i32(RLE)})
    return [*dictionary, _page(DATA_PAGE, body, {5: head})]


@lru_cache(128)  # those of texts are large, and another part has others
def _dictionary_page(dictionary: Dictionary) -> Page:
    return _page(DICTIONARY_PAGE, dictionary.values, {7: struct({1: i32(dictionary.size), 2: i32(PLAIN)})})


def _page(kind: int, body: bytes, head: Mapping[int, Value]) -> Page:
    packed = ZSTD.compress(body, asbytes=True)
    before = struct({1: i32(kind), 2: i32(len(body)), 3: i32(len(packed)), **head}).data
    return Page(before + packed, len(before) + len(body))


def _chunk(column: Column, rows: int, pages: Sequence[Page], at: int) -> Value:
    """Return what the footer says of a column whose pages begin at this byte."""
    *before, _ = pages
    encodings = {RLE, column.encoded.encoding, *(PLAIN for _ in before)}
    facts = {
        1: i32(column.kind.stored),
        2: items([i32(encoding) for encoding in sorted(encodings)]),
        3: items([text(column.name)]),
        4: i32(ITS_NUMBER),
        5: i64(rows),
        6: i64(sum(page.unpacked for page in pages)),
        7: i64(sum(len(page.data) for page in pages)),
        9: i64(at + sum(len(page.data) for page in before)),
    }
    if before:
        facts[11] = i64(at)
    if column.bounds is not None:
        least, greatest = column.bounds
        facts[12] = struct({5: binary(greatest), 6: binary(least)})
    return struct({2: i64(at), 3: struct(facts)})


def _footer(columns: Sequence[Column], rows: int, group: Value, metadata: Mapping[str, str]) -> bytes:
    root = struct({4: text("schema"), 5: i32(len(columns))})
    fields = [_field(column.name, column.kind, column.present is not None) for column in columns]
    footer = {
        1: i32(FORMAT),
        2: items([root, *fields]),
        3: i64(rows),
        4: items([group]),
        5: items([struct({1: text(key), 2: text(value)}) for key, value in metadata.items()]),
        6: text(f"ttr-sim version {__version__}"),
        7: items([BY_VALUE] * len(columns)),
    }
    return struct(footer).data


@lru_cache(ALIKE)
def _field(name: str, kind: Kind, may_be_null: bool) -> Value:
    facts = {1: i32(kind.stored), 3: i32(OPTIONAL if may_be_null else REQUIRED), 4: text(name)}
    return struct(facts if kind.meant is None else {**facts, 6: i32(kind.meant)})
