"""`ttr-sim editions`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Outcome
from ttr_sim.edition import edition_names, load_edition, official_names, variants

Command = Callable[..., Outcome]


def test_json_has_the_keys_of_the_contract(command: Command) -> None:
    entries = json.loads(command("editions", "--json").out)
    assert [entry["name"] for entry in entries] == [*official_names(), *variants()]
    keys = ["name", "title", "folder", "players", "cities", "routes", "tickets", "trains", "provenance", "fingerprint"]
    official, others = entries[: len(official_names())], entries[len(official_names()) :]
    assert [list(entry) for entry in official] == [keys] * len(official)
    assert [list(entry) for entry in others] == [[*keys, "variant_of"]] * len(others)
    assert {entry["name"]: entry["variant_of"] for entry in others} == variants()
    usa = entries[0]
    assert (usa["players"], usa["cities"], usa["routes"], usa["tickets"], usa["trains"]) == ([2, 5], 36, 100, 30, 45)
    assert (Path(usa["folder"]) / "edition.toml").is_file()
    assert usa["fingerprint"] == load_edition("usa").fingerprint


def test_text_repeats_what_is_reconstructed(command: Command) -> None:
    text = " ".join(command("editions").out.split())
    for name in edition_names():
        assert load_edition(name).provenance in text
