"""The edition folder that a run keeps: the one played, with every `--set` written into it."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ttr_sim.edition.rules import apply_overrides
from ttr_sim.errors import UserError

RULES_FILE = "edition.toml"
BOARD_FILES = ("cities.csv", "routes.csv", "tickets.csv")


def overrides_of(settings: Sequence[str]) -> dict[str, str]:
    """`KEY=TOML` texts as a mapping."""
    overrides = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UserError(f"--set {setting}: give a key and a value, as in --set trains=40")
        if key.strip() in overrides:
            raise UserError(f"--set {key.strip()} is given twice")
        overrides[key.strip()] = value.strip()
    return overrides


def copy_edition(source: Path, target: Path, settings: Sequence[str]) -> None:
    """Copied beside and renamed: the folder is whole or absent."""
    unfinished = target.with_name(f".{target.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    for name in BOARD_FILES:
        shutil.copyfile(source / name, unfinished / name)
    _copy_rules(source / RULES_FILE, unfinished / RULES_FILE, settings)
    unfinished.rename(target)


def _copy_rules(source: Path, target: Path, settings: Sequence[str]) -> None:
    if not settings:
        shutil.copyfile(source, target)
        return
    rules = tomllib.loads(source.read_text(encoding="utf-8-sig"))
    apply_overrides(rules, overrides_of(settings))
    heading = "".join(f"# --set {setting}\n" for setting in settings)
    target.write_text(heading + toml_text(rules), encoding="utf-8")


def toml_text(values: Mapping[str, Any]) -> str:
    """Plain keys first, then a table for each block; what is deeper is written inline."""
    plain = [f"{_key(name)} = {_inline(value)}" for name, value in values.items() if not isinstance(value, dict)]
    blocks = [
        "\n".join([f"[{_key(name)}]", *(f"{_key(key)} = {_inline(value)}" for key, value in block.items())])
        for name, block in values.items()
        if isinstance(block, dict)
    ]
    return "\n\n".join(["\n".join(plain), *blocks]) + "\n"


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(entry) for entry in value) + "]"
    return str(value)


def _key(name: str) -> str:
    bare = name.replace("_", "").replace("-", "")
    return name if bare.isascii() and bare.isalnum() else _quoted(name)


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are all valid in it."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
