"""Tables of a part as Arrow, Parquet and digests."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ttr_sim.edition.model import Edition
from ttr_sim.log import NULL, TABLES, WILD_LETTER, index_of
from ttr_sim.run.lineups import Part, Seating, distinct_bots
from ttr_sim.run.plan import Plan

if TYPE_CHECKING:
    from ttr_sim.engine.play import BatchLog

WORD_TYPE = pa.dictionary(pa.int8(), pa.string())
ARROW_TYPES = {"name": WORD_TYPE, "letter": WORD_TYPE, "text": pa.string(), "bool": pa.bool_()}
# Their bounds in the footer let readers skip parts.
IDS = ("game", "deal", "block")
COMPRESSION = "zstd"


def schema_of(table: str) -> pa.Schema:
    kinds = [(column, ARROW_TYPES.get(column.type) or pa.type_for_alias(column.type)) for column in TABLES[table]]
    return pa.schema([pa.field(column.name, kind, column.nullable) for column, kind in kinds])


def part_rows(log: BatchLog, part: Part, seating: Seating, plan: Plan, edition: Edition) -> dict[str, pa.Table]:
    """Build all tables, adding columns unknown to the engine."""
    words = {"letter": [*(color.letter for color in edition.colors), WILD_LETTER], "name": list(distinct_bots(plan))}
    won = (log.tables["seats"].numbers[index_of("seats", "rank")] == 1).reshape(seating.bots.shape)
    # A wrong rule may name no winner.
    win_shares = (won / np.maximum(1, won.sum(axis=1, keepdims=True))).ravel()
    known: dict[str, Any] = {"deal": seating.deals, "block": seating.deals, "win_share": win_shares}
    rows = {}
    for table in plan.tables:
        found, arrays = log.tables[table], []
        for column, codes in zip(TABLES[table], found.numbers, strict=True):
            missing = codes == NULL if column.nullable else None
            if column.name == "game":
                values = pa.array(codes.astype(np.int64) + part.first_game)
            elif column.name in known:
                values = pa.array(known[column.name])
            elif column.name in found.texts:
                offsets, letters = found.texts[column.name]
                present = None if missing is None else pa.py_buffer(np.packbits(~missing, bitorder="little"))
                buffers = pa.py_buffer(offsets), pa.py_buffer(letters), present
                values = pa.StringArray.from_buffers(len(codes), *buffers)
            elif column.type in {"name", "letter"}:
                named = column.names or words[column.type]
                # The engine's code for wilds comes after room for more colors than an edition has.
                indices = pa.array(np.minimum(codes, len(named) - 1).astype(np.int8), mask=missing)
                values = pa.DictionaryArray.from_arrays(indices, pa.array(named, pa.string()))
            elif column.type == "bool":
                values = pa.array(codes == 1, mask=missing)
            else:
                values = pa.array(codes.astype(column.type), mask=missing)
            arrays.append(values)
        rows[table] = pa.Table.from_arrays(arrays, schema=schema_of(table))
    return rows


def parquet_bytes(table: str, rows: pa.Table, metadata: dict[str, str]) -> bytes:
    """Encode a table as Parquet with one row group."""
    coded = [column.name for column in TABLES[table] if column.type in {"name", "letter", "text"}]
    bounded = [column.name for column in TABLES[table] if column.name in IDS]
    sink = pa.BufferOutputStream()
    pq.write_table(
        rows.replace_schema_metadata(metadata),
        sink,
        row_group_size=max(1, len(rows)),
        compression=COMPRESSION,
        use_dictionary=coded,
        write_statistics=bounded,
    )
    return bytes(sink.getvalue())


def table_digest(table: str, rows: pa.Table) -> str:
    """SHA-256 over the decoded columns in order, by the bytes that docs/runs.md describes."""
    digest = hashlib.sha256()
    for column in TABLES[table]:
        values = rows[column.name].combine_chunks()
        if column.type == "text" or (column.type == "name" and not column.names):
            texts = values.cast(pa.string())
            digest.update(pc.binary_length(texts).fill_null(-1).to_numpy().astype("<i4").tobytes())
            whole = pa.concat_arrays([texts.fill_null(""), pa.array([], pa.string())])  # without an offset
            _, offsets, data = whole.buffers()
            if data is not None and len(whole):
                ends = np.frombuffer(offsets, np.int32, len(whole) + 1)
                digest.update(data.to_pybytes()[ends[0] : ends[-1]])
        elif column.type in {"name", "letter"}:
            words = values.dictionary.to_pylist()
            codes = [column.names.index(word) if column.names else ord(word) for word in words]
            kind = "<i2" if column.names else "<i4"
            cells = np.array(codes or [0], kind)[values.indices.fill_null(0).to_numpy()]
            cells[values.is_null().to_numpy(zero_copy_only=False)] = np.iinfo(kind).min
            digest.update(cells.tobytes())
        else:
            # Whole numbers of up to two bytes share a width; a null is its lowest number, which no column holds.
            kind = {"int32": "<i4", "int64": "<i8", "float64": "<f8"}.get(column.type, "<i2")
            wide = values.cast(pa.int8()) if column.type == "bool" else values
            wide = wide.cast(pa.from_numpy_dtype(kind))
            if values.null_count:
                wide = wide.fill_null(np.iinfo(kind).min)
            digest.update(wide.to_numpy().astype(kind).tobytes())
    return digest.hexdigest()
