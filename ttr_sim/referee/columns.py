"""Which columns of a turn belong to which action; all others must be empty."""

from __future__ import annotations

from operator import itemgetter

from ttr_sim.log import ACTION_NAMES
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

_DRAW = ("card1", "card1_from", "fill1", "card2", "card2_from")
_PAY = ("color", "cards", "wilds")
_CLAIM = (
    "route",
    "tunnel_cards",
    "tunnel_cost",
    "claimed",
    "passenger1",
    "passenger2",
    "merchandise",
    "bonus_ticket",
    "wanted_by",
)
_OF_ACTIONS = (*_DRAW, *_PAY, *_CLAIM, "city")
_USED = {"draw": _DRAW, "claim": _PAY + _CLAIM, "station": (*_PAY, "city")}
_UNUSED = {action: [name for name in _OF_ACTIONS if name not in _USED.get(action, ())] for action in ACTION_NAMES}
_CELLS = {action: itemgetter(*map(TurnRow._fields.index, names)) for action, names in _UNUSED.items()}


def _blanks(fill: str | None) -> dict[str, tuple[str | None, ...]]:
    return {action: tuple(fill if name == "fill1" else None for name in names) for action, names in _UNUSED.items()}


_BLANKS = {True: _blanks(""), False: _blanks(None)}


def check_unused_columns(table: Table, turn: TurnRow) -> None:
    """Nothing is logged that the action does not have."""
    cells = _CELLS[turn.action](turn)
    blanks = _BLANKS[table.row is not None][turn.action]
    if cells == blanks:
        return
    for name, cell, blank in zip(_UNUSED[turn.action], cells, blanks, strict=True):
        table.expect("log", f"{name} of the action {turn.action}", cell, blank)
