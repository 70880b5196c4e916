"""Bots from specs: compiled, with their parameters, as the table that games are played from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ttr_sim.bots.model import Entry, LoadedBots, Spec
from ttr_sim.bots.registry import load_style
from ttr_sim.bots.specs import parse_spec
from ttr_sim.bots.tuned import parameter_values
from ttr_sim.bots.user_file import load_user_bot
from ttr_sim.edition.model import Edition
from ttr_sim.engine.batch import BotTable
from ttr_sim.engine.calls import address_of
from ttr_sim.engine.state import N_PARAMETERS


def load_bots(specs: Sequence[str], edition: Edition, folder: Path | None = None) -> LoadedBots:
    """Parse, compile and table the bots; users' files are looked for in `folder` first, by their names."""
    parsed = [parse_spec(text) for text in specs]
    entries = [_load(spec, edition, folder) for spec in parsed]
    files = tuple(dict.fromkeys(entry.file for entry in entries if entry.file is not None))
    notes = tuple(dict.fromkeys(entry.note for entry in entries if entry.note is not None))
    return LoadedBots(
        edition=edition,
        specs=tuple(str(spec) for spec in parsed),
        table=_tabulate(entries),
        plans=tuple(entry.plans for entry in entries),
        slow=any(entry.slow for entry in entries),
        compiled=not notes,
        fingerprint=_fingerprint(parsed, entries),
        files=files,
        notes=notes,
        owners=tuple(entry.owner for entry in entries),
    )


def _load(spec: Spec, edition: Edition, folder: Path | None) -> Entry:
    if spec.file is not None:
        return load_user_bot(spec, folder)
    style = load_style(spec.name)
    return Entry(address_of(style.choose), parameter_values(style, spec, edition.name), style.plans)


def _tabulate(entries: list[Entry]) -> BotTable:
    parameters = np.zeros((len(entries), N_PARAMETERS))
    for row, entry in zip(parameters, entries, strict=True):
        row[: len(entry.parameters)] = entry.parameters
    return BotTable(
        addresses=np.array([entry.address for entry in entries], np.int64),
        parameters=parameters,
        plans=np.array([entry.plans for entry in entries], np.bool_),
        guarded=np.array([entry.guarded for entry in entries], np.bool_),
    )


def _fingerprint(specs: list[Spec], entries: list[Entry]) -> str:
    """Changes with every parameter and every user's file."""
    digest = hashlib.sha256()
    for spec, entry in sorted(zip(specs, entries, strict=True), key=lambda pair: str(pair[0])):
        digest.update(f"{spec} {entry.parameters}\n".encode())
        if entry.file is not None:
            digest.update(entry.file.read_bytes())
    return digest.hexdigest()
