"""Pages from templates: each one HTML file that may run only its own script."""

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

from ttr_sim import __version__
from ttr_sim.files import write_whole
from ttr_sim.report.numbers import counted, players_words

SCRIPTS = ("tables.js", "pointing.js")
GENERATOR = '<meta name="generator" content="ttr-sim">'
MEANINGS = {
    "strong players": "the bot that plays best here, tuned for the board, in every seat",
    "planner": "the strongest bot: it plans its routes ahead and publishes the routes it currently wants",
    "fair share": "the wins that everybody would have if all were equal: 25 % with four players",
    "too generous": "a ticket that clearly gives more wins than others of its class",
    "too stingy": "a ticket that clearly gives fewer wins than others of its class",
    "class": "the tickets of a deck that print much, or those that print little",
    "dealt": "given at the start; deals are random, so what being dealt a ticket changes is the ticket's doing",
    "fought over": "taken by one player while a rival wanted it",
    "locks": "somebody who wanted the route finds no parallel route left",
    "open points": "the points everybody can see during the game; tickets are hidden until its end",
}
EXPLAINED = re.compile("|".join(rf"\b{word}\b" for word in sorted(MEANINGS, key=len, reverse=True)))
SCRIPT_POLICY = re.compile(r"script-src ([^;\"]+)")


def write_document(path: Path, template: str, context: Mapping[str, Any]) -> Path:
    """Make the page and write it."""
    write_whole(path, environment().get_template(template).render(context).encode())
    return path


@cache
def environment() -> Environment:
    """Set up templates, which escape everything that is not marked as safe."""
    made_by = Environment(
        loader=PackageLoader("ttr_sim.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made_by.globals |= {"counted": counted, "players_words": players_words, "version": __version__}
    made_by.globals |= {"generator": Markup(GENERATOR), "style": Markup(asset("style.css"))}
    made_by.globals |= {"script": Markup("".join(map(asset, SCRIPTS)))}
    made_by.filters |= {"policy_hash": policy_hash, "code": with_code}
    return made_by


def asset(name: str) -> str:
    return (files("ttr_sim.report") / "templates" / name).read_text(encoding="utf-8")


def with_code(words: str) -> Markup:
    """Escape words, and show text between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(words))))


def policy_hash(script: str) -> Markup:
    """The name of an inline script in a page's policy: its digest."""
    # Named by digest, only our scripts run, even if a name from an edition slipped through unescaped.
    return Markup(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'")


class Explainer:
    """Explains each word of the glossary where it first stands on a page."""

    def __init__(self) -> None:
        self.explained: set[str] = set()

    def __call__(self, sentence: str) -> Markup:
        parts, done = [], 0
        for found in EXPLAINED.finditer(sentence):
            word = found[0]
            if word not in self.explained:
                self.explained.add(word)
                explained = Markup('<dfn tabindex="0" title="{}">{}</dfn>').format(MEANINGS[word], word)
                parts += [escape(sentence[done : found.start()]), explained]
                done = found.end()
        return Markup("").join([*parts, escape(sentence[done:])])


def live_page(page: str, version: int) -> str:
    """Add a script that asks the page's server for the newest page.

    A written report asks for nothing. Only this page may ask, only its own server, and says so in its policy. Opened
    as a file it cannot, and has a button instead.
    """
    script = asset("live.js")
    allowed = SCRIPT_POLICY.sub(rf"script-src \1 {policy_hash(script)}; connect-src 'self'", page, count=1)
    head, end, tail = allowed.rpartition("</body>")
    bar = f'<p id="live" role="status" data-version="{version}" hidden></p>\n<style>{asset("live.css")}</style>\n'
    return f"{head}{bar}<script>{script}</script>\n{end}{tail}"
