"""From what the user asks for to a plan, with everything wrong about it told before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.overrides import overrides_of
from ttr_sim.run.plan import FULL, PART_SIZE, SLOW_PART_SIZE, Plan, check_numbers

COMPILING = "compiling, once (about half a minute)"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asks for, in the user's words."""

    edition: str
    players: int
    bots: tuple[str, ...]
    games: int
    seed: int
    log: str = FULL
    settings: tuple[str, ...] = ()
    part_size: int | None = None  # by default as the bots ask for


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan, and what its folder needs beside it."""

    plan: Plan
    edition: Edition
    settings: tuple[str, ...]
    bot_files: tuple[Path, ...]

    @property
    def default_folder(self) -> Path:
        return Path("runs") / f"{self.plan.edition}-{self.plan.players}p-{self.plan.hash[:8]}"


def draft(wish: Wish, note: Callable[[str], None]) -> Draft:
    edition = load_edition(wish.edition, overrides_of(wish.settings))
    check_numbers(edition, wish.players, len(wish.bots), wish.games, wish.seed)
    tell_when_cold(note)

    from ttr_sim.bots import load_bots
    from ttr_sim.bots.specs import parse_spec
    from ttr_sim.engine.compiled import SOURCE_HASH

    names = tuple(str(parse_spec(spec)) for spec in wish.bots)
    bots = load_bots(tuple(dict.fromkeys(names)), edition)
    for sentence in bots.notes:
        note(sentence)
    plan = Plan(
        edition=edition.name,
        fingerprint=edition.fingerprint,
        players=wish.players,
        bots=names,
        games=wish.games,
        seed=wish.seed,
        log=wish.log,
        part_size=wish.part_size or (SLOW_PART_SIZE if bots.slow else PART_SIZE),
        kernel=SOURCE_HASH,
        tuning=bots.fingerprint,
    )
    return Draft(plan, edition, wish.settings, tuple(bots.files))


def tell_when_cold(note: Callable[[str], None]) -> None:
    from ttr_sim.engine.compiled import is_cache_cold

    if is_cache_cold():
        note(COMPILING)
