"""The wrong rules of wrong_rules.toml: the place of each in the engine, and the tests that must catch it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

CATALOG = Path(__file__).with_name("wrong_rules.toml")
# The bots that play choose from the moves they are offered, or try any.
OFFERED, UNOFFERED = "offered", "unoffered"


@dataclass(frozen=True)
class WrongRule:
    """A fragment of one function of the engine and a wrong one in its place.

    `test` is a test of tests/engine. `run` is what to play for the referee: edition, players, settings of the edition;
    `by` names who plays. Where no log can show the mistake, `no_log` gives the reason in place of a run.
    """

    number: int  # the switch; 0 is the engine as it is
    name: str
    file: str
    function: str
    right: str
    wrong: str
    test: str
    run: tuple[str, ...] = ()
    by: str = OFFERED
    no_log: str = ""


def wrong_rules() -> list[WrongRule]:
    entries = tomllib.loads(CATALOG.read_text(encoding="utf-8"))["rule"]
    return [
        WrongRule(number, **{**entry, "run": tuple(entry.get("run", "").split())})
        for number, entry in enumerate(entries, start=1)
    ]
