"""Statics: load, shape, tickets and colors of a board, measured from the edition alone."""

from ttr_sim.edition.statics.board import Statics, statics
from ttr_sim.edition.statics.measures import MEASURES, ComparedMeasure, Measure, measured, shown

__all__ = ["MEASURES", "ComparedMeasure", "Measure", "Statics", "measured", "shown", "statics"]
