"""What a report found, in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ttr_sim.analysis.whole import Analysis

WIDTH = 100


def findings_text(analysis: Analysis) -> str:
    """The edition's title and its findings, one paragraph each."""
    sentences = [finding.sentence for finding in analysis.findings]
    told = [click.wrap_text(sentence, WIDTH, "- ", "  ") for sentence in sentences]
    return "\n".join([f"{analysis.edition.title}: what stands out", *told, ""])
