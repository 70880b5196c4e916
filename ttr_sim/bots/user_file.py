"""A user's own bot, from a Python file."""

from __future__ import annotations

from typing import Any

from ttr_sim.errors import UserError


def load_user_bot(*arguments: Any) -> Any:
    raise UserError("bots from a file cannot be played yet")
