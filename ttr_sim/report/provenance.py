"""How a report was made: what was run, with which seed and versions, and where the board comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttr_sim import __version__
from ttr_sim.report.charts.style import short
from ttr_sim.report.numbers import counted, exactly, players_words, written
from ttr_sim.run.fields import ALL, OWN, REWARDS, RIVALS, STRONG

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ttr_sim.analysis.analysis import Analysis, RunInfo

MOST_LETTERS = 70  # of the bots in a heading
FIELDS = {
    STRONG: "among strong players",
    RIVALS: "among rivals of several styles",
    ALL: "among all styles",
    REWARDS: "with one seat that plays differently",
    OWN: "of the bots that were named",
}
SHOWN = ("plan_hash", "digest", "digest_turns", "command", "set", "versions", "timings", "plan")


@dataclass(frozen=True)
class Made:
    """Facts about the whole, and about each run by who sat together, as pairs of words."""

    facts: list[tuple[str, str]]
    fields: list[tuple[str, list[tuple[str, list[tuple[str, str]]]]]]


def made(analysis: Analysis, command: str) -> Made:
    edition = analysis.edition
    facts = [
        (
            "Board",
            f"{edition.title}: {len(edition.cities)} cities, {len(edition.routes)} routes, "
            f"{len(edition.tickets)} tickets",
        ),
        ("Provenance", edition.provenance),
        ("Fingerprint", edition.fingerprint),
        ("Report command", command),
        ("Report written by", f"ttr-sim {__version__}"),
    ]
    fields: dict[str, list[RunInfo]] = {}
    for run in analysis.runs:
        fields.setdefault(run.field, []).append(run)
    told = [(_field_heading(field, runs), [_run_of_field(run) for run in runs]) for field, runs in fields.items()]
    return Made([fact for fact in facts if fact[1]], told)


def _field_heading(field: str, runs: Sequence[RunInfo]) -> str:
    games = counted(sum(run.games for run in runs), "game")
    return f"{games} {FIELDS.get(field, field)}, {counted(len(runs), 'run')}"


def _run_of_field(run: RunInfo) -> tuple[str, list[tuple[str, str]]]:
    """Return the run's facts under a heading that tells it from others of its field."""
    return f"{run_heading(run)}, {short(', '.join(dict.fromkeys(run.bots)), MOST_LETTERS)}", run_facts(run)


def run_heading(run: RunInfo) -> str:
    return f"{players_words(run.players)}, {counted(run.games, 'game')}, seed {run.seed}"


def run_facts(run: RunInfo) -> list[tuple[str, str]]:
    facts = [("folder", str(run.path)), ("bots", ", ".join(run.bots)), ("blocks", written(run.blocks, "count"))]
    if run.games != run.planned_games:
        facts.append(("unfinished", f"{written(run.games, 'count')} of {counted(run.planned_games, 'game')}"))
    return facts + [(name.replace("_", " "), _written(run.record[name])) for name in SHOWN if run.record.get(name)]


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str) if not _is_flat(value) else _flat(value)


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and not any(isinstance(inner, dict | list) for inner in value.values())


def _flat(value: Mapping[str, Any]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {_short(inner)}" for key, inner in value.items())


def _short(value: Any) -> str:
    return exactly(value) if isinstance(value, float) else str(value)
