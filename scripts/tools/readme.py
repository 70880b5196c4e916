"""Run the README's examples again and write what they print into it; `--check` compares.

A comment before a block says what makes it:

    <!-- output of: study usa; until: file:// -->

The step is how one `ttr-sim` command of the README begins. Options say what is shown of its output: with `only`, the
points of its list that contain one of the texts; with `lines`, the lines that do; with `until`, the lines before the
first that does. It takes minutes.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from scripts.tools.checkout import ROOT, plain_environment
from ttr_sim.cli.output import fill_around_commands

README = ROOT / "README.md"
FINE, FINDINGS = 0, 1
EXAMPLE = re.compile(r"^<!-- output of: ([^\n]*?) -->\n```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
POINT = re.compile(r"^- .*(?:\n  .*)*", re.MULTILINE)
WIDTH = 100
PROGRAM = "ttr-sim "


@dataclass(frozen=True)
class Example:
    """A block of output: where its text stands in the README and what makes it."""

    start: int
    end: int
    step: str
    options: dict[str, str]


@dataclass
class Workshop:
    """A folder in which the README's commands are run, each once."""

    readme: str
    folder: Path
    printed: dict[str, str] = field(default_factory=dict)

    def output(self, example: Example) -> str:
        if example.step not in self.printed:
            self.printed[example.step] = self._run(example.step)
        return excerpt(self.printed[example.step], example.options)

    def _run(self, step: str) -> str:
        sys.stderr.write(f"{step} ...\n")
        call = [sys.executable, "-m", "ttr_sim", *shlex.split(command(self.readme, step))[1:]]
        done = subprocess.run(
            call, cwd=self.folder, env=plain_environment(), capture_output=True, text=True, check=False
        )
        if done.returncode not in (FINE, FINDINGS):
            raise SystemExit(f"Error: an example of the README fails:\n{done.stdout}{done.stderr}")
        return done.stdout


def fences(text: str) -> list[str]:
    """The fenced blocks that name no language."""
    return re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(readme: str) -> list[str]:
    # Indented lines are output, which names commands, too.
    lines = [line.split("  #")[0].rstrip() for block in fences(readme) for line in block.splitlines()]
    return [line for line in lines if line.startswith(("scripts/", PROGRAM))]


def command(readme: str, beginning: str) -> str:
    """The one ttr-sim command of the README that begins so."""
    every = {line.removeprefix("scripts/") for line in commands(readme)}
    found = [line for line in every if line.startswith(PROGRAM + beginning)]
    if len(found) != 1:
        raise SystemExit(f'Error: {len(found)} commands of the README begin with "{PROGRAM}{beginning}", not one.')
    return found[0]


def examples(readme: str) -> Iterator[Example]:
    for found in EXAMPLE.finditer(readme):
        step, *options = found[1].split("; ")
        yield Example(found.start(2), found.end(2), step, named(options))


def named(options: Sequence[str]) -> dict[str, str]:
    return dict(option.partition(": ")[::2] for option in options)


def excerpt(printed: str, options: Mapping[str, str]) -> str:
    """What a page shows of an output, without spaces at the ends of lines."""
    lines = printed.strip("\n").splitlines()
    if "only" in options:
        lines = only(printed, tuple(options["only"].split(", "))).splitlines()
    if "lines" in options:
        lines = [line for line in lines if any(text in line for text in options["lines"].split(", "))]
    if "until" in options:
        lines = [*takewhile(lambda line: options["until"] not in line, lines)]
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def only(printed: str, texts: tuple[str, ...]) -> str:
    """The points with one of the texts; "[...]" stands where others were between them."""
    kept: list[str] = []
    missing, skipped = set(texts), False
    for point in POINT.findall(printed):
        found = {text for text in texts if text in " ".join(point.split())}
        missing -= found
        if found:
            words = " ".join(point[2:].split())
            kept.append(_wrapped(f"[...] {words}" if skipped and kept else words))
        skipped = not found
    if missing:
        raise SystemExit(f"Error: the output has no point with {' or '.join(sorted(missing))}:\n{printed}")
    return "\n".join(kept)


def _wrapped(words: str) -> str:
    return fill_around_commands(words, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def renewed(readme: str) -> str:
    """The README with the examples' present output."""
    parts, done = [], 0
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(readme, Path(folder))
        for example in examples(readme):
            parts += [readme[done : example.start], workshop.output(example)]
            done = example.end
    return "".join([*parts, readme[done:]])


def main(words: list[str]) -> int:
    summary, _, rest = (__doc__ or "").partition("\n\n")
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="scripts/readme", description=summary, epilog=rest, formatter_class=raw)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when an output is another")
    wish = parser.parse_args(words)
    readme = README.read_text(encoding="utf-8")
    new = renewed(readme)
    if not wish.check:
        README.write_text(new, encoding="utf-8")
        return FINE
    old_lines = set(readme.splitlines())
    changed = [line for line in new.splitlines() if line not in old_lines]
    if changed:
        sys.stderr.write("\n".join(["README.md is out of date; run scripts/readme. New are:", *changed, ""]))
    return FINDINGS if new != readme else FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
