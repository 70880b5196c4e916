"""Digests: SHA-256 of each block's rows, and of the whole run from these. docs/runs.md describes the bytes.

Rows are digested as two-byte cells, taken from the engine's codes when a part is written and from Parquet when it is
checked. Parts, workers and compression leave no trace in them.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ttr_sim.engine.jit import compiled
from ttr_sim.log import NULL, TABLES, Column
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Ints, part_file_name
from ttr_sim.run.plan import FULL, Plan
from ttr_sim.run.sha256 import Bytes, digests_of, rooms_for
from ttr_sim.run.tables import Codes, Entries, Words, schema_of

Plane = NDArray[np.int16]

RESULT_TABLES = ("games", "seats", "tickets")

CELL_BYTES = 2
ANY_CODE = (1 << 16) - 1


class Spelled(NamedTuple):
    """Cells that are looked up only as they are laid out: codes of words, and the cell of each code."""

    codes: Codes
    cells: Plane


class Cells(NamedTuple):
    """All cells of a table: one or more planes for each column, then the texts as offsets and bytes."""

    planes: list[Plane | Spelled]
    texts: list[tuple[NDArray[np.int32], memoryview]]


def block_digests(cells: Cells, cuts: Ints) -> bytes:
    """Return the digests of all blocks, joined; `cuts` are the blocks' first rows and the end of the last."""
    pieces = [(data, offsets[cuts].astype(np.int64)) for offsets, data in cells.texts]
    at = cuts * CELL_BYTES
    sizes: Ints = np.diff(at) * len(cells.planes)
    for _, of_text in pieces:
        sizes += np.diff(of_text)
    rooms = rooms_for(sizes)
    laid, filled = np.zeros(rooms[-1], np.uint8), rooms[:-1].copy()
    for plane in cells.planes:
        if isinstance(plane, Spelled):
            _spell_in_blocks(*plane, cuts, laid, filled)
        else:
            _add_to_blocks(_bytes_of(np.ascontiguousarray(plane).data), at, laid, filled)
    for data, of_text in pieces:
        _add_to_blocks(_bytes_of(data), of_text, laid, filled)
    return digests_of(laid, rooms, filled)


def _bytes_of(data: memoryview) -> Bytes:
    return np.frombuffer(data.toreadonly(), np.uint8)  # one type of array for all, so that one kernel is compiled


@compiled
def _add_to_blocks(source: Bytes, cuts: Ints, laid: Bytes, filled: Ints) -> None:
    """Append each block's piece of the source to what is laid out of the block."""
    for block in range(len(filled)):
        start, end = cuts[block], filled[block]
        size = cuts[block + 1] - start
        for byte in range(size):  # LLVM makes it a copy, as it is counted from 0
            laid[end + byte] = source[start + byte]
        filled[block] = end + size


@compiled
def _spell_in_blocks(codes: Codes, cells: Plane, cuts: Ints, laid: Bytes, filled: Ints) -> None:
    """Append the cells of each block's words, the lower byte first."""
    for block in range(len(filled)):
        start, end = cuts[block], filled[block]
        for row in range(cuts[block + 1] - start):
            cell = cells[codes[start + row] & ANY_CODE]
            laid[end + CELL_BYTES * row] = cell & 0xFF
            laid[end + CELL_BYTES * row + 1] = cell >> 8 & 0xFF
        filled[block] = end + (cuts[block + 1] - start) * CELL_BYTES


def compile_digests() -> None:
    """Digest next to nothing."""
    cell = np.zeros(1, np.int16)
    block_digests(Cells([cell, Spelled(cell, _by_code(cell))], []), np.arange(2))


def entries_digests(entries: dict[str, Entries], words: Words) -> dict[str, bytes]:
    """Return the digests of the blocks of rows just played, by table."""
    starts = first_games(entries["games"].host_ids("game"), entries["games"].host_ids("block"))
    return {
        table: block_digests(log_cells(rows, words), cuts_between(rows.host_ids("game"), starts))
        for table, rows in entries.items()
    }


def cuts_between(games: Ints, starts: Ints) -> Ints:
    """Return where the rows of each block begin and the last ones end, for rows in the order of games; blocks start
    with these games."""
    return np.append(np.searchsorted(games, starts), len(games))


