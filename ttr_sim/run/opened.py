"""A run as notebooks and the analysis read it: its plan, its edition, and its tables with names joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ttr_sim.edition import load_edition
from ttr_sim.edition.fingerprint import fingerprint_of
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.bounds import refuse_inflated
from ttr_sim.run.fields import field_of
from ttr_sim.run.folder import RunFolder, finished_parts
from ttr_sim.run.plan import Plan
from ttr_sim.run.record import Record

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, repr=False)
class Run:
    """A run's folder, its record, its edition and its finished parts.

    Tables come as pandas frames with all columns or some; ids stay, and their names follow as further columns.
    """

    folder: RunFolder
    record: Record
    edition: Edition
    parts: tuple[int, ...]

    @property
    def path(self) -> Path:
        return self.folder.path

    @property
    def plan(self) -> Plan:
        return self.record.plan

    @property
    def field(self) -> str:
        """Return who sits together: strong, rivals, all, rewards or own."""
        return field_of(self.plan)

    @cached_property
    def games_by_part(self) -> tuple[int, ...]:
        """Return the number of games in each finished part."""
        import pyarrow.parquet as pq

        return tuple(pq.read_metadata(file).num_rows for file in self.files("games"))

    @property
    def finished_games(self) -> int:
        """Return the number of games in all finished parts."""
        return sum(self.games_by_part)

    def files(self, table: str, parts: Sequence[int] | None = None) -> list[Path]:
        """Return the Parquet files of a table, of all finished parts or of these."""
        if table not in self.plan.tables:
            raise UserError(f"{self.path} was logged without {table} (--log {self.plan.log})")
        return [self.folder.file(table, number) for number in (self.parts if parts is None else parts)]

    def check(self) -> None:
        """Check every byte of the finished parts; raise UserError when a file is damaged, foreign or lost."""

        def refuse(note: str) -> NoReturn:
            raise UserError(f"{note} by `{self.folder.resume_command}`")

        finished_parts(self.folder, self.plan, self.record.size.parts, refuse)

    def __repr__(self) -> str:
        facts = self._facts()
        return f"Run of {facts.pop('edition')}: {', '.join(f'{name} {value}' for name, value in facts.items())}"

    def _repr_html_(self) -> str:
        import pandas as pd

        html: str = pd.Series(self._facts()).to_frame().to_html(header=False)
        return html

    def _facts(self) -> dict[str, str]:
        plan = self.plan
        return {
            "edition": self.edition.title,
            "players": str(plan.players),
            "bots": ", ".join(plan.bots),
            "games": self._games_so_far(),
            "seed": str(plan.seed),
            "folder": str(self.path),
        }

    def _games_so_far(self) -> str:
        size = self.record.size
        unfinished = "" if len(self.parts) == size.parts else f" ({len(self.parts)} of {size.parts} parts finished)"
        return f"{size.games:,}{unfinished}"

    def games(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return one row for each game."""
        return _frame(self._read("games", columns))

    def seats(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return one row for each seat of each game."""
        return _frame(self._read("seats", columns))

    def turns(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return one row for each turn, with `route_name` (A-B) and `city_name`."""
        cities = [city.name for city in self.edition.cities]
        routes = [f"{cities[route.a]}-{cities[route.b]}" for route in self.edition.routes]
        rows = _joined(self._read("turns", columns), "route", {"route_name": routes})
        return _frame(_joined(rows, "city", {"city_name": cities}))

    def tickets(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return one row for each ticket offered, with `ticket_name` (A-B), its printed `points` and its `deck`."""
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


def open_run(folder: str | Path, edition: Edition | None = None) -> Run:
    """Open a run's folder; raise UserError when it is not one, or when its edition was lost or changed. An edition that
    is already read is not read again when the run was played on it."""
    at = RunFolder(Path(folder))
    record = at.read()
    if edition is None or edition.fingerprint != record.plan.fingerprint:
        edition = _edition_of(at, record.plan)
    refuse_inflated(at, record.plan, edition)
    return run_in(at, record, edition)


def run_in(folder: RunFolder, record: Record, edition: Edition) -> Run:
    """Return the run as far as it is finished: the games file of a part is written last."""
    parts = tuple(number for number in folder.part_numbers("games") if number < record.size.parts)
    return Run(folder, record, edition, parts)


def _edition_of(folder: RunFolder, plan: Plan) -> Edition:
    try:
        edition = load_edition(folder.edition)
    except UserError as error:
        raise UserError(f"{folder.edition} is missing or damaged: the games cannot be read without it") from error
    if fingerprint_of(edition, plan.schema) != plan.fingerprint:
        raise UserError(f"{folder.edition} was changed since the games were played; they cannot be read against it")
    return edition


def _joined(rows: pa.Table, id_column: str, facts: dict[str, list[object]] | dict[str, list[str]]) -> pa.Table:
    """Append the facts of each id as further columns; null where the id is."""
    import pyarrow as pa

    if id_column not in rows.column_names:
        return rows
    for name, values in facts.items():
        rows = rows.append_column(name, pa.chunked_array([pa.array(values)]).take(rows[id_column]))
    return rows


def _frame(rows: pa.Table) -> pd.DataFrame:
    """Return a frame in which integers stay integers beside nulls."""
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
