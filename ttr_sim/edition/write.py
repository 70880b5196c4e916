"""Write an edition folder: a copy of another one, renamed or with keys of edition.toml changed."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE, RULES_FILE, Problems, decode
from ttr_sim.edition.rules import apply_overrides, overrides_of, replaced

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def write_folder(edition: Edition, folder: Path, settings: Sequence[str] = ()) -> None:
    """Write the edition as it was read. With settings (`KEY=TOML`), edition.toml loses its comments."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files_with(edition, settings).items():
        (folder / name).write_bytes(data)


def files_with(edition: Edition, settings: Sequence[str]) -> dict[str, bytes]:
    """Contents of files by name, with settings laid over edition.toml."""
    files = dict(edition.files)
    if settings:
        rules = tomllib.loads(decode(files[RULES_FILE], RULES_FILE, Problems()) or "")
        apply_overrides(rules, overrides_of(settings))
        # A setting may span lines, a comment may not.
        heading = "".join(f"# --set {' '.join(setting.split())}\n" for setting in settings)
        files[RULES_FILE] = (heading + toml_text(rules)).encode()
    return files


def with_bots_of(edition: Edition, other: Edition) -> Edition:
    """Replace the edition's bots.toml by another one's, so that bots play alike on both."""
    files = {name: data for name, data in edition.files.items() if name != BOTS_FILE}
    if BOTS_FILE in other.files:
        files[BOTS_FILE] = other.files[BOTS_FILE]
    return replace(edition, files=files)


def rename(rules_file: Path, name: str, title: str, provenance: str | None) -> None:
    """Give a copied edition.toml its own name, title and, if given, provenance. Comments stay."""
    text = rules_file.read_text(encoding="utf-8-sig")
    changed = {"name": name, "title": title} | ({"provenance": provenance} if provenance else {})
    # The file may lack the key: put it below the title.
    if provenance and "provenance" not in tomllib.loads(text):
        text = replaced(text, ("title",), '""\nprovenance = ""')
    for key, value in changed.items():
        text = replaced(text, (key,), toml_value(value))
    rules_file.write_text(text, encoding="utf-8")


def toml_text(values: Mapping[str, Any]) -> str:
    """Format plain keys first, then a table for each block, with deeper tables inline."""
    plain, blocks = "", ""
    for name, value in values.items():
        if isinstance(value, dict):
            lines = (f"{_key(key)} = {toml_value(entry)}\n" for key, entry in value.items())
            blocks += f"\n[{_key(name)}]\n{''.join(lines)}"
        else:
            plain += f"{_key(name)} = {toml_value(value)}\n"
    return plain + blocks


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else toml_value(name)


def toml_value(value: Any) -> str:
    """Format a value on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):  # a TOML basic string takes all of JSON's escapes
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(entry) for entry in value) + "]"
    return str(value)
