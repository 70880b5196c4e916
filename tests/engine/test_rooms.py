"""The engine serves all editions: it names none of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ttr_sim.edition import official_names

ENGINE = Path(__file__).parents[2] / "ttr_sim" / "engine"


@pytest.mark.parametrize("name", official_names())
def test_engine_names_no_edition(name: str) -> None:
    """But for the example that shows how to step a game, in a docstring."""
    pattern = re.compile(rf"\b{name.replace('_', '[_ ]')}\b", re.IGNORECASE)
    for file in sorted(ENGINE.glob("*.py")):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.strip().startswith(">>>")]
        assert not [line for line in lines if pattern.search(line)], file.name
