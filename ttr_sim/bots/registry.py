"""The styles by name; a style's file is imported only when it is asked for, for Numba comes with it."""

from __future__ import annotations

from importlib import import_module

from ttr_sim.bots.model import Style

STYLE_NAMES = ("random", "onestep", "longroute", "hungry", "path", "racer", "planner", "blocker")
STANDARD_STYLES = ("onestep", "longroute", "hungry", "path", "racer", "planner")  # what a study plays


def load_style(name: str) -> Style:
    style: Style = import_module(f"ttr_sim.bots.styles.{name}").STYLE
    return style


def list_styles() -> list[Style]:
    return [load_style(name) for name in STYLE_NAMES]
