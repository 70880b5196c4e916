"""Editions: the rules and map of a game, read from a folder."""

from ttr_sim.edition.load import (
    as_typed,
    check_folder,
    edition_names,
    find_folder,
    known_name,
    load_edition,
    official_names,
    variants,
)
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import Problem, Problems

__all__ = [
    "Edition",
    "Problem",
    "Problems",
    "as_typed",
    "check_folder",
    "edition_names",
    "find_folder",
    "known_name",
    "load_edition",
    "official_names",
    "variants",
]
