"""Verify that a run is its plan carried out: complete, nothing foreign, every block as the plan draws it.

No rule of the game notices a block that was left out, doubled or replaced. But a log is a pure function of its plan, so
some blocks, or all, are played again and their digests compared with the stored ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import pairwise
from random import SystemRandom
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ttr_sim.bots import LoadedBots
from ttr_sim.bots.specs import parse_spec
from ttr_sim.edition import load_edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.engine.jit import SOURCE_HASH
from ttr_sim.errors import Interrupted, UserError
from ttr_sim.run.backends import Backend, ThisMachine, Trouble, Work
from ttr_sim.run.control import Controls, Silence, watch_over
from ttr_sim.run.digest import check_digests, entries_digests, stored_digests
from ttr_sim.run.folder import finished_parts, read_metadata
from ttr_sim.run.lineups import NOTHING, Part, distinct_bots, games_by_block, grown, parts_of, seat_blocks
from ttr_sim.run.opened import Run
from ttr_sim.run.plan import SLOW_PART_SIZE
from ttr_sim.run.play import describe_hang, doubts_about, load_game, play
from ttr_sim.run.sha256 import DIGEST_BYTES
from ttr_sim.run.tables import Entries, Words
from ttr_sim.run.trust import are_bots_unchanged

SAMPLED_BLOCKS = 40
SAMPLED_SLOW_BLOCKS = 2
BLOCKS_AT_A_TIME = 100  # played again in one call, so that Ctrl-C is heard


class Discrepancy(NamedTuple):
    """Something that is not as the plan has it; `game` is the first game concerned, where there is one."""

    rule: str  # "plan" or "replay"
    game: int | None
    message: str


class Replayed(NamedTuple):
    """How many blocks were played again, what differed, and why not more where the user would expect more."""

    blocks: int
    found: list[Discrepancy]
    note: str | None = None


class Stretch(NamedTuple):
    """Consecutive blocks of a part, to be played again."""

    part: Part
    blocks: Part


class Again(NamedTuple):
    """Blocks played again, and what differs."""

    blocks: Part
    found: list[Discrepancy]


def check_plan(run: Run) -> list[Discrepancy]:
    """Compare the record, the edition and every part's games, seats and lineups with the plan."""
    found = [Discrepancy("plan", None, message) for message in _record_problems(run)]
    return found or [problem for part in _parts(run) for problem in _part_problems(run, part)]


def _parts(run: Run) -> Iterator[Part]:
    return parts_of(run.plan, run.record.stages)


def check_files(run: Run, jobs: int) -> tuple[str, ...]:
    """Check seals, strangers and digests; return a sentence for each problem."""
    missing: list[str] = []
    try:
        finished_parts(run.folder, run.plan, run.record.size.parts, missing.append)
    except UserError as error:
        return (str(error),)
    return tuple(missing) or check_digests(run.path, jobs)


def _record_problems(run: Run) -> Iterator[str]:
    plan, record = run.plan, run.record
    for before, stage in pairwise((NOTHING, *record.stages)):
        if stage != grown(plan, before, stage.games if record.has_grown else plan.games):
            yield f"run.json names {stage.games:,} games in {stage.blocks:,} blocks, not those of its plan"
    if plan.edition != run.edition.name:
        yield f"run.json names the edition {plan.edition}, but the folder's edition is {run.edition.name}"
    if load_edition(run.folder.edition, overrides_of(record.settings)).fingerprint != run.edition.fingerprint:
        yield "the folder's edition was not played with the --set values that run.json names"


