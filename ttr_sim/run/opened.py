"""A run and its folder: opened to be read, as notebooks and the analysis do, or claimed to be started or resumed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import files_with, write_folder
from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.bounds import refuse_inflated, rows_and_bytes
from ttr_sim.run.fields import field_of
from ttr_sim.run.folder import (
    BOTS_FOLDER,
    EDITION_FOLDER,
    RUN_FILE,
    DamagedRecordError,
    RunFolder,
    finished_parts,
    sweep,
    versions,
)
from ttr_sim.run.lineups import NOTHING, grown
from ttr_sim.run.plan import Plan, Request
from ttr_sim.run.record import Record

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

OWN_NAMES = {EDITION_FOLDER, BOTS_FOLDER, *TABLES}


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
        return tuple(rows_and_bytes(file)[0] for file in self.files("games"))

    @property
    def finished_games(self) -> int:
        """Return the number of games in all finished parts."""
        return sum(self.games_by_part)

    def first_parts(self, most_games: int) -> Run:
        """Return the run as if only its first parts were there, at least one: for what need not look at all games."""
        within = sum(total <= most_games for total in accumulate(self.games_by_part))
        return replace(self, parts=self.parts[: max(within, 1)])

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
    if edition.fingerprint != plan.fingerprint:
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


@contextmanager
def claimed_folder(request: Request, plan: Plan, path: Path, command: str, games: int | None = None) -> Iterator[Run]:
    """Lock the folder for this plan of the request, or for its first `games`; make it, or check that it holds a run of
    the same plan."""
    _refuse_other_uses(path)
    folder = RunFolder(path)
    with _disk_errors_explained(folder):
        path.mkdir(parents=True, exist_ok=True)
        with folder.locked():
            record = _record_of_same_plan(folder, plan) or _new_record(
                folder, request, plan, command, games or plan.games
            )
            edition = request.edition if _holds_edition(folder, request) else load_edition(folder.edition)
            yield _prepared(folder, record, edition)


@contextmanager
def opened_folder(path: Path) -> Iterator[Run]:
    """Lock the folder of an earlier run."""
    folder = RunFolder(path)
    folder.read()
    with _disk_errors_explained(folder), folder.locked():
        yield _prepared(folder, folder.read(), load_edition(folder.edition))


@contextmanager
def _disk_errors_explained(folder: RunFolder) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise folder.trouble(error) from None


def _refuse_other_uses(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file; name a folder with --out")
    if path.is_dir() and not (path / RUN_FILE).exists():
        strangers = {entry.name for entry in path.iterdir() if not entry.name.startswith(".")} - OWN_NAMES
        if strangers:
            raise UserError(f"{path} is not empty and not a run; name another folder with --out")


def _record_of_same_plan(folder: RunFolder, plan: Plan) -> Record | None:
    """Return None when there is no readable record; each part must then still prove that it is the plan's."""
    if not (folder.path / RUN_FILE).is_file():
        return None
    try:
        record = folder.read()
    except DamagedRecordError:
        return None
    if record.plan != plan:
        raise UserError(
            f"{folder.path} holds another run ({_differences(record.plan, plan)}); "
            "choose another folder with --out, or omit --out"
        )
    return record


def _differences(there: Plan, wanted: Plan) -> str:
    names = [field.name for field in fields(Plan) if getattr(there, field.name) != getattr(wanted, field.name)]
    return "; ".join(f"{name} {_short(getattr(there, name))}, not {_short(getattr(wanted, name))}" for name in names)


def _short(value: object) -> str:
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else f"{text[:8]}..."


def _new_record(folder: RunFolder, request: Request, plan: Plan, command: str, games: int) -> Record:
    if not folder.edition.exists():  # an edition that is already there may be the user's own work
        copy_edition(request, folder)
    copy_bots(plan, folder)
    record = Record(plan, (grown(plan, NOTHING, games),), request.settings, command, versions())
    folder.write(record)
    return record


def copy_edition(request: Request, folder: RunFolder) -> None:
    """Copy beside and rename: the folder is complete or absent."""
    unfinished = folder.edition.with_name(f".{folder.edition.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    write_folder(request.edition, unfinished, request.settings)
    unfinished.rename(folder.edition)


def copy_bots(plan: Plan, folder: RunFolder) -> None:
    """Keep the user's bots with the run."""
    from ttr_sim.bots.api import parse_spec

    specs = map(parse_spec, plan.bots)
    files = dict.fromkeys(Path(spec.file).resolve() for spec in specs if spec.file is not None)
    names = [file.name for file in files]
    for file in files:
        if names.count(file.name) > 1:
            raise UserError(f"two files of bots are called {file.name}; give one of them another name")
        folder.bots.mkdir(exist_ok=True)
        shutil.copyfile(file, folder.bots / file.name)


def _holds_edition(folder: RunFolder, request: Request) -> bool:
    """Return whether the folder's edition is the request's, byte for byte, and need not be read again."""
    files = files_with(request.edition, request.settings)
    return all(_bytes_of(folder.edition / name) == data for name, data in files.items())


def _bytes_of(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def _prepared(folder: RunFolder, record: Record, edition: Edition) -> Run:
    if edition.fingerprint != record.plan.fingerprint:
        raise UserError(
            f"{folder.edition} is not the edition of this run's plan (was it edited?); put it back, or start a new run"
        )
    sweep(folder)
    for table in record.plan.tables:
        (folder.path / table).mkdir(exist_ok=True)
    return run_in(folder, record, edition)
