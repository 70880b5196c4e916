"""Read edition.toml, with `--set` overrides laid over it, into clean values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ttr_sim.edition.keys import Path, Places, key_places, nearest
from ttr_sim.edition.overrides import apply_overrides
from ttr_sim.edition.problems import RULES_FILE, Place, Problems
from ttr_sim.edition.schema import BLOCKS, TOP, Block, Key, shown
from ttr_sim.edition.toml_limits import too_much
from ttr_sim.errors import closest

MOST_UNKNOWN = 50  # beyond that the file is something else


@dataclass(frozen=True, slots=True)
class Rules:
    """Clean values by key (blocks are dictionaries, absent ones are missing) and where each is."""

    values: dict[str, Any]
    places: Places
    overrides: frozenset[Path]
    problems: Problems = field(repr=False)

    def place(self, *path: str) -> Place:
        """Return where a key is: in the file, or in a `--set` on it or on a part of it."""
        for key in self.overrides:
            if key[: len(path)] == path or path[: len(key)] == key:
                return Place(f"--set {'.'.join(key)}", 0, 0)
        return Place(RULES_FILE, *nearest(self.places, path))

    def error(self, path: Path, message: str, hint: str | None = None) -> None:
        self.problems.error(self.place(*path), message, hint)

    def warn(self, path: Path, message: str, hint: str | None = None) -> None:
        self.problems.warn(self.place(*path), message, hint)

    def __contains__(self, block: str) -> bool:
        return block in self.values

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def get(self, *path: str) -> Any:
        """Return a value, or None when it is absent, omitted or wrong (reported when it was read)."""
        value: Any = self.values
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value


def parse_toml(text: str, file: str, problems: Problems) -> dict[str, Any] | None:
    """Return the raw values, or None after reporting what is wrong with the text."""
    if refused := too_much(text):
        message, offset = refused
        before = text[:offset]
        problems.error(Place(file, before.count("\n") + 1, offset - before.rfind("\n")), message)
        return None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line, column = _without_place(str(error), text)
        problems.error(Place(file, line, column), f"not valid TOML: {message}")
    except (RecursionError, ValueError) as error:  # brackets without end, numbers of a thousand digits
        problems.error(Place(file), f"not valid TOML: {error}")
    return None


def read_rules(text: str, overrides: Mapping[str, str], problems: Problems) -> Rules | None:
    """Return the rules, or None when the text is not TOML; wrong keys are reported and left out."""
    raw = parse_toml(text, RULES_FILE, problems)
    if raw is None:
        return None
    apply_overrides(raw, overrides)
    paths = frozenset(tuple(key.split(".")) for key in overrides)
    rules = Rules({}, key_places(text), paths, problems)
    _report_unknown(rules, (), raw, {**TOP, **BLOCKS})
    rules.values.update(_read_keys(rules, (), raw, TOP))
    for name, block in BLOCKS.items():
        if name in raw:
            rules.values[name] = _read_block(rules, (name,), raw[name], block)
        elif block.required:
            rules.error((), f"the block [{name}] is missing")
    return rules


def _without_place(message: str, text: str) -> tuple[str, int, int]:
    """Split the parser's `what (at line 3, column 5)` or `what (at end of document)`."""
    what = re.sub(r" \(at .*\)$", "", message)
    if numbers := re.search(r"\(at line (\d+), column (\d+)\)$", message):
        return what, int(numbers[1]), int(numbers[2])
    return what, text.count("\n") + (not text.endswith("\n")), 1


def _read_block(rules: Rules, path: Path, raw: object, block: Block) -> dict[str, Any]:
    if not isinstance(raw, dict):
        rules.error(path, f"{_dotted(path)} must be a block such as [{_dotted(path)}], not {shown(raw)}")
        return {}
    if block.named:
        one = Block(block.keys)
        return {name: _read_block(rules, (*path, name), value, one) for name, value in raw.items()}
    _report_unknown(rules, path, raw, block.keys)
    return _read_keys(rules, path, raw, block.keys)


def _read_keys(rules: Rules, path: Path, raw: dict[str, Any], keys: Mapping[str, Key]) -> dict[str, Any]:
    """Return the values that pass their check and defaults for those omitted; report the others."""
    clean: dict[str, Any] = {}
    for name, key in keys.items():
        here = (*path, name)
        if name not in raw and key.required:
            rules.error(path, f'the key "{_dotted(here)}" is missing')
        elif name not in raw:
            clean[name] = key.default
        elif message := key.check(raw[name]):
            rules.error(here, f"{_dotted(here)} {message}")
        else:
            clean[name] = raw[name]
    return clean


def _report_unknown(rules: Rules, path: Path, raw: Iterable[str], known: Mapping[str, object]) -> None:
    unknown = [name for name in raw if name not in known]
    for name in unknown[:MOST_UNKNOWN]:
        rules.error((*path, name), f"unknown key {shown(_dotted((*path, name)))}", closest(name, known))
    if len(unknown) > MOST_UNKNOWN:
        rules.error((*path, unknown[MOST_UNKNOWN]), f"{len(unknown) - MOST_UNKNOWN:,} more unknown keys from here on")


def _dotted(path: Path) -> str:
    return ".".join(path)
