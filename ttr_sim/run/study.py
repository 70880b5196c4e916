"""A study's runs: one for each player count of an edition, finished ones taken as they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ttr_sim.edition import load_edition
from ttr_sim.run.carry_out import carry_out
from ttr_sim.run.draft import Wish, draft
from ttr_sim.run.plan import check_numbers
from ttr_sim.run.start import taken
from ttr_sim.run.watch import Watch


@dataclass(frozen=True, slots=True)
class StudyWish:
    """`players` left out: all the edition has; `games` are for each player count."""

    edition: str
    bots: tuple[str, ...]
    games: int
    seed: int
    players: tuple[int, ...] | None = None


def check_study(wish: StudyWish) -> None:
    """Refuse in words what cannot be played, before anything is."""
    edition = load_edition(wish.edition)
    for players in wish.players or edition.players:
        check_numbers(edition, players, len(wish.bots), wish.games, wish.seed)


def play_study(wish: StudyWish, jobs: int, watch: Watch, command: str) -> list[Path]:
    """The run folders, by player count."""
    fewest, most = load_edition(wish.edition).players
    return [_play(wish, players, jobs, watch, command) for players in wish.players or range(fewest, most + 1)]


def _play(wish: StudyWish, players: int, jobs: int, watch: Watch, command: str) -> Path:
    plan = draft(Wish(wish.edition, players, wish.bots, wish.games, wish.seed), watch.note)
    watch.note(f"{plan.edition.title} with {players} players")
    with taken(plan, plan.default_folder, command) as (folder, record):
        carry_out(folder, record, jobs, watch)
    return folder.path
