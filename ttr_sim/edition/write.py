"""Write an edition folder: a copy of another one, renamed or with keys of edition.toml changed."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ttr_sim.edition.keys import replaced
from ttr_sim.edition.overrides import apply_overrides, overrides_of
from ttr_sim.edition.problems import RULES_FILE

MAP_FILES = ("cities.csv", "routes.csv", "tickets.csv")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def copy_folder(source: Path, target: Path, settings: Sequence[str] = ()) -> None:
    """Copy a sound edition folder; with settings (`KEY=TOML`), edition.toml is rewritten without its comments."""
    target.mkdir(parents=True, exist_ok=True)
    for name in MAP_FILES:
        shutil.copyfile(source / name, target / name)
    if settings:
        _write_changed_rules(source / RULES_FILE, target / RULES_FILE, settings)
    else:
        shutil.copyfile(source / RULES_FILE, target / RULES_FILE)


def _write_changed_rules(source: Path, target: Path, settings: Sequence[str]) -> None:
    rules = tomllib.loads(source.read_text(encoding="utf-8-sig"))
    apply_overrides(rules, overrides_of(settings))
    # A setting may span lines, a comment may not.
    heading = "".join(f"# --set {' '.join(setting.split())}\n" for setting in settings)
    target.write_text(heading + toml_text(rules), encoding="utf-8")


def rename(rules_file: Path, name: str, title: str) -> None:
    """Give a copied edition.toml its own name and title; comments stay."""
    text = rules_file.read_text(encoding="utf-8-sig")
    for key, value in (("name", name), ("title", title)):
        text = replaced(text, (key,), _inline(value))
    rules_file.write_text(text, encoding="utf-8")


def toml_text(values: Mapping[str, Any]) -> str:
    """Return TOML with plain keys first, then a table for each block; deeper tables are written inline."""
    blocks = {name: value for name, value in values.items() if isinstance(value, dict)}
    plain = _lines({name: value for name, value in values.items() if name not in blocks})
    return "\n\n".join([plain, *(f"[{_key(name)}]\n{_lines(block)}" for name, block in blocks.items())]) + "\n"


def _lines(values: Mapping[str, Any]) -> str:
    return "\n".join(f"{_key(key)} = {_inline(value)}" for key, value in values.items())


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else _quoted(name)


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


def _quoted(text: str) -> str:
    """Return a TOML basic string: all of JSON's escapes are valid in it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
