"""Check a finished run against its plan, and bot files against the user that would run them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim.bots.loading import fingerprint_of_bots
from ttr_sim.edition import load_edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.errors import UserError
from ttr_sim.files import cache_root
from ttr_sim.run.folder import BrokenFileError, bot_files, checksum, read_metadata, rows_digest
from ttr_sim.run.lineups import Part, distinct_bots, parts_of, seat_blocks, size_of
from ttr_sim.run.read import Run

# Receives the bot files with their hashes, and says whether they may run.
Allow = Callable[[str], bool]
MARKS = "own-runs"
SHOWN_DIGITS = 16


class Discrepancy(NamedTuple):
    game: int | None
    message: str


def check_files(run: Run, jobs: int) -> tuple[str, ...]:
    from joblib import Parallel, delayed

    missing: list[str] = []
    try:
        run.folder.finished_parts(run.record, missing.append)
    except UserError as error:
        return (str(error),)
    if missing:
        return tuple(missing)

    def check_rows(number: int) -> list[str]:
        problems = []
        for table in run.plan.tables:
            file = run.folder.file(table, number)
            try:
                if rows_digest(table, file.read_bytes()) != read_metadata(file)["digest"]:
                    problems.append(f"{file}: the rows are not those that were written")
            except (BrokenFileError, OSError, KeyError) as error:
                problems.append(f"{file} cannot be read: {error}")
        return problems

    parts = range(run.record.size.parts)
    decoded = Parallel(jobs, backend="threading", batch_size=1)(delayed(check_rows)(number) for number in parts)
    problems = tuple(problem for of_part in decoded for problem in of_part)
    if not problems and run.folder.digests(run.record) != (run.record.digest, run.record.digest_turns):
        return (f"{run.path / 'run.json'}: the digest does not match the parts",)
    return problems


def check_plan(run: Run) -> list[Discrepancy]:
    """Compare the record, the edition and every part's games, seats and lineups with the plan.

    No rule of the game notices a block that was left out, doubled or replaced.
    """
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
    return [problem for part in parts_of(plan, size) for problem in _part_problems(run, part)]


def _part_problems(run: Run, part: Part) -> Iterator[Discrepancy]:
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
    bots = distinct_bots(run.plan)
    return fingerprint_of_bots(bots, run.edition, run.folder.bots) == run.plan.tuning


def mark_as_own(run: Run) -> None:
    """Mark the run as started by this user, if the cache can be written."""
    mark = _mark(run)
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def is_own(run: Run) -> bool:
    """Whether this user started the run: it was not copied, downloaded or moved."""
    return _mark(run).is_file()


def refuse_foreign_bots(run: Run, allow: Allow) -> None:
    """Refuse bot files of a run that this user did not start, unless allowed."""
    files = bot_files(run.plan, run.folder.bots)
    shown = ", ".join(f"{file.name} (SHA-256 {checksum(file.read_bytes())[:SHOWN_DIGITS]}...)" for file in files)
    if files and not is_own(run) and not allow(shown):
        raise UserError(
            f"resuming {run.path} would run bot files that came with it: {shown}; "
            "read them, and if you trust them, add --trust-bots"
        )


def _mark(run: Run) -> Path:
    """File in the user's cache, named by the folder's path and the bots' hash."""
    name = hashlib.sha256(f"{run.path.resolve()}\0{run.plan.tuning}".encode()).hexdigest()
    return cache_root() / MARKS / name
