"""The tables of a part: the engine's codes with what they mean, and the types they have on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ttr_sim.edition.model import Edition
from ttr_sim.log import TABLES, WILD_LETTER, Column, index_of
from ttr_sim.run.lineups import Ints, Part, Seating

if TYPE_CHECKING:
    from ttr_sim.engine.batch import BatchLog
    from ttr_sim.engine.log_buffers import TableLog

Numbers = NDArray[np.generic]
Codes = NDArray[np.int16]

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


def schema_of(table: str) -> pa.Schema:
    """Arrow schema of a table's columns."""
    columns = TABLES[table]
    return pa.schema([pa.field(column.name, _arrow_type(column), column.nullable) for column in columns])


def _arrow_type(column: Column) -> pa.DataType:
    return ARROW_TYPES.get(column.type) or pa.type_for_alias(column.type)
