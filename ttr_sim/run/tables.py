"""From the engine's codes to typed Arrow tables, without a Python object per row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ttr_sim.edition.model import Edition
from ttr_sim.log import NULL, SCHEMA, TABLES, WILD_LETTER, Column, columns_of, index_of
from ttr_sim.run.lineups import Ints, Part, Seating

if TYPE_CHECKING:
    from ttr_sim.engine.batch import BatchLog
    from ttr_sim.engine.pages import TableLog

Numbers = NDArray[np.generic]
Codes = NDArray[np.int16]
Text = tuple[NDArray[np.int32], NDArray[np.uint8]]

WORDS = pa.dictionary(pa.int8(), pa.string())
ARROW_TYPES = {"name": WORDS, "letter": WORDS, "text": pa.string(), "bool": pa.bool_()}


@dataclass(frozen=True, slots=True)
class Words:
    """What the engine's codes for bots and letters mean."""

    bots: Sequence[str]
    letters: Sequence[str]

    @classmethod
    def of(cls, bots: Sequence[str], edition: Edition) -> Words:
        return cls(bots, [*(color.letter for color in edition.colors), WILD_LETTER])

    def behind(self, column: Column) -> Sequence[str]:
        return column.names or (self.letters if column.type == "letter" else self.bots)

    def indices(self, column: Column, codes: Codes) -> Codes:
        """Return indices of words; the engine's code for wilds comes after room for more colors than an edition has."""
        if column.type != "letter":
            return codes
        return np.minimum(codes, np.full_like(codes, len(self.letters) - 1))  # numpy is fast with two arrays only


@dataclass(frozen=True, slots=True)
class Entries:
    """One table of a part: the engine's columns, and those that its host fills in."""

    columns: tuple[Column, ...]
    log: TableLog
    host: dict[str, Numbers]

    def host_ids(self, name: str) -> Ints:
        return self.host[name].astype(np.int64, copy=False)


def entries_by_table(log: BatchLog, part: Part, seating: Seating) -> dict[str, Entries]:
    host: dict[str, dict[str, Numbers]] = {
        table: {"game": part.first_game + entries.numbers[0].astype(np.int64)} for table, entries in log.tables.items()
    }
    host["games"] |= {"deal": seating.deals, "block": seating.deals}
    host["seats"]["win_share"] = win_shares(log.tables["seats"].numbers[index_of("seats", "rank")], seating)
    return {table: Entries(TABLES[table], entries, host[table]) for table, entries in log.tables.items()}


def win_shares(ranks: NDArray[np.int16], seating: Seating) -> NDArray[np.float64]:
    """Return 1 / number of winners for a winner, else 0; ranks are in the order of games."""
    won = (ranks == 1).reshape(seating.bots.shape)
    shares: NDArray[np.float64] = won / np.maximum(1, won.sum(axis=1, keepdims=True))  # a wrong rule may name no winner
    return shares.ravel()


def schema_of(table: str, schema: int = SCHEMA) -> pa.Schema:
    """Return the Arrow schema that the columns ask for, in a log of this schema."""
    columns = columns_of(table, schema)
    return pa.schema([pa.field(column.name, _arrow_type(column), column.nullable) for column in columns])


def arrow_table(table: str, entries: Entries, words: Words) -> pa.Table:
    arrays = []
    for column, codes in zip(entries.columns, entries.log.numbers, strict=True):
        if column.name in entries.host:
            arrays.append(_number_array(entries.host[column.name], None, _arrow_type(column)))
        elif column.type == "text":
            arrays.append(_text_array(entries.log.texts[column.name], _validity(codes)))
        elif column.type in {"name", "letter"}:
            arrays.append(_word_array(words.indices(column, codes), words.behind(column)))
        else:
            arrays.append(_number_array(codes, _validity(codes), _arrow_type(column)))
    return pa.Table.from_arrays(arrays, schema=schema_of(table))


def _arrow_type(column: Column) -> pa.DataType:
    return ARROW_TYPES.get(column.type) or pa.type_for_alias(column.type)


def _validity(codes: Codes) -> pa.Buffer | None:
    valid = codes != NULL
    return None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))


def _number_array(values: Numbers, validity: pa.Buffer | None, kind: pa.DataType) -> pa.Array:
    if kind == pa.bool_():
        data = np.packbits(values == 1, bitorder="little")
    else:
        data = np.ascontiguousarray(values, kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(values), [validity, pa.py_buffer(data)])


def _word_array(indices: Codes, words: Sequence[str]) -> pa.Array:
    """Return a dictionary array; its words must all differ, or Parquet would write them out one by one."""
    numbers = _number_array(indices.astype(np.int8), _validity(indices), pa.int8())
    return pa.DictionaryArray.from_arrays(numbers, pa.array(words, pa.string()), safe=False)


def _text_array(text: Text, validity: pa.Buffer | None) -> pa.Array:
    offsets, data = text
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data), validity)
