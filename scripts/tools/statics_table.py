"""Write docs/statics.md: what each measure of a board is, and its value on the official boards; `--check` compares."""

from __future__ import annotations

import sys

from scripts.tools.checkout import ROOT
from scripts.tools.written_page import write_or_check
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.statics import MEASURES, shown, statics

PAGE = ROOT / "docs" / "statics.md"
HEAD = """\
# The board before anyone plays

Written by `scripts/statics-table` from `ttr_sim/edition/statics/`; edit that folder or the script, not this page.

`ttr-sim show EDITION` prints these measures beside the range of the official boards (for an official board: of the
other four), with the connections, regions and tickets behind them; `--json` has every connection and each definition.
A report has them under "Before anyone plays", with each connection's load on its map.
`ttr-sim check` warns of a measure that lies outside the range by more than half of the range's width. That is a
description, not a verdict: an even board is not the aim, and five boards do not draw a sharp line.

## What the words mean

- **Connection**: two cities joined by one printed route or more. Its length is that of its shortest route.
- **Lanes**: how many routes of a connection can be claimed at a full table. One where the rules close the others up to
  the most players (`[parallel]`), and never more than there are players.
- **Ways** of a ticket: all paths that complete it with at most two trains more than the shortest and visit no city
  twice. Each counts the same. No way runs through a country, and a ticket to a country may end at any of its spots.
- **Full table**: as many players as the edition allows, each with the tickets that setup deals. Every ticket of a deck
  is equally likely to be dealt; where players choose the decks (Germany), every ticket is.
- **Load** of a connection: for each ticket, its chance of being dealt at a full table times the share of its ways
  that use the connection, summed. *Per lane*: divided by the lanes.
- **Place**: a city, or a country with all of its spots.
- **In common** between two tickets: take the share of each ticket's ways that use a connection, times its length. The
  smaller of the two shares counts as common; what is common is divided by what either has.
- **Bridges, cut cities, dead ends, regions** are those of the cities alone: a country is a dead end by rule. A lost
  connection is lost with all of its lanes.

## Measures

| measure | in | definition |
|---|---|---|
"""
VALUES = """
## The official boards

Norms known of printed boards come out under these definitions, and the two numbers in them (two trains, 1.5 times) were
chosen so that they do: 8 to 19 crowded connections at a full table, 7 to 21 % of the connections needed by no ticket
(First Journey: 6.67), most tickets worth their shortest path. First Journey prints no points.

"""


def page() -> str:
    definitions = [f"| {measure.name} | {measure.unit} | {measure.definition} |" for measure in MEASURES]
    return HEAD + "\n".join(definitions) + "\n" + VALUES + "\n".join(_table()) + "\n"


def _table() -> list[str]:
    boards = [statics(load_edition(name)) for name in official_names()]
    heading = f"| measure | {' | '.join(official_names())} | in |"
    rows = [
        f"| {measure.name} | {' | '.join(shown(measure.of(board)) for board in boards)} | {measure.unit} |"
        for measure in MEASURES
    ]
    return [heading, "|---" + "|---:" * len(boards) + "|---|", *rows]


def main(words: list[str]) -> int:
    return write_or_check(words, PAGE, page, "scripts/statics-table")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
