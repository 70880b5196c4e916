"""How a report was made: its runs and board, and warnings about them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.text import listed
from ttr_sim.bots.tuning import CHANGED, FITTING, state_of_tuning
from ttr_sim.edition import as_typed
from ttr_sim.errors import command_line
from ttr_sim.report.charts.style import short
from ttr_sim.report.numbers import counted, exactly, players_words, written
from ttr_sim.run.fields import ALL, OWN, REWARDS, RIVALS, STRONG, STRONG_BOT

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis, RunInfo

FIELDS = {
    STRONG: "among strong players",
    RIVALS: "among rivals of several styles",
    ALL: "among all styles",
    REWARDS: "with one seat that plays differently",
    OWN: "of the bots that were named",
}
MOST_LETTERS = 70  # of the bots in a heading
SHOWN = ("plan_hash", "digest", "digest_turns", "command", "set", "versions", "timings", "plan")
RECONSTRUCTED = "RECONSTRUCTED"  # how a provenance marks facts that matter to results


def banner(analysis: Analysis) -> list[str]:
    """Warn of reconstructed boards, untuned players, and wants that cannot be checked."""
    edition = analysis.edition
    warnings = [edition.provenance] if RECONSTRUCTED in edition.provenance else []
    state = state_of_tuning(edition, STRONG_BOT)
    if state != FITTING and STRONG in set(analysis.tables["overview"]["field"]):
        tuned = "tuned for this board before its last change" if state == CHANGED else "not tuned for this board yet"
        tuning = command_line("tune", as_typed(edition))
        warnings.append(f"The {STRONG_BOT} was {tuned}; `{tuning}` does that, and may change what is said here.")
    return warnings + foreign_wants(analysis.runs)


def foreign_wants(runs: Sequence[RunInfo]) -> list[str]:
    """Warn about runs of other users or engines: nobody here has seen their bots publish wants."""
    from ttr_sim.engine.jit import SOURCE_HASH
    from ttr_sim.run.read import open_run
    from ttr_sim.run.trust import is_own

    played = [run for run in runs if run.record.get("plan")]
    foreign = [run for run in played if run.record["plan"]["kernel"] != SOURCE_HASH or not is_own(open_run(run.path))]
    if not foreign:
        return []
    which = "This run was" if len(foreign) == len(runs) == 1 else f"{len(foreign)} of these runs were"
    return [
        f"{which} not played here, or by another version of the engine. Which routes are fought over rests on the "
        "routes that the bots published, which are taken on trust."
    ]


def played(analysis: Analysis) -> str:
    """Count the games of each field."""
    overview = analysis.tables["overview"]
    fields = {field: int(rows["games"].sum()) for field, rows in overview.groupby("field", sort=False)}
    words = [f"{games:,} games {FIELDS.get(str(field), str(field))}" for field, games in fields.items()]
    counts = sorted({run.players for run in analysis.runs})
    return f"{listed(words)}, with {listed(str(count) for count in counts)} players." if words else ""


def played_officially(analysis: Analysis) -> str:
    """Say how the official boards were played in comparison."""
    alike = all(run.field == STRONG for run in analysis.main_runs)
    return "played the same way" if alike else "played by strong players in every seat, not by these bots"


def runs_by_field(analysis: Analysis) -> list[tuple[str, list[tuple[str, list[tuple[str, str]]]]]]:
    """Describe each field, and each of its runs by pairs of words."""
    fields = []
    for field in dict.fromkeys(run.field for run in analysis.runs):
        runs = [run for run in analysis.runs if run.field == field]
        games = counted(sum(run.games for run in runs), "game")
        heading = f"{games} {FIELDS.get(field, field)}, {counted(len(runs), 'run')}"
        described = []
        for run in runs:
            bots = short(", ".join(dict.fromkeys(run.bots)), MOST_LETTERS)
            described.append((f"{run_heading(run)}, {bots}", run_facts(run)))
        fields.append((heading, described))
    return fields


def run_heading(run: RunInfo) -> str:
    return f"{players_words(run.players)}, {counted(run.games, 'game')}, seed {run.seed}"


def run_facts(run: RunInfo) -> list[tuple[str, str]]:
    facts = [("folder", str(run.path)), ("bots", ", ".join(run.bots)), ("blocks", written(run.blocks, "count"))]
    if run.games != run.planned_games:
        facts.append(("unfinished", f"{written(run.games, 'count')} of {counted(run.planned_games, 'game')}"))
    return facts + [(name.replace("_", " "), _in_words(run.record[name])) for name in SHOWN if run.record.get(name)]


def _in_words(value: Any) -> str:
    """Write a value of run.json: flat mappings as a list, others as JSON."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping) or any(isinstance(inner, dict | list) for inner in value.values()):
        return json.dumps(value, ensure_ascii=False, default=str)
    pairs = ((key, exactly(inner) if isinstance(inner, float) else str(inner)) for key, inner in value.items())
    return ", ".join(f"{key.replace('_', ' ')} {words}" for key, words in pairs)
