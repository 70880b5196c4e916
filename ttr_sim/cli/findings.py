"""The findings of a report in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttr_sim.cli.text import bullet

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis


def findings_text(analysis: Analysis) -> str:
    """Return the edition's title and its findings, one paragraph each."""
    paragraphs = [bullet(finding.sentence) for finding in analysis.findings]
    return "\n".join([f"{analysis.edition.title}: what stands out", *paragraphs, ""])