def _part_problems(run: Run, part: Part) -> Iterator[Discrepancy]:
    """Yield what is wrong about who sat where in a part."""
    seating = seat_blocks(run.plan, part.first_block, part.blocks)
    games = pq.read_table(run.folder.file("games", part.number), columns=["game", "deal", "block", "players"])
    seats = pq.read_table(run.folder.file("seats", part.number), columns=["game", "seat", "bot"])
    numbers = part.first_game + np.arange(part.games)
    names = np.array(distinct_bots(run.plan), object)[seating.bots].ravel()
    expected = (
        ("games", games["game"], numbers, 1),
        ("games", games["deal"], seating.deals, 1),
        ("games", games["block"], seating.deals, 1),
        ("games", games["players"], np.full(part.games, run.plan.players), 1),
        ("seats", seats["game"], np.repeat(numbers, run.plan.players), run.plan.players),
        ("seats", seats["seat"], np.tile(np.arange(run.plan.players), part.games), run.plan.players),
        ("seats", seats["bot"].cast(pa.string()), names, run.plan.players),
    )
    for (table, stored, wanted, rows), column in zip(expected, (*games.column_names, *seats.column_names), strict=True):
        yield from _difference(stored.to_numpy(), wanted, f"{table}.{column}", part.first_game, rows)
    yield from _metadata_problems(run, part)


