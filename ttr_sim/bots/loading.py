"""Bots from specs: compiled, with their parameters, as the table that games are played from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ttr_sim.bots.model import LoadedBots, Spec
from ttr_sim.bots.registry import load_style
from ttr_sim.bots.specs import parse_spec
from ttr_sim.bots.tuned import parameter_values
from ttr_sim.bots.user_file import load_user_bot
from ttr_sim.edition.model import Edition
from ttr_sim.engine.batch import BotTable
from ttr_sim.engine.calls import address_of
from ttr_sim.engine.state import N_PARAMETERS


@dataclass(frozen=True, slots=True)
class Player:
    """One bot of the table."""

    address: int
    parameters: list[float] = field(default_factory=list)
    plans: bool = False
    guarded: bool = False
    slow: bool = False
    compiled: bool = True
    file: Path | None = None
    owner: Any = None
    note: str | None = None


def load_bots(specs: Sequence[str], edition: Edition, folder: Path | None = None) -> LoadedBots:
    """Parse, compile and table the bots; users' files are looked for in `folder` first, by their names."""
    parsed = [parse_spec(text) for text in specs]
    players = [_load(spec, edition, folder) for spec in parsed]
    files = tuple(dict.fromkeys(player.file for player in players if player.file is not None))
    return LoadedBots(
        edition=edition,
        specs=tuple(str(spec) for spec in parsed),
        table=_tabulate(players),
        plans=tuple(player.plans for player in players),
        slow=any(player.slow for player in players),
        compiled=all(player.compiled for player in players),
        fingerprint=_fingerprint(parsed, players),
        files=files,
        notes=tuple(dict.fromkeys(player.note for player in players if player.note is not None)),
        owners=tuple(player.owner for player in players),
    )


def _load(spec: Spec, edition: Edition, folder: Path | None) -> Player:
    if spec.file is not None:
        return _load_users(spec, folder)
    style = load_style(spec.name)
    return Player(address_of(style.choose), parameter_values(style, spec, edition.name), style.plans)


def _load_users(spec: Spec, folder: Path | None) -> Player:
    bot = load_user_bot(spec, folder)
    return Player(
        bot.address,
        plans=bot.plans,
        guarded=True,
        slow=bot.slow,
        compiled=bot.note is None,
        file=bot.file,
        owner=bot.owner,
        note=bot.note,
    )


def _tabulate(players: list[Player]) -> BotTable:
    parameters = np.zeros((len(players), N_PARAMETERS))
    for row, player in zip(parameters, players, strict=True):
        row[: len(player.parameters)] = player.parameters
    return BotTable(
        addresses=np.array([player.address for player in players], np.int64),
        parameters=parameters,
        plans=np.array([player.plans for player in players], np.bool_),
        guarded=np.array([player.guarded for player in players], np.bool_),
    )


def _fingerprint(specs: list[Spec], players: list[Player]) -> str:
    """Changes with every parameter and every user's file."""
    digest = hashlib.sha256()
    for spec, player in sorted(zip(specs, players, strict=True), key=lambda pair: str(pair[0])):
        digest.update(f"{spec} {player.parameters}\n".encode())
        if player.file is not None:
            digest.update(player.file.read_bytes())
    return digest.hexdigest()
