"""Parts that pages share: templates, a glossary, warnings, and how the runs were made.

A page is one HTML file that may run only its own script.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from ttr_sim import __version__
from ttr_sim.analysis.text import listed
from ttr_sim.analysis.tickets import REVERSED, SAME, UNSURE
from ttr_sim.bots.tuning import CHANGED, FITTING, state_of_tuning
from ttr_sim.edition import as_typed
from ttr_sim.errors import command_line
from ttr_sim.files import write_whole
from ttr_sim.report.charts.style import short
from ttr_sim.report.maps import ON_DARK, ON_LIGHT
from ttr_sim.report.numbers import WORDS, counted, players_words
from ttr_sim.report.stage import MOST_SIGNS
from ttr_sim.run.lineups import STRONG, STRONG_BOT

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis, RunInfo

SCRIPTS = ("verdict.js", "tables.js", "pointing.js")
GENERATOR = '<meta name="generator" content="ttr-sim">'
EXPLAINED = re.compile("|".join(rf"\b{word}\b" for word in sorted(WORDS["glossary"], key=len, reverse=True)))
SCRIPT_POLICY = re.compile(r"script-src ([^;\"]+)")
FIELDS: dict[str, str] = WORDS["fields"]
RECORDED = ("plan_hash", "digest", "digest_turns", "command", "set", "versions", "timings", "plan")  # of run.json
RECONSTRUCTED = "RECONSTRUCTED"  # how a provenance marks facts that matter to results


def write_document(path: Path, template: str, context: Mapping[str, Any]) -> Path:
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
    made_by.globals |= {"generator": Markup(GENERATOR), "captions": WORDS["captions"], "most_signs": MOST_SIGNS}
    made_by.globals |= {"style": Markup(asset("style.css")), "script": Markup("".join(map(asset, SCRIPTS)))}
    made_by.globals |= {"recorded": RECORDED, "field_words": FIELDS, "ramps": (ON_LIGHT, ON_DARK)}
    made_by.filters |= {"policy_hash": policy_hash, "code": with_code, "grouped": grouped, "holds_label": holds_label}
    made_by.filters |= {"plain_json": partial(json.dumps, ensure_ascii=False, default=str), "short": short}
    return made_by


def asset(name: str) -> str:
    return (files("ttr_sim.report") / "templates" / name).read_text(encoding="utf-8")


def with_code(words: str) -> Markup:
    """Escape words, and show text between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(words))))


def grouped(things: Mapping[int, Any], attribute: str = "") -> list[tuple[list[int], str]]:
    """Texts by player count, equal ones together. With an attribute, the texts are that of each thing."""
    found: dict[str, list[int]] = {}
    for count, thing in things.items():
        found.setdefault(getattr(thing, attribute) if attribute else thing, []).append(count)
    return [(counts, text) for text, counts in found.items()]


def holds_label(holds: Sequence[tuple[str, str]]) -> str:
    """Names by state, as in `agree: A and B`."""
    words = {SAME: "agree", UNSURE: "unsure", REVERSED: "the opposite"}
    names = {state: [name for name, held in holds if held == state] for state in words}
    return "; ".join(f"{words[state]}: {listed(agreed)}" for state, agreed in names.items() if agreed)


def policy_hash(script: str) -> Markup:
    """The name of an inline script in a page's policy: its digest."""
    # Named by digest, only our scripts run, even if a name from an edition slipped through unescaped.
    return Markup(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'")


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
                explained = Markup('<dfn tabindex="0" title="{}">{}</dfn>').format(WORDS["glossary"][word], word)
                parts += [escape(sentence[done : found.start()]), explained]
                done = found.end()
        return Markup("").join([*parts, escape(sentence[done:])])


def banner(analysis: Analysis) -> list[str]:
    edition = analysis.edition
    warnings = [edition.provenance] if RECONSTRUCTED in edition.provenance else []
    state = state_of_tuning(edition, STRONG_BOT)
    if state != FITTING and STRONG in set(analysis.tables["overview"]["field"]):
        tuned = "tuned for this board before its last change" if state == CHANGED else "not tuned for this board yet"
        tuning = command_line("tune", as_typed(edition))
        warnings.append(f"The {STRONG_BOT} was {tuned}; `{tuning}` does that, and may change what is said here.")
    return warnings + foreign_wants(analysis.runs)


def foreign_wants(runs: Sequence[RunInfo]) -> list[str]:
    """Warn about runs of other users or engines: nobody here has seen their bots publish wants."""
    from ttr_sim.engine.jit import SOURCE_HASH
    from ttr_sim.run.read import is_own, open_run

    played = [run for run in runs if run.record.get("plan")]
    foreign = [run for run in played if run.record["plan"]["kernel"] != SOURCE_HASH or not is_own(open_run(run.path))]
    which = "This run was" if len(foreign) == len(runs) == 1 else f"{len(foreign)} of these runs were"
    warning = (
        f"{which} not played here, or by another version of the engine. Which routes are fought over rests on the "
        "routes that the bots published, which are taken on trust."
    )
    return [warning] if foreign else []


def played(analysis: Analysis) -> str:
    by_field = analysis.tables["overview"].groupby("field", sort=False)["games"].sum()
    words = [f"{int(games):,} games {FIELDS.get(str(field), str(field))}" for field, games in by_field.items()]
    counts = sorted({run.players for run in analysis.runs})
    return f"{listed(words)}, with {listed(str(count) for count in counts)} players." if words else ""


def played_officially(analysis: Analysis) -> str:
    alike = all(run.field == STRONG for run in analysis.main_runs)
    return "played the same way" if alike else "played by strong players in every seat, not by these bots"