def _difference(
    stored: NDArray[np.generic], wanted: NDArray[np.generic], column: str, first_game: int, rows_a_game: int
) -> Iterator[Discrepancy]:
    if len(stored) != len(wanted):
        message = f"{column} has {len(stored):,} rows in this part where the plan has {len(wanted):,}"
        yield Discrepancy("plan", first_game, message)
        return
    differs = np.flatnonzero(stored != wanted)
    if len(differs):
        row, rest = int(differs[0]), f"{len(differs):,} rows of its part differ"
        message = f"{column} is {stored[row]} where the plan has {wanted[row]} ({rest})"
        yield Discrepancy("plan", first_game + row // rows_a_game, message)


def _metadata_problems(run: Run, part: Part) -> Iterator[Discrepancy]:
    wanted = {"first_block": part.first_block, "first_game": part.first_game, "games": part.games}
    for table in run.plan.tables:
        file = run.folder.file(table, part.number)
        metadata = read_metadata(file)
        if any(metadata.get(name) != str(value) for name, value in wanted.items()):
            yield Discrepancy("plan", part.first_game, f"{file} holds other blocks than its part of the plan")
        if len(stored_digests(file)) != part.blocks * DIGEST_BYTES:
            yield Discrepancy("plan", part.first_game, f"{file} has not one digest for each block")


def replay(run: Run, blocks: int | None, trust_bots: bool, show: Callable[[int], None], jobs: int = 1) -> Replayed:
    """Play this many blocks again, chosen by chance, or all; `show` gets the number of blocks played."""
    refusal = _why_not_replayed(run, trust_bots)
    if refusal is not None:
        return Replayed(0, [], refusal)
    if not are_bots_unchanged(run):  # checked before a bot's file is run
        return Replayed(0, [], "no block was played again: the bots or their tuning are not those of the run")
    bots = load_game(run.plan, run.folder, run.edition).bots
    stretches = list(_stretches(run, _chosen(run.record.size.blocks, blocks)))
    played, found = 0, {0: _missing_doubts(run, bots)}
    with ThisMachine(jobs).backend(_work(run, bots, len(stretches))) as backend, _watched(run, backend):
        for again in backend.results(stretches):
            if isinstance(again, Trouble):
                raise UserError(again.sentence)
            found[again.blocks.first_block] = found.get(again.blocks.first_block, []) + again.found
            played += again.blocks.blocks
            show(played)
    if backend.stopping:
        raise Interrupted
    return Replayed(played, [each for _, of_stretch in sorted(found.items()) for each in of_stretch])


def _work(run: Run, bots: LoadedBots, stretches: int) -> Work[Stretch, Again]:
    return Work(
        task=partial(_replay_stretch, run),
        items=stretches,
        compiled=bots.compiled,
        prepare=lambda: None,
        folder=None,
        describe=lambda stretch: f"part {stretch.part.number}",
        how_to_go_on="repeat the audit, with fewer --jobs if memory was short",
        note=lambda sentence: None,
    )


def _watched(run: Run, backend: Backend[Stretch, Again]) -> AbstractContextManager[None]:
    return watch_over(backend, lambda games, turn=0: None, partial(describe_hang, run.plan))


def _missing_doubts(run: Run, bots: LoadedBots) -> list[Discrepancy]:
    """Return what is wrong with the users' bots and was taken out of run.json, which the report would tell."""
    doubted = {spec for spec in bots.specs for doubt in run.record.doubts if doubt.startswith(spec)}
    sentences = [sentence for sentence in doubts_about(run, bots, Silence()) if not sentence.startswith(tuple(doubted))]
    return [Discrepancy("plan", None, f"run.json does not say that {sentence}") for sentence in sentences]


def sample_size(run: Run) -> int:
    """Return how many blocks are played again by default."""
    slow = run.plan.part_size <= SLOW_PART_SIZE
    return min(run.record.size.blocks, SAMPLED_SLOW_BLOCKS if slow else SAMPLED_BLOCKS)


def _why_not_replayed(run: Run, trust_bots: bool) -> str | None:
    if run.plan.kernel != SOURCE_HASH:
        return "no block was played again: another version of the engine played this run"
    if not trust_bots and any(parse_spec(bot).file is not None for bot in run.plan.bots):
        return "no block was played again: that would run the bot files of this folder; allow it with --trust-bots"
    return None


def _chosen(blocks: int, count: int | None) -> Sequence[int]:
    """Choose by true chance: whoever forges a run must not know which blocks will be looked at."""
    if count is None or count >= blocks:
        return range(blocks)
    return sorted(SystemRandom().sample(range(blocks), count))


def _stretches(run: Run, chosen: Iterable[int]) -> Iterator[Stretch]:
    """Yield each part with the runs of consecutive chosen blocks in it, as small parts of their own."""
    wanted = np.array(chosen, np.int64)
    for part in _parts(run):
        low, high = np.searchsorted(wanted, [part.first_block, part.first_block + part.blocks])
        here = wanted[low:high]
        if not len(here):
            continue
        games = games_by_block(run.plan, part.first_block, part.blocks)
        first_games = part.first_game + np.cumsum(games) - games
        for blocks in np.split(here, np.flatnonzero(np.diff(here) != 1) + 1):
            for at in range(0, len(blocks), BLOCKS_AT_A_TIME):
                first, count = int(blocks[at]), len(blocks[at : at + BLOCKS_AT_A_TIME])
                offset = first - part.first_block
                size = int(games[offset : offset + count].sum())
                yield Stretch(part, Part(part.number, first, count, int(first_games[offset]), size))


def _replay_stretch(run: Run, stretch: Stretch, controls: Controls) -> Again:
    blocks = stretch.blocks
    with controls.of_this_thread(blocks) as control:
        try:
            entries = play(run.plan, load_game(run.plan, run.folder, run.edition), blocks, control)
        except UserError as error:
            message = f"could not be played again: {error}"
            return Again(blocks, [Discrepancy("replay", blocks.first_game, message)])
    return Again(blocks, [] if entries is None else list(_other_blocks(run, stretch, entries)))


def _other_blocks(run: Run, stretch: Stretch, entries: dict[str, Entries]) -> Iterator[Discrepancy]:
    """Yield the blocks that now have other rows than those that are stored."""
    words = Words.of(distinct_bots(run.plan), run.edition)
    offset = (stretch.blocks.first_block - stretch.part.first_block) * DIGEST_BYTES
    digests = entries_digests(entries, words)
    for table in run.plan.tables:
        stored = stored_digests(run.folder.file(table, stretch.part.number))[offset:]
        for index in range(stretch.blocks.blocks):
            its_own = slice(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)
            if stored[its_own] != digests[table][its_own]:
                block = stretch.blocks.first_block + index
                yield Discrepancy("replay", None, f"block {block}, played again, has other rows in {table}")
