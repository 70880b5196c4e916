"""What `study --json` prints for one edition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_sim.cli.records import records

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.report.page import Report

ALL_TOGETHER = 0  # players; the table leaves it out where there is one player count only
INTERVAL = {"win_share": "win_share", "win_share_low": "low", "win_share_high": "high"}
SEATS = {"players": "players", "seat": "seat", **INTERVAL}
REWARDS = {"players": "players", "variant": "variant", **INTERVAL, "fair": "fair"}
TICKETS = {name: name for name in ("from", "to", "points", "deck", "copy", "players", "n", "class", "class_effect")} | {
    "win_effect": "win_effect",
    "win_effect_low": "low",
    "win_effect_high": "high",
    **{name: name for name in ("points_effect", "verdict", "grade", "holds")},
}


def as_object(report: Report) -> dict[str, Any]:
    from ttr_sim.balance.targets import as_rows, find_targets

    analysis = report.analysis
    tables = analysis.tables
    return {
        "edition": analysis.edition.name,
        "fingerprint": analysis.edition.fingerprint,
        "report": str(report.page),
        "runs": [{"run": str(run.path), "field": run.record["field"], "players": run.players} for run in analysis.runs],
        "findings": [
            {
                "about": finding.about,
                "topic": finding.topic,
                "sentence": finding.sentence,
                "players": list(finding.players),
                "holds": finding.holds,
            }
            for finding in analysis.findings
        ],
        "seats": records(tables["seats"], SEATS),
        "tickets": _tickets(analysis),
        "rewards": records(tables["rewards"], REWARDS),
        "targets": as_rows(find_targets(analysis)),
    }


def _tickets(analysis: Analysis) -> list[dict[str, Any]]:
    """Return each ticket at each player count; `copy` tells apart those of the same ends and deck."""
    table = analysis.tables["ticket_value"]
    copies = [analysis.edition.tickets[ticket].copy for ticket in table["ticket"]]
    told = records(table.assign(copy=copies), TICKETS)
    if table["players"].nunique() > 1:
        return told
    return [{**row, "players": ALL_TOGETHER} for row in told] + told
