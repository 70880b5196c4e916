"""Two runs compared: which numbers moved, and whether that matters."""

from ttr_sim.analysis.compare.comparison import Comparison, changes_between, compare, enough
from ttr_sim.analysis.compare.verdict import side_names, verdict, written

__all__ = ["Comparison", "changes_between", "compare", "enough", "side_names", "verdict", "written"]