def first_games(games: Ints, blocks: Ints) -> Ints:
    """Return the first game of each block."""
    return games[np.flatnonzero(np.diff(blocks, prepend=-1))]


def cells_of(table: str, rows: pa.Table) -> Cells:
    """Return the cells of rows read back from Parquet."""
    cells = Cells([], [])
    for column, chunks in zip(TABLES[table], rows.columns, strict=True):
        array = _in_one_piece(chunks)
        if is_text(column):
            add_text(cells, *_text_buffers(array), _present(array))
        else:
            cells.planes.extend(planes_of(_values(column, array), _present(array)))
    return cells


def log_cells(entries: Entries, words: Words) -> Cells:
    """Return the same cells from the engine's codes as `cells_of` from the rows read back."""
    cells = Cells([], [])
    for column, codes in zip(entries.columns, entries.log.numbers, strict=True):
        if column.name in entries.host:
            cells.planes.extend(planes_of(entries.host[column.name], None))
        elif column.type == "text":
            offsets, data = entries.log.texts[column.name]
            cells.planes.append(np.diff(offsets).astype(np.int16) | codes)  # 0, or NULL where the length is 0
            cells.texts.append((offsets, data.data))
        elif is_text(column):
            add_text(cells, *_spelled_out(codes, words.behind(column)), None)
        elif column.type in {"name", "letter"}:
            cells.planes.append(Spelled(codes, _by_code(word_cells(words.behind(column)))))
        else:
            present = codes != NULL if column.type == "int32" else None  # an int16 null is its own cell
            cells.planes.extend(planes_of(codes, present))
    return cells


def is_text(column: Column) -> bool:
    """Return whether values of a column vary in length: texts, and the names of bots."""
    return column.type == "text" or (column.type == "name" and not column.names)


def add_text(cells: Cells, offsets: NDArray[np.int32], data: memoryview, present: NDArray[np.bool_] | None) -> None:
    """Add a text column: the cell of a text is its length, and its bytes come after all cells."""
    cells.planes.extend(planes_of(np.diff(offsets).astype(np.int16), present))
    cells.texts.append((offsets, data))


