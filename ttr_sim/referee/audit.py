"""Many games of a run audited, all or an evenly spaced sample, in pieces for several workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.referee.blocks import Blocks
from ttr_sim.referee.findings import Finding
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.reading import Part, parts_of, read_games
from ttr_sim.referee.rows import GameLog
from ttr_sim.referee.rulebook import Rulebook

GAMES_A_PIECE = 500


class Piece(NamedTuple):
    """Some games of one part."""

    part: Part
    games: Sequence[int]


class Tally(NamedTuple):
    """What was looked at and what was found."""

    games: int
    turns: int
    findings: list[Finding]


def pieces_of(run: Path, games: int | None) -> list[Piece]:
    """All games of a run, or so many of them evenly spaced, cut so that no piece spans two parts."""
    parts = parts_of(run)
    wanted = set(sampled([number for part in parts for number in part.games], games))
    pieces = []
    for part in parts:
        chosen = [number for number in part.games if number in wanted]
        pieces += [Piece(part, chosen[at : at + GAMES_A_PIECE]) for at in range(0, len(chosen), GAMES_A_PIECE)]
    return pieces


def audit(run: Path, pieces: Sequence[Piece], jobs: int, show: Callable[[int], None]) -> Tally:
    """`show` is told the count of games so far."""
    total = Tally(0, 0, [])
    for tally in _audited(load_edition(run / "edition"), pieces, jobs):
        total = Tally(total.games + tally.games, total.turns + tally.turns, total.findings + tally.findings)
        show(total.games)
    return total


def sampled(numbers: Sequence[int], count: int | None) -> list[int]:
    """So many of the numbers, evenly spaced; all of them when there are no more."""
    if count is None or count >= len(numbers):
        return list(numbers)
    return [numbers[place * len(numbers) // count] for place in range(count)]


def one_game(run: Path, number: int) -> tuple[Rulebook, GameLog]:
    """A game of a run by its number."""
    parts = parts_of(run)
    for part in parts:
        if number in part.games:
            return Rulebook(load_edition(run / "edition")), next(read_games(part, [number]))
    last = max(number for part in parts for number in part.games)
    raise UserError(f"{run} has no game {number}; its games are numbered 0 to {last}")


def _audited(edition: Edition, pieces: Sequence[Piece], jobs: int) -> Iterator[Tally]:
    """In processes, for pure Python keeps a core busy; in this one when there is little to do."""
    if jobs == 1 or len(pieces) == 1:
        yield from (_audit_piece(edition, piece) for piece in pieces)
        return
    from joblib import Parallel, delayed

    yield from Parallel(min(jobs, len(pieces)), return_as="generator")(
        delayed(_audit_piece)(edition, piece) for piece in pieces
    )


def _audit_piece(edition: Edition, piece: Piece) -> Tally:
    rules, blocks = Rulebook(edition), Blocks(edition)
    turns = 0
    findings: list[Finding] = []
    for log in read_games(piece.part, piece.games):
        turns += len(log.turns)
        findings += audit_game(rules, log) + blocks.check(log)
    return Tally(len(piece.games), turns, findings)
