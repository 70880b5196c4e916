"""Audit many games of a run, all or an evenly spaced sample, in batches for several workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import SETUP, GameLog, PartFiles, parts_of, read_games
from ttr_sim.referee.position import Watcher
from ttr_sim.referee.rulebook import Rulebook, Violation

GAMES_A_BATCH = 500


class AuditBatch(NamedTuple):
    """Some games of one part."""

    part: PartFiles
    games: Sequence[int]


class AuditResult(NamedTuple):
    """Numbers of games and turns audited, and violations of the rules."""

    games: int
    turns: int
    violations: list[Violation]


# Maps a function over batches, as the builtin `map` does.
Spread = Callable[[Callable[[AuditBatch], AuditResult], Sequence[AuditBatch]], Iterator[AuditResult]]


def batches_of(run: Path, games: int | None) -> list[AuditBatch]:
    """Split all games of a run, or this many of them evenly spaced, so that no batch spans two parts."""
    parts = list(parts_of(run))
    wanted = set(sampled([number for part in parts for number in part.games], games))
    batches = []
    for part in parts:
        chosen = [number for number in part.games if number in wanted]
        batches += [AuditBatch(part, chosen[at : at + GAMES_A_BATCH]) for at in range(0, len(chosen), GAMES_A_BATCH)]
    return batches


def audit(run: Path, batches: Sequence[AuditBatch], show: Callable[[int], None], spread: Spread = map) -> AuditResult:
    """Audit the batches and report the count of games so far to `show`. `spread` may use several processes."""
    total = AuditResult(0, 0, [])
    for result in spread(partial(_audit_batch, load_edition(run / "edition")), batches):
        violations = total.violations + result.violations
        total = AuditResult(total.games + result.games, total.turns + result.turns, violations)
        show(total.games)
    return total


def sampled(numbers: Sequence[int], count: int | None) -> list[int]:
    """Choose this many of the numbers, evenly spaced."""
    if count is None or count >= len(numbers):
        return list(numbers)
    return [numbers[index * len(numbers) // count] for index in range(count)]


def one_game(run: Path, number: int, edition: Edition | None = None) -> tuple[Rulebook, GameLog]:
    """Read a game of a run. `edition` is the run's where it is already loaded."""
    rules, [log] = some_games(run, [number], edition)
    return rules, log


def some_games(run: Path, numbers: Sequence[int], edition: Edition | None = None) -> tuple[Rulebook, list[GameLog]]:
    """Read games of a run in the order of their numbers, each part once."""
    logs: list[GameLog] = []
    last, missing = 0, set(numbers)
    for part in parts_of(run):
        if wanted := sorted(missing.intersection(part.games)):
            logs += read_games(part, wanted)
            missing.difference_update(wanted)
        if not missing:
            return Rulebook(edition or load_edition(run / "edition")), logs
        last = max(last, *part.games)
    raise UserError(f"{run} has no game {min(missing)}; its games are numbered 0 to {last}")


def _audit_batch(edition: Edition, batch: AuditBatch) -> AuditResult:
    rules, blocks = Rulebook(edition), BlockCheck(edition)
    turns = 0
    violations: list[Violation] = []
    # Pure Python audits hundreds of games a second, so batches go to several processes.
    for log in read_games(batch.part, batch.games):
        turns += len(log.turns)
        violations += violations_of(rules, log) + blocks.check(log)
    return AuditResult(len(batch.games), turns, violations)


def violations_of(rules: Rulebook, log: GameLog, watcher: Watcher | None = None) -> list[Violation]:
    """Audit one game. Rows that no game can have written are a violation, too."""
    try:
        return audit_game(rules, log, watcher=watcher)
    except (LookupError, ValueError, TypeError, ArithmeticError, AttributeError, RecursionError) as error:
        message = f"the rows cannot be followed ({type(error).__name__}: {error})"
        return [Violation(log.game.game, SETUP, None, "log", message)]


class BlockCheck:
    """Compares games, in the order of the log, with the earlier ones of their block: one deal, rotated lineups."""

    def __init__(self, edition: Edition) -> None:
        self._mix = edition.ticket_rules.mix
        self._block: list[GameLog] = []

    def check(self, log: GameLog) -> list[Violation]:
        """Find violations between this game and earlier ones of its block."""
        # Blocks follow each other in the log, so one at a time is enough.
        if self._block and self._block[0].game.block != log.game.block:
            self._block = []
        self._block.append(log)
        first, complaints = self._block[0], []
        if log.game.deal != first.game.deal:
            complaints.append(f"deal {log.game.deal} was played in a block of deal {first.game.deal}")
        elif self._chance(log) != self._chance(first):
            complaints.append(f"other cards were dealt than in game {first.game.game} of the same deal")
        *seated, lineup = ([row.bot for row in game.seats] for game in self._block)
        # A block plays one deal once with every distinct rotation of a lineup.
        if seated and lineup not in (seated[0][seat:] + seated[0][:seat] for seat in range(len(seated[0]))):
            complaints.append(f"the lineup is not a rotation of the one in game {first.game.game}")
        elif lineup in seated:
            complaints.append("the same lineup was already seated this way in the block")
        return [Violation(log.game.game, SETUP, None, "blocks", message) for message in complaints]

    def _chance(self, log: GameLog) -> tuple[object, ...]:
        """Cards, passengers and tickets at setup that no choice can change."""
        hands = [row.hand for row in log.seats]
        offered = [] if self._mix else [row.ticket for row in log.tickets if row.turn == SETUP]
        return hands, log.game.fill, log.game.passengers, offered