def planes_of(values: NDArray[np.generic], present: NDArray[np.bool_] | None) -> list[Plane]:
    """Return values as two-byte cells, the lowest first: a number of four bytes is two, one of eight bytes four."""
    n = max(1, values.dtype.itemsize // 2)
    narrow = values.astype(np.int16, copy=False) if n == 1 else np.ascontiguousarray(values).view(np.int16)
    cells = list(narrow.reshape(-1, n).T)
    return cells if present is None else [np.where(present, plane, np.int16(NULL)) for plane in cells]


def word_cells(words: Sequence[str]) -> Plane:
    """Return a cell for each word: its first two letters in UTF-8, which differ for all words of a list."""
    return np.array([int.from_bytes(word.encode()[:2], "little") for word in words], np.int16)


def _by_code(cells: Plane) -> Plane:
    """Return a table in which the low bits of any code can be looked up: NULL's too, and that of wilds, the last of all
    letters, which comes after room for more colors than an edition has."""
    by_code = np.full(ANY_CODE + 1, NULL, np.int16)
    by_code[:-NULL] = cells[-1]
    by_code[: len(cells)] = cells
    return by_code


def _spelled_out(codes: Codes, words: Sequence[str]) -> tuple[NDArray[np.int32], memoryview]:
    spelled = [word.encode() for word in words]
    lengths = np.array([len(word) for word in spelled], np.int32)[codes]
    data = b"".join(spelled[code] for code in codes.tolist())
    return np.append(np.int32(0), np.cumsum(lengths, dtype=np.int32)), memoryview(data)


def _in_one_piece(chunks: pa.ChunkedArray) -> pa.Array:
    array = chunks.combine_chunks()
    return pa.concat_arrays([array, array[:0]]) if array.offset else array


def _present(array: pa.Array) -> NDArray[np.bool_] | None:
    return _bits(array.buffers()[0], len(array)).astype(np.bool_) if array.null_count else None


def _bits(buffer: pa.Buffer, count: int) -> NDArray[np.uint8]:
    return np.unpackbits(np.frombuffer(buffer, np.uint8), count=count, bitorder="little")


def _values(column: Column, array: pa.Array) -> NDArray[np.generic]:
    if isinstance(array, pa.DictionaryArray):
        words = word_cells(array.dictionary.to_pylist() or [""])
        indices = _numbers(array.indices).astype(np.int64)
        return words[np.clip(indices, 0, len(words) - 1)]  # a null may have any index
    if column.type == "bool":
        return _bits(array.buffers()[1], len(array))
    return _numbers(array)


def _numbers(array: pa.Array) -> NDArray[np.generic]:
    numbers: NDArray[np.generic] = np.frombuffer(array.buffers()[1], array.type.to_pandas_dtype(), len(array))
    return numbers


def _text_buffers(array: pa.Array) -> tuple[NDArray[np.int32], memoryview]:
    texts = array.cast(pa.string()) if isinstance(array, pa.DictionaryArray) else array
    _, offsets, data = texts.buffers()
    return np.frombuffer(offsets, np.int32, len(texts) + 1), memoryview(data or b"")


def run_digests(folder: RunFolder, plan: Plan, parts: int) -> tuple[str, str | None]:
    """Return `digest` and `digest_turns` of run.json, from the digests stored with the parts."""
    results = hashlib.sha256()
    for table in RESULT_TABLES:
        results.update(_table_digest(folder, table, parts))
    turns = _table_digest(folder, "turns", parts).hex() if plan.log == FULL else None
    return results.hexdigest(), turns


def _table_digest(folder: RunFolder, table: str, parts: int) -> bytes:
    digest = hashlib.sha256()
    for number in range(parts):
        digest.update(stored_digests(folder.file(table, number)))
    return digest.digest()


def stored_digests(file: Path) -> bytes:
    """Return the digests of a part's blocks, joined."""
    return b64decode(pq.read_metadata(file).metadata[b"block_digests"])


def check_digests(path: Path, jobs: int = 1) -> tuple[str, ...]:
    """Return a sentence for each file whose rows are not those that were digested."""
    from joblib import Parallel, delayed

    folder = RunFolder(path)
    record = folder.read()
    parts = range(record.size.parts)
    found = Parallel(jobs, backend="threading", batch_size=1)(
        delayed(_check_part)(folder, record.plan, number) for number in parts
    )
    problems = tuple(problem for of_part in found for problem in of_part)
    if problems:
        return problems
    if (record.digest, record.digest_turns) != run_digests(folder, record.plan, record.size.parts):
        return (f"{path / 'run.json'}: the digest does not match the parts",)
    return ()


def _check_part(folder: RunFolder, plan: Plan, number: int) -> list[str]:
    try:
        rows = {table: _read(folder.file(table, number), table) for table in plan.tables}
        starts = first_games(*(rows["games"][name].to_numpy() for name in ("game", "block")))
        return list(_mismatches(folder, rows, starts, number))
    except (OSError, pa.ArrowException, LookupError, ValueError, TypeError, AttributeError) as error:
        return [f"{part_file_name(number)} cannot be read: {_first_line(error)}"]


def _mismatches(folder: RunFolder, rows: dict[str, pa.Table], starts: Ints, number: int) -> Iterable[str]:
    for table, entries in rows.items():
        file = folder.file(table, number)
        for column in TABLES[table]:
            if column.names and not _words_of(entries[column.name]) <= {*column.names, None}:
                yield f"{file}: {column.name} has words that no log has"
        digests = block_digests(cells_of(table, entries), cuts_between(entries["game"].to_numpy(), starts))
        if digests != stored_digests(file):
            yield f"{file}: the rows are not those that were written"


def _words_of(column: pa.ChunkedArray) -> set[str | None]:
    """Return all words of a column's dictionary; a digest covers the first letters, which tell those of a log apart."""
    return {word for chunk in column.chunks for word in chunk.dictionary.to_pylist()}


def _read(file: Path, table: str) -> pa.Table:
    return pq.read_table(file, use_threads=False, schema=schema_of(table))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
