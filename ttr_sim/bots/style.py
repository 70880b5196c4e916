"""What a style is, and the styles by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

STYLE_NAMES = ("random", "onestep", "longroute", "hungry", "path", "racer", "planner", "blocker", "classic", "search")
STANDARD_STYLES = ("onestep", "longroute", "hungry", "path", "racer", "blocker", "planner")
FAST_STYLES = tuple(name for name in STYLE_NAMES if name != "search")


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    default: float
    low: float
    high: float
    idea: str


@dataclass(frozen=True, slots=True)
class Style:
    """A way to play.

    `choose` is the compiled bot; `plans` says that it publishes the routes it wants; `tuned_as` names the style whose
    tuned values it takes; `searches` says that it is handed a world to think in, and is slow.
    """

    name: str
    idea: str
    choose: Any
    parameters: tuple[Parameter, ...] = ()
    plans: bool = False
    tuned_as: str | None = None
    searches: bool = False


def load_style(name: str) -> Style:
    # Imported on demand: Numba comes with a style, and takes longer to load than `ttr-sim --help` may.
    style: Style = import_module(f"ttr_sim.bots.styles.{name}").STYLE
    return style


def list_styles() -> list[Style]:
    return [load_style(name) for name in STYLE_NAMES]
