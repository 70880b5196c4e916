"""What a bot is to the rest of the program: a style with parameters, a spec, bots loaded for a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_sim.edition.model import Edition
    from ttr_sim.engine.batch import BotTable


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    default: float
    low: float
    high: float
    idea: str


@dataclass(frozen=True, slots=True)
class Style:
    """`choose` is the compiled bot; `plans`: it publishes the routes it wants; `tuned_as`: it takes the tuned
    values of that style."""

    name: str
    idea: str
    choose: Any
    parameters: tuple[Parameter, ...] = ()
    plans: bool = False
    tuned_as: str | None = None


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot as written on the command line; `file` is a user's own, the name then what it holds."""

    name: str
    file: str | None = None
    values: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        if self.file is not None:
            return f"{self.file}:{self.name}"
        values = ",".join(f"{name}={value:.12g}" for name, value in self.values)
        return f"{self.name}:{values}" if values else self.name


@dataclass(frozen=True, slots=True)
class Entry:
    """One bot of the table. `owner` is what must stay alive for `address` to stay good;
    `note` tells why a user's bot is not compiled."""

    address: int
    parameters: tuple[float, ...] = ()
    plans: bool = False
    guarded: bool = False
    slow: bool = False
    file: Path | None = None
    owner: Any = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class LoadedBots:
    """Bots ready to play, in the order of the specs.

    `compiled` is false when one of them is in plain Python, `slow` when one asks for small parts;
    `notes` are sentences for the user; `fingerprint` covers tuned parameters and users' files;
    `files` are to be copied into the run.
    """

    edition: Edition
    specs: tuple[str, ...]
    table: BotTable
    plans: tuple[bool, ...]
    slow: bool
    compiled: bool
    fingerprint: str
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    owners: tuple[Any, ...] = field(repr=False, default=())
