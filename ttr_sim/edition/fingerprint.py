"""A hash of an edition's rules and map: the same however its files are laid out."""

from __future__ import annotations

import hashlib
import json
from dataclasses import MISSING, asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from ttr_sim.edition.model import Edition

HEX_DIGITS = 16
SCHEMA = 2  # 1, of version 0.1.0, covered the texts too
TEXTS = ("name", "title", "provenance")
NOT_CONTENT = ("targets", "fingerprint", "folder", "files")


def with_fingerprint(edition: Edition) -> Edition:
    return replace(edition, fingerprint=fingerprint_of(edition, SCHEMA))


def fingerprint_of(edition: Edition, schema: int) -> str:
    """Fingerprint as runs of this schema store it."""
    content = _content_of_schema_1(edition) if schema == 1 else _without_defaults(edition)
    canonical = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:HEX_DIGITS]


def _content_of_schema_1(edition: Edition) -> dict[str, Any]:
    """Every field that editions had at version 0.1.0; a younger one counts once it is used."""
    content = asdict(replace(edition, fingerprint="", folder=Path(), files={}))
    del content["targets"], content["folder"], content["files"]
    if edition.row and not edition.row.needs_pile:
        del content["row"]["needs_pile"]
    return content


def _without_defaults(value: Any) -> Any:
    """Convert to plain values, without fields at their default: a new key changes no older fingerprint."""
    if is_dataclass(value):
        ignored = (*TEXTS, *NOT_CONTENT) if isinstance(value, Edition) else ()
        content = {}
        for field in fields(value):
            entry = getattr(value, field.name)
            if field.name not in ignored and (field.default is MISSING or entry != field.default):
                content[field.name] = _without_defaults(entry)
        return content
    if isinstance(value, (tuple, list)):
        return [_without_defaults(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _without_defaults(entry) for key, entry in value.items()}
    return value
