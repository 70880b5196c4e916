"""The runs of an analysis by field: what findings about the board rest on, and what shows how far they hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ttr_sim.analysis.source import Source, sources_of
from ttr_sim.run.fields import ALL, OWN, REWARDS, RIVALS, STRONG
from ttr_sim.run.opened import Run

ASIDE = (REWARDS,)  # answers a question of its own
MAIN = (STRONG, OWN, RIVALS, ALL, *ASIDE)  # the first that was played is what the board is judged by
STYLES = (ALL, RIVALS)  # likewise for the section on styles; else the main field
ELSEWHERE = (RIVALS, ALL)  # what shows how far a finding holds
WITHOUT_TURNS = (ALL,)  # a study logs its results only


def main_field(played: Collection[str]) -> str:
    """Return, of the fields that were played, the one that findings about the board rest on."""
    return next((field for field in MAIN if field in played), STRONG)


@dataclass(frozen=True)
class Fields:
    """The sources of each field, the main one first; `runs` are those of the main field. Aside are the runs of the
    rewards that have games."""

    sources: Mapping[str, tuple[Source, ...]]
    runs: tuple[Run, ...]
    rewards: tuple[Run, ...] = ()

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Fields:
        named = {field: tuple(run for run in runs if run.field == field) for field in MAIN}
        played = {field: sources_of(named[field]) for field in MAIN}
        main = main_field([field for field in MAIN if played[field]])
        if main in ASIDE:
            return cls({OWN: played[main]}, named[main])
        shown = {field: sources for field, sources in played.items() if sources and field not in ASIDE}
        return cls(shown, named[main] or tuple(runs), tuple(run for run in named[REWARDS] if run.finished_games))

    @property
    def main_name(self) -> str:
        return next(iter(self.sources), STRONG)

    @property
    def main(self) -> tuple[Source, ...]:
        return self.sources.get(self.main_name, ())

    @property
    def name_of_styles(self) -> str:
        return next((field for field in STYLES if field in self.sources), self.main_name)

    @property
    def styles(self) -> tuple[Source, ...]:
        return self.sources.get(self.name_of_styles, ())

    @property
    def elsewhere(self) -> dict[str, tuple[Source, ...]]:
        """Return the fields that show how far a finding of the main one holds."""
        return {field: found for field, found in list(self.sources.items())[1:] if field in ELSEWHERE}
