"""What a study has reported: kept beside its page, so that the same study of an unchanged board reports it at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.cli.studying import Length
    from ttr_sim.report.reports import Report
    from ttr_sim.run.control import Watch
    from ttr_sim.run.study import Study

SUMMARY = "summary.json"
PACKAGE = Path(__file__).parents[1]

Played = tuple[str, str]  # the hash of a run's plan, and the digest of its rows


@dataclass(frozen=True, slots=True)
class Reported:
    """The page, and what was printed of it: its findings as text and as an object, and targets that are missed."""

    page: Path
    text: str
    object: dict[str, Any]
    missed: Sequence[str]

    @classmethod
    def of(cls, report: Report) -> Reported:
        from ttr_sim.cli.findings import findings_text
        from ttr_sim.cli.missed import missed_targets
        from ttr_sim.cli.study_json import as_object

        return cls(report.page, findings_text(report.analysis), as_object(report), missed_targets(report.analysis))

    def remember(self, origin: str) -> None:
        """Write it down beside the page."""
        from ttr_sim.report.folder import add_file

        content = {"made_of": origin, "written": _written(self.page), "text": self.text, "missed": [*self.missed]}
        add_file(self.page.parent, SUMMARY, json.dumps(content | {"object": self.object}, ensure_ascii=False))


def recall(page: Path, origin: str) -> Reported | None:
    """Return what was reported of the same games by the same program, while everything it wrote is still there."""
    try:
        content = json.loads(page.with_name(SUMMARY).read_text(encoding="utf-8"))
        if content["made_of"] != origin or content["written"] != _written(page):
            return None
        return Reported(page, content["text"], content["object"], content["missed"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def made_of(study: Study, length: Length, played: Iterable[Played]) -> str:
    """Return a hash of all that a complete study's page is made of."""
    digest = hashlib.sha256(f"{_program()} {length.choices} {sorted(played)}".encode())
    for name, content in sorted(study.edition.files.items()):
        digest.update(name.encode() + content)
    return digest.hexdigest()


def played_for(analysis: Analysis) -> list[Played]:
    return [(run.record["plan_hash"], run.record["digest"]) for run in analysis.runs]


def played_before(study: Study, watch: Watch) -> list[Played] | None:
    """Return what was played of a study; None while any of its games are to be played."""
    from ttr_sim.run.folder import finished_digest
    from ttr_sim.run.plan import make_plans

    plans = (plan for request in (study.first, *study.rest) for plan in make_plans(request, watch))
    played = []
    for plan in plans:
        digest = finished_digest(plan)
        if digest is None:
            return None
        played.append((plan.hash, digest))
    return played


def _written(page: Path) -> dict[str, object]:
    """Return the hash of the page, which another command may have written since, and the names of what lies beside."""
    from ttr_sim.report.folder import PARTS

    beside = sorted(path.name for part, pattern in PARTS.items() for path in (page.parent / part).glob(pattern))
    return {"page": hashlib.sha256(page.read_bytes()).hexdigest(), "beside": beside}


def _program() -> str:
    """Return a hash of the program, with the official ranges and templates that belong to it."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and path.suffix not in (".pyc", ".nbi", ".nbc"):
            digest.update(path.read_bytes())
    return digest.hexdigest()
