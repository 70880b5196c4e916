"""A run opened for reading: its plan, its edition, and its tables with names joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.folder import Record, RunFolder
from ttr_sim.run.plan import Plan

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True)
class Run:
    """Tables come as pandas frames, whole or by columns; ids stay, and their names stand behind."""

    folder: RunFolder
    record: Record

    @property
    def path(self) -> Path:
        return self.folder.path

    @property
    def plan(self) -> Plan:
        return self.record.plan

    @cached_property
    def edition(self) -> Edition:
        return load_edition(self.folder.edition)

    def files(self, table: str) -> list[Path]:
        """The Parquet files of a table, of whole parts only."""
        if table not in self.plan.tables:
            raise UserError(f"{self.path} was logged without {table} (--log {self.plan.log})")
        numbers = range(self.record.size.parts)
        return [self.folder.file(table, number) for number in numbers if self.folder.file("games", number).is_file()]

    def games(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        return _frame(self._read("games", columns))

    def seats(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        return _frame(self._read("seats", columns))

    def turns(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """With `route_name` (A-B) and `city_name`."""
        cities = [city.name for city in self.edition.cities]
        routes = [f"{cities[route.a]}-{cities[route.b]}" for route in self.edition.routes]
        rows = _joined(self._read("turns", columns), "route", {"route_name": routes})
        return _frame(_joined(rows, "city", {"city_name": cities}))

    def tickets(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """With `ticket_name` (A-B), its printed `points` and its `deck`."""
        edition = self.edition
        facts: dict[str, list[object]] = {
            "ticket_name": [f"{ticket.a}-{ticket.b}" for ticket in edition.tickets],
            "points": [ticket.points for ticket in edition.tickets],
            "deck": [edition.decks[ticket.deck].name for ticket in edition.tickets],
        }
        return _frame(_joined(self._read("tickets", columns), "ticket", facts))

    def _read(self, table: str, columns: Sequence[str] | None) -> pa.Table:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from ttr_sim.run.tables import schema_of

        known = [column.name for column in TABLES[table]]
        for name in columns or ():
            if name not in known:
                raise UserError(f'{table} has no column "{name}"; its columns are {", ".join(known)}')
        files = self.files(table)
        if not files:
            return schema_of(table).empty_table().select(columns or known)
        parts = [pq.read_table(file, columns=None if columns is None else list(columns)) for file in files]
        return pa.concat_tables(parts).unify_dictionaries()


def open_run(path: str | Path) -> Run:
    folder = RunFolder(Path(path))
    return Run(folder, folder.read())


def _joined(rows: pa.Table, id_column: str, facts: dict[str, list[object]] | dict[str, list[str]]) -> pa.Table:
    """What is known of each id, as further columns; null where the id is."""
    import pyarrow as pa

    if id_column not in rows.column_names:
        return rows
    for name, values in facts.items():
        rows = rows.append_column(name, pa.chunked_array([pa.array(values)]).take(rows[id_column]))
    return rows


def _frame(rows: pa.Table) -> pd.DataFrame:
    """Whole numbers stay whole beside nulls."""
    import pandas as pd
    import pyarrow as pa

    kinds = {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.uint8(): pd.UInt8Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    frame: pd.DataFrame = rows.to_pandas(types_mapper=kinds.get)
    return frame
