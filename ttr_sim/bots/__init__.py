"""The bots: play styles with their parameters, and users' own. Numba is imported only to load or list them."""

from ttr_sim.bots.api import FAST_STYLES, STANDARD_STYLES, STYLE_NAMES, Parameter, Style, list_styles, split_specs
from ttr_sim.bots.loading import LoadedBots, load_bots

__all__ = [
    "FAST_STYLES",
    "STANDARD_STYLES",
    "STYLE_NAMES",
    "LoadedBots",
    "Parameter",
    "Style",
    "list_styles",
    "load_bots",
    "split_specs",
]
