"""A run opened to be read and checked: its tables as frames, its files, plan and bot files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim.edition import load_edition
from ttr_sim.edition.limits import MAX_OFFER
from ttr_sim.edition.model import Edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.errors import UserError
from ttr_sim.files import cache_root
from ttr_sim.log import TABLES
from ttr_sim.run.folder import BrokenFileError, RunFolder, bot_files, checksum, read_metadata, rows_digest
from ttr_sim.run.lineups import Part, distinct_bots, field_of, parts_of, seat_blocks, size_of
from ttr_sim.run.plan import Plan
from ttr_sim.run.record import Record
from ttr_sim.run.tables import schema_of

if TYPE_CHECKING:
    import pandas as pd

SHOWN_DIGITS = 16
MOST_FILE_BYTES = 1_000_000_000
MOST_UNPACKED_BYTES = 4_000_000_000
SPARE_BYTES, BYTES_A_ROW = 64_000_000, 1_000  # unpacked; a usual row has about 60


class Discrepancy(NamedTuple):
    game: int | None
    message: str


@dataclass(frozen=True, repr=False)
class Run:
    """A run's folder, record, edition and finished parts, with its tables as pandas frames."""

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
        """The field: strong, rivals, all, rewards or own."""
        return field_of(self.plan)

    @cached_property
    def games_by_part(self) -> tuple[int, ...]:
        return tuple(pq.read_metadata(file).num_rows for file in self.files("games"))

    @property
    def finished_games(self) -> int:
        return sum(self.games_by_part)

    def first_parts(self, most_games: int) -> Run:
        """Restrict the run to its first parts, at least one."""
        within = sum(total <= most_games for total in accumulate(self.games_by_part))
        return replace(self, parts=self.parts[: max(within, 1)])

    def files(self, table: str, parts: Sequence[int] | None = None) -> list[Path]:
        """Parquet files of a table, of all finished parts or of these."""
        if table not in self.plan.tables:
            raise UserError(f"{self.path} was logged without {table} (--log {self.plan.log})")
        return [self.folder.file(table, number) for number in (self.parts if parts is None else parts)]

    def check(self) -> None:
        """Refuse damaged, missing and strange parts."""
        notes = list[str]()
        self.folder.finished_parts(self.record, notes.append)
        if notes:
            raise UserError(f"{notes[0]} by `{self.folder.resume_command}`")

    def __repr__(self) -> str:
        facts = [f"{name} {value}" for name, value in self.facts.items() if name != "edition"]
        return f"Run of {self.edition.title}: {', '.join(facts)}"

    def _repr_html_(self) -> str:
        import pandas as pd

        return str(pd.Series(self.facts).to_frame().to_html(header=False))

    @property
    def facts(self) -> dict[str, str]:
        plan, size = self.plan, self.record.size
        unfinished = "" if len(self.parts) == size.parts else f" ({len(self.parts)} of {size.parts} parts finished)"
        return {
            "edition": self.edition.title,
            "players": str(plan.players),
            "bots": ", ".join(plan.bots),
            "games": f"{size.games:,}{unfinished}",
            "seed": str(plan.seed),
            "folder": str(self.path),
        }

    def games(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """One row for each game."""
        return self._frame("games", columns)

    def seats(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """One row for each seat of each game."""
        return self._frame("seats", columns)

    def turns(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """One row for each turn, with `route_name` (A-B) and `city_name`."""
        cities = [city.name for city in self.edition.cities]
        routes = [f"{cities[route.a]}-{cities[route.b]}" for route in self.edition.routes]
        return self._frame("turns", columns, {"route": {"route_name": routes}, "city": {"city_name": cities}})

    def tickets(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """One row for each ticket offered, with `ticket_name` (A-B), its printed `points` and its `deck`."""
        edition = self.edition
        facts: dict[str, list[Any]] = {
            "ticket_name": [f"{ticket.a}-{ticket.b}" for ticket in edition.tickets],
            "points": [ticket.points for ticket in edition.tickets],
            "deck": [edition.decks[ticket.deck].name for ticket in edition.tickets],
        }
        return self._frame("tickets", columns, {"ticket": facts})

    def _frame(
        self, table: str, columns: Sequence[str] | None, facts: Mapping[str, Mapping[str, list[Any]]] | None = None
    ) -> pd.DataFrame:
        """The rows in pandas, with nullable integers, and the facts of each id as further columns."""
        import pandas as pd

        known = [column.name for column in TABLES[table]]
        chosen = list(columns or known)
        for name in chosen:
            if name not in known:
                raise UserError(f'{table} has no column "{name}"; its columns are {", ".join(known)}')
        parts = [pq.read_table(file, columns=chosen) for file in self.files(table)]
        empty = schema_of(table).empty_table().select(chosen)
        rows = pa.concat_tables([empty, *parts]).unify_dictionaries()
        for column, facts_of_id in (facts or {}).items():
            for name, values in facts_of_id.items():
                if column in chosen:
                    rows = rows.append_column(name, pa.chunked_array([pa.array(values)]).take(rows[column]))
        kinds = {
            pa.int8(): pd.Int8Dtype(),
            pa.int16(): pd.Int16Dtype(),
            pa.int64(): pd.Int64Dtype(),
            pa.uint8(): pd.UInt8Dtype(),
            pa.bool_(): pd.BooleanDtype(),
        }
        return cast("pd.DataFrame", rows.to_pandas(types_mapper=kinds.get))


def open_run(folder: str | Path, edition: Edition | None = None) -> Run:
    """Open a run, reusing a matching loaded edition."""
    at = RunFolder(Path(folder))
    record = at.read()
    if edition is None or edition.fingerprint != record.plan.fingerprint:
        try:
            edition = load_edition(at.edition)
        except UserError as error:
            raise UserError(f"{at.edition} is missing or damaged: the games cannot be read without it") from error
    run = run_in(at, record, edition)
    refuse_inflated_parts(run)
    return run


def run_in(folder: RunFolder, record: Record, edition: Edition) -> Run:
    if edition.fingerprint != record.plan.fingerprint:
        raise UserError(
            f"{folder.edition} is not the edition of this run's plan (was it edited?); put it back, or start a new run"
        )
    parts = tuple(number for number in folder.part_numbers("games") if number < record.size.parts)
    return Run(folder, record, edition, parts)


def refuse_inflated_parts(run: Run) -> None:
    """Refuse parts by size and footer before they are read: a file of kilobytes may unpack to gigabytes."""
    plan = run.plan
    games = (plan.part_size + 1) * plan.players  # a block has at most one for each seat
    turns = games * plan.players * run.edition.max_turns
    # Offered, and completed ones replaced.
    tickets = (turns + games * plan.players) * 2 * MAX_OFFER
    most = {"games": games, "seats": games * plan.players, "turns": turns, "tickets": tickets}
    for table in plan.tables:
        for number in run.folder.part_numbers(table):
            file = run.folder.file(table, number)
            refuse, size = f"{file} is no part of this run: it ", file.stat().st_size
            if size > MOST_FILE_BYTES:
                raise UserError(f"{refuse}has {size:,} bytes")
            try:
                footer = pq.read_metadata(file)
            except (OSError, pa.ArrowException):
                continue
            rows = footer.num_rows
            unpacked = sum(footer.row_group(group).total_byte_size for group in range(footer.num_row_groups))
            if rows > most[table]:
                raise UserError(f"{refuse}has {rows:,} rows, more than its games can")
            if unpacked > min(SPARE_BYTES + BYTES_A_ROW * rows, MOST_UNPACKED_BYTES):
                raise UserError(f"{refuse}unpacks to {unpacked:,} bytes")


def check_files(run: Run, jobs: int) -> tuple[str, ...]:
    """Compare all files with run.json, and their decoded rows with the digests."""
    from joblib import Parallel, delayed

    missing: list[str] = []
    try:
        run.folder.finished_parts(run.record, missing.append)
    except UserError as error:
        return (str(error),)
    if missing:
        return tuple(missing)

    def check_rows(file: Path) -> str:
        try:
            if rows_digest(file.parent.name, file.read_bytes()) != read_metadata(file)["digest"]:
                return f"{file}: the rows are not those that were written"
        except (BrokenFileError, OSError, KeyError) as error:
            return f"{file} cannot be read: {error}"
        return ""

    files = [file for table in run.plan.tables for file in run.files(table, range(run.record.size.parts))]
    checked = Parallel(jobs, backend="threading", batch_size=1)(delayed(check_rows)(file) for file in files)
    problems = tuple(problem for problem in checked if problem)
    if not problems and run.folder.digests(run.record) != (run.record.digest, run.record.digest_turns):
        return (f"{run.path / 'run.json'}: the digest does not match the parts",)
    return problems


def check_plan(run: Run) -> list[Discrepancy]:
    """Compare the record, the edition and every part's games, seats and lineups with the plan."""
    # No rule of the game notices a block that was left out, doubled or replaced.
    plan, size = run.plan, run.record.size
    found = []
    # A run may have grown, but it is never smaller than its plan.
    if size.games < plan.games or size != size_of(plan, run.record.requested_games):
        found.append(f"run.json names {size.games:,} games in {size.blocks:,} blocks, not those of its plan")
    if plan.edition != run.edition.name:
        found.append(f"run.json names the edition {plan.edition}, but the folder's edition is {run.edition.name}")
    if load_edition(run.folder.edition, overrides_of(run.record.settings)).fingerprint != run.edition.fingerprint:
        found.append("the folder's edition was not played with the --set values that run.json names")
    if found:
        return [Discrepancy(None, message) for message in found]
    return [problem for part in parts_of(plan, size) for problem in part_problems(run, part)]


def part_problems(run: Run, part: Part) -> Iterator[Discrepancy]:
    """Compare the rows of a part with its share of the plan."""
    players = run.plan.players
    seating = seat_blocks(run.plan, part.first_block, part.blocks)
    games = pq.read_table(run.folder.file("games", part.number), columns=["game", "deal", "block", "players"])
    seats = pq.read_table(run.folder.file("seats", part.number), columns=["game", "seat", "bot"])
    numbers = part.first_game + np.arange(part.games)
    names = np.array(distinct_bots(run.plan), object)[seating.bots].ravel()
    expected = (
        ("games.game", games["game"], numbers),
        ("games.deal", games["deal"], seating.deals),
        ("games.block", games["block"], seating.deals),
        ("games.players", games["players"], np.full(part.games, players)),
        ("seats.game", seats["game"], np.repeat(numbers, players)),
        ("seats.seat", seats["seat"], np.tile(np.arange(players), part.games)),
        ("seats.bot", seats["bot"].cast(pa.string()), names),
    )
    for column, stored, wanted in expected:
        if len(stored) != len(wanted):
            message = f"{column} has {len(stored):,} rows in this part where the plan has {len(wanted):,}"
            yield Discrepancy(part.first_game, message)
            continue
        values = stored.to_numpy()
        differs = np.flatnonzero(values != wanted)
        if len(differs):
            row, rest = int(differs[0]), f"{len(differs):,} rows of its part differ"
            message = f"{column} is {values[row]} where the plan has {wanted[row]} ({rest})"
            yield Discrepancy(part.first_game + row // (players if column.startswith("seats") else 1), message)
    wanted_cut = {"first_block": part.first_block, "first_game": part.first_game, "games": part.games}
    for table in run.plan.tables:
        file = run.folder.file(table, part.number)
        metadata = read_metadata(file)
        if any(metadata.get(name) != str(value) for name, value in wanted_cut.items()):
            yield Discrepancy(part.first_game, f"{file} holds other blocks than its part of the plan")


def are_bots_unchanged(run: Run) -> bool:
    from ttr_sim.bots.loading import fingerprint_of_bots

    return fingerprint_of_bots(distinct_bots(run.plan), run.edition, run.folder.bots) == run.plan.tuning


def mark_as_own(run: Run) -> None:
    """Mark the run as started by this user, if the cache can be written."""
    with suppress(OSError):
        _mark(run).parent.mkdir(parents=True, exist_ok=True)
        _mark(run).touch()


def is_own(run: Run) -> bool:
    """Whether this user started the run: it was not copied, downloaded or moved."""
    return _mark(run).is_file()


def _mark(run: Run) -> Path:
    """File in the user's cache, named by the folder's path and the bots' hash."""
    name = hashlib.sha256(f"{run.path.resolve()}\0{run.plan.tuning}".encode()).hexdigest()
    return cache_root() / "own-runs" / name


def refuse_foreign_bots(run: Run, allow: Callable[[str], bool]) -> None:
    """Refuse bot files of a run that this user did not start, unless allowed after seeing them."""
    files = bot_files(run.plan, run.folder.bots)
    shown = ", ".join(f"{file.name} (SHA-256 {checksum(file.read_bytes())[:SHOWN_DIGITS]}...)" for file in files)
    if files and not is_own(run) and not allow(shown):
        raise UserError(
            f"resuming {run.path} would run bot files that came with it: {shown}; "
            "read them, and if you trust them, add --trust-bots"
        )
