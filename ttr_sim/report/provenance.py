"""How a report was made: what was run, with which seed and versions, and where the board comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttr_sim import __version__
from ttr_sim.report.numbers import counted, exactly, players_words, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ttr_sim.analysis.analysis import Analysis, RunInfo

SHOWN = ("plan_hash", "digest", "digest_turns", "command", "set", "versions", "timings", "plan")


@dataclass(frozen=True)
class Made:
    """Facts about the whole and about each run, as pairs of words."""

    facts: list[tuple[str, str]]
    runs: list[tuple[str, list[tuple[str, str]]]]


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
    return Made([fact for fact in facts if fact[1]], [(run_heading(run), run_facts(run)) for run in analysis.runs])


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
