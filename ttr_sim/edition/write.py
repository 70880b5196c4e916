"""Write an edition folder: a copy of another one, with keys of edition.toml changed or under a new name."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ttr_sim.edition.keys import replaced
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.rules import apply_overrides

MAP_FILES = ("cities.csv", "routes.csv", "tickets.csv")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def write_folder(source: Path, target: Path, overrides: Mapping[str, str] | None = None) -> None:
    """Copy a sound edition folder; with overrides its edition.toml is written anew, without comments."""
    target.mkdir(parents=True, exist_ok=True)
    for name in MAP_FILES:
        shutil.copyfile(source / name, target / name)
    if not overrides:
        shutil.copyfile(source / RULES_FILE, target / RULES_FILE)
        return
    values = tomllib.loads((source / RULES_FILE).read_text(encoding="utf-8-sig"))
    apply_overrides(values, overrides)
    (target / RULES_FILE).write_text(_toml(values), encoding="utf-8")


def rename(rules_file: Path, name: str, title: str) -> None:
    """Give a copied edition.toml its own name and title; comments stay."""
    text = rules_file.read_text(encoding="utf-8-sig")
    for key, value in (("name", name), ("title", title)):
        text = replaced(text, (key,), _value(value))
    rules_file.write_text(text, encoding="utf-8")


def _toml(values: Mapping[str, Any]) -> str:
    """Plain keys first, then a block for each table."""
    plain = [f"{_key(key)} = {_value(value)}" for key, value in values.items() if not isinstance(value, dict)]
    blocks = [_block(_key(key), value) for key, value in values.items() if isinstance(value, dict)]
    return "\n\n".join(["\n".join(plain), *blocks]) + "\n"


def _block(heading: str, values: Mapping[str, Any]) -> str:
    return "\n".join([f"[{heading}]", *(f"{_key(key)} = {_value(value)}" for key, value in values.items())])


def _key(key: str) -> str:
    return key if BARE_KEY.fullmatch(key) else _text(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    return str(value)


def _text(text: str) -> str:
    """A TOML basic string; what cannot be printed is escaped."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(letter if letter.isprintable() else f"\\U{ord(letter):08X}" for letter in plain) + '"'
