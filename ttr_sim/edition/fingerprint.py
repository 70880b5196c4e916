"""A hash of an edition's content: the same for the same content, however the files are laid out."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path

from ttr_sim.edition.model import Edition

HEX_DIGITS = 16


def with_fingerprint(edition: Edition) -> Edition:
    content = asdict(replace(edition, fingerprint="", folder=Path(), files={}))
    del content["folder"], content["files"]
    if edition.row and not edition.row.needs_pile:
        # Younger than the editions in use: at its default it leaves their fingerprints as they were.
        del content["row"]["needs_pile"]
    canonical = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return replace(edition, fingerprint=hashlib.sha256(canonical.encode()).hexdigest()[:HEX_DIGITS])
