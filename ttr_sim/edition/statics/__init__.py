"""What a board is before anyone plays: load, shape, tickets and colors, from the edition alone."""

from ttr_sim.edition.statics.board import Statics, statics
from ttr_sim.edition.statics.measures import MEASURES, Measure, shown
from ttr_sim.edition.statics.official import ComparedMeasure, measured

__all__ = ["MEASURES", "ComparedMeasure", "Measure", "Statics", "measured", "shown", "statics"]
