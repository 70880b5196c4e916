"""The two runs behind a comparison: taken as they are, or played alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.errors import UserError
from ttr_sim.run.folder import RUN_FILE, RunFolder
from ttr_sim.run.plan import check_numbers
from ttr_sim.run.study import StudyWish, play_study
from ttr_sim.run.watch import Watch


@dataclass(frozen=True, slots=True)
class SidesWish:
    """How editions are to be played; `given` names what the user asked for in so many words."""

    bots: tuple[str, ...]
    games: int
    seed: int
    players: int | None
    given: Collection[str]


def play_sides(a: str, b: str, wish: SidesWish, jobs: int, watch: Watch, command: str) -> tuple[Path, Path]:
    """The folders of both runs. What is an edition is played; beside a run, in the way of that run."""
    runs = [side for side in (a, b) if is_run(side)]
    editions = [side for side in (a, b) if side not in runs]
    if runs and wish.given:
        options = ", ".join(f"--{name}" for name in wish.given)
        raise UserError(f"{runs[0]} was already played, so it cannot be told how; leave out {options}")
    for side in editions:
        _refuse_stranger(side)
    how = _as_played(runs, editions) if runs else _as_wished(a, b, wish)
    played = {side: play_study(replace(how, edition=side), jobs, watch, command)[0] for side in editions}
    return played.get(a, Path(a)), played.get(b, Path(b))


def is_run(side: str) -> bool:
    return (Path(side) / RUN_FILE).is_file()


def _refuse_stranger(side: str) -> None:
    folder = find_folder(side)
    if not (folder / RULES_FILE).is_file():
        raise UserError(f"{folder} is neither a run (it has no {RUN_FILE}) nor an edition (it has no {RULES_FILE})")


def _as_played(runs: Sequence[str], editions: Sequence[str]) -> StudyWish:
    from ttr_sim.bots.specs import pin_parameters

    plan = RunFolder(Path(runs[0])).read().plan
    bots = pin_parameters(plan.bots, plan.edition, load_edition(editions[0]).name) if editions else plan.bots
    return StudyWish("", bots, plan.games, plan.seed, (plan.players,))


def _as_wished(a: str, b: str, wish: SidesWish) -> StudyWish:
    from ttr_sim.bots.specs import pin_parameters

    old, new = load_edition(a), load_edition(b)
    if old.fingerprint == new.fingerprint:
        raise UserError(f"{a} and {b} are the same edition; change something in a copy, or compare two runs")
    players = wish.players or _middle(old, new)
    for edition in (old, new):
        check_numbers(edition, players, len(wish.bots), wish.games, wish.seed)
    return StudyWish("", pin_parameters(wish.bots, old.name, new.name), wish.games, wish.seed, (players,))


def _middle(old: Edition, new: Edition) -> int:
    """Of the player counts that both allow, the middle one, rather the larger."""
    fewest, most = max(old.players[0], new.players[0]), min(old.players[1], new.players[1])
    if fewest > most:
        raise UserError(f"{old.title} and {new.title} have no number of players in common")
    return fewest + (most - fewest + 1) // 2
