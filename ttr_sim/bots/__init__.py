"""The bots: play styles, their parameters, and the user's own. Numba is imported only to load or list them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.bots.model import LoadedBots, Parameter, Style
from ttr_sim.bots.registry import STANDARD_STYLES, STYLE_NAMES, list_styles
from ttr_sim.bots.specs import split_specs

if TYPE_CHECKING:
    import numpy as np

    from ttr_sim.edition.model import Edition

__all__ = [
    "STANDARD_STYLES",
    "STYLE_NAMES",
    "LoadedBots",
    "Parameter",
    "Style",
    "list_styles",
    "load_bots",
    "split_specs",
]


def load_bots(specs: Sequence[str], edition: Edition, board: np.ndarray, folder: Path | None = None) -> LoadedBots:
    """The bots of these specs, compiled and ready to play; copies of users' files are looked for in `folder`."""
    from ttr_sim.bots.loading import load_bots as load

    return load(specs, edition, folder)
