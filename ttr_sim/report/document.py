"""A template made into a page: one HTML file whose policy allows its own script and nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from ttr_sim.files import write_whole
from ttr_sim.report.numbers import counted, players_words

SCRIPTS = ("tables.js", "pointing.js")
GENERATOR = '<meta name="generator" content="ttr-sim">'


def write_document(path: Path, template: str, context: Mapping[str, Any]) -> Path:
    """Make the page and write it."""
    write_whole(path, environment().get_template(template).render(context).encode())
    return path


@cache
def environment() -> Environment:
    """Return the templates, which escape everything that is not marked as safe by the code that made it."""
    loader = PackageLoader("ttr_sim.report", "templates")
    made_by = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made_by.globals |= {"counted": counted, "players_words": players_words, "generator": Markup(GENERATOR)}
    made_by.globals |= {"style": Markup(asset("style.css")), "script": Markup("".join(map(asset, SCRIPTS)))}
    made_by.filters |= {"policy_hash": policy_hash, "code": with_code}
    return made_by


def asset(name: str) -> str:
    return (files("ttr_sim.report") / "templates" / name).read_text(encoding="utf-8")


def with_code(words: str) -> Markup:
    """Return words, escaped, with what stands between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(words))))


def policy_hash(script: str) -> Markup:
    """Return how a page's policy names an inline script: by its digest."""
    return Markup(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'")
