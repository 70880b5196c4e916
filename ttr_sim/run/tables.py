"""From the engine's codes to typed Arrow tables, without a Python object per row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ttr_sim.edition.limits import MAX_COLORS
from ttr_sim.edition.model import Edition
from ttr_sim.log import NULL, TABLES, WILD_LETTER, Column, index_of
from ttr_sim.run.lineups import Seating
from ttr_sim.run.parts import Part

if TYPE_CHECKING:
    from ttr_sim.engine.batch import BatchLog, TableLog

WORDS = pa.dictionary(pa.int8(), pa.string())
ARROW_TYPES = {"name": WORDS, "letter": WORDS, "text": pa.string(), "bool": pa.bool_()}
HOST_COLUMNS = {"games": ("game", "deal", "block"), "seats": ("game", "win_share")}


def schema_of(table: str) -> pa.Schema:
    return pa.schema([pa.field(column.name, _arrow_type(column), column.nullable) for column in TABLES[table]])


def _arrow_type(column: Column) -> pa.DataType:
    return ARROW_TYPES.get(column.type) or pa.type_for_alias(column.type)


def letters_of(edition: Edition) -> tuple[str, ...]:
    """By the engine's color number; the wilds stand behind room for all other colors."""
    letters = [color.letter for color in edition.colors]
    return (*letters, *[""] * (MAX_COLORS - len(letters)), WILD_LETTER)


def arrow_tables(
    log: BatchLog, part: Part, seating: Seating, names: Sequence[str], letters: Sequence[str]
) -> dict[str, pa.Table]:
    """All tables of a part; `names` are the distinct bots."""
    words = {"name": names, "letter": letters}
    return {
        table: _arrow_table(table, entries, _host_columns(table, entries, part, seating), words)
        for table, entries in log.tables.items()
    }


def _host_columns(table: str, log: TableLog, part: Part, seating: Seating) -> dict[str, NDArray[np.generic]]:
    """The columns that the engine leaves to its host."""
    columns: dict[str, NDArray[np.generic]] = {"game": part.first_game + log.numbers[0].astype(np.int64)}
    if table == "games":
        columns |= {"deal": seating.deals, "block": seating.deals}
    if table == "seats":
        columns["win_share"] = win_shares(log.numbers[index_of("seats", "rank")], players=seating.bots.shape[1])
    return columns


def win_shares(ranks: NDArray[np.int16], players: int) -> NDArray[np.float64]:
    """1 / number of winners for a winner, else 0; ranks stand game by game."""
    won = (ranks == 1).reshape(-1, players)
    shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
    return shares.ravel()


def _arrow_table(
    table: str, log: TableLog, host: dict[str, NDArray[np.generic]], words: dict[str, Sequence[str]]
) -> pa.Table:
    arrays = []
    for codes, column in zip(log.numbers, TABLES[table], strict=True):
        if column.name in host:
            arrays.append(_numbers(host[column.name], None, _arrow_type(column)))
        elif column.type == "text":
            arrays.append(_texts(*log.texts[column.name], _validity(codes)))
        elif column.type in words:
            arrays.append(_words(codes, column.names or words[column.type]))
        else:
            arrays.append(_numbers(codes, _validity(codes), _arrow_type(column)))
    return pa.Table.from_arrays(arrays, schema=schema_of(table))


def _validity(codes: NDArray[np.int16]) -> pa.Buffer | None:
    valid = codes != NULL
    return None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))


def _numbers(values: NDArray[np.generic], validity: pa.Buffer | None, kind: pa.DataType) -> pa.Array:
    if kind == pa.bool_():
        data = np.packbits(values == 1, bitorder="little")
    else:
        data = np.ascontiguousarray(values, kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(values), [validity, pa.py_buffer(data)])


def _words(codes: NDArray[np.int16], words: Sequence[str]) -> pa.Array:
    indices = _numbers(codes.astype(np.int8), _validity(codes), pa.int8())
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()), safe=False)


def _texts(offsets: NDArray[np.int32], data: NDArray[np.uint8], validity: pa.Buffer | None) -> pa.Array:
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data), validity)
