"""Run the README's examples again and write what they print into it; `--check` compares.

A comment before a block says what makes it:

    <!-- output of: new my-map, study my-map; only: Turn order, Both were; slow -->

A step is how one `scripts/ttr-sim` command of the README begins, or `the sql` and `the python`, which are the nearest
such blocks above. The last step's output is shown: with `only`, the points of its list that contain
one of these texts; with `paragraph`, the paragraph with this text. `slow` examples take minutes; `--quick` skips them.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from scripts.tools.checkout import ROOT
from ttr_sim.cli.output import fill_around_commands

README = ROOT / "README.md"
FINE, FINDINGS = 0, 1
EXAMPLE = re.compile(r"^<!-- output of: ([^\n]*?) -->\n```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
POINT = re.compile(r"^- .*(?:\n  .*)*", re.MULTILINE)
WIDTH = 100
LANGUAGES = {
    "the sql": ("sql", "import duckdb, sys; print(duckdb.sql(sys.argv[1]))"),
    "the python": ("python", "import sys; exec(sys.argv[1])"),
}


@dataclass(frozen=True)
class Example:
    """A block of output: where its text stands in the README and what makes it."""

    start: int
    end: int
    steps: tuple[str, ...]
    options: dict[str, str]

    @property
    def slow(self) -> bool:
        return "slow" in self.options

    def shown(self, printed: str) -> str:
        """What the block shows of the output, without spaces at the ends of lines."""
        if "only" in self.options:
            return only(printed, tuple(self.options["only"].split(", ")))
        if "paragraph" in self.options:
            printed = paragraph(printed, self.options["paragraph"])
        return "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())


@dataclass
class Workshop:
    """A folder in which the README's commands are run, each once."""

    readme: str
    folder: Path
    printed: dict[str, str] = field(default_factory=dict)

    def output(self, example: Example) -> str:
        for step in example.steps:
            if step not in self.printed or step in LANGUAGES:
                self.printed[step] = self._run(step, example.start)
        return example.shown(self.printed[example.steps[-1]]) + "\n"

    def _run(self, step: str, place: int) -> str:
        sys.stderr.write(f"{step} ...\n")
        if step in LANGUAGES:
            language, program = LANGUAGES[step]
            return self._python("-c", program, fences(self.readme[:place], language)[-1])
        return self._python("-m", "ttr_sim", *shlex.split(command(self.readme, step))[1:])

    def _python(self, *words: str) -> str:
        done = subprocess.run([sys.executable, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"Error: an example of the README fails:\n{done.stdout}{done.stderr}")
        return done.stdout


def fences(text: str, language: str) -> list[str]:
    """The fenced blocks of a language; "" for those that name none."""
    every = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [block for its_language, block in every if its_language == language]


def commands(readme: str) -> list[str]:
    lines = [line.split("  #")[0].strip() for block in fences(readme, "") for line in block.splitlines()]
    return [line for line in lines if line.startswith(("scripts/", "eval "))]


def command(readme: str, beginning: str) -> str:
    """The one ttr-sim command of the README that begins so."""
    found = [line for line in commands(readme) if line.startswith(f"scripts/ttr-sim {beginning}")]
    if len(set(found)) != 1:
        raise SystemExit(
            f'Error: {len(found)} commands of the README begin with "scripts/ttr-sim {beginning}", not one.'
        )
    return found[0]


def write_the_bot(readme: str, folder: Path) -> None:
    (bot,) = [code for code in fences(readme, "python") if code.startswith("# my_bots.py")]
    (folder / "my_bots.py").write_text(bot, encoding="utf-8")


def examples(readme: str) -> Iterator[Example]:
    for found in EXAMPLE.finditer(readme):
        steps, *options = found[1].split("; ")
        named = dict(option.partition(": ")[::2] for option in options)
        yield Example(found.start(2), found.end(2), tuple(steps.split(", ")), named)


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


def paragraph(printed: str, text: str) -> str:
    found = [part for part in printed.split("\n\n") if text in part]
    if len(found) != 1:
        raise SystemExit(f'Error: {len(found)} paragraphs of the output contain "{text}", not one:\n{printed}')
    return found[0]


def _wrapped(words: str) -> str:
    return fill_around_commands(words, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def renewed(readme: str, quick: bool) -> str:
    """The README with the examples' present output."""
    parts, done = [], 0
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(readme, Path(folder))
        write_the_bot(readme, workshop.folder)
        for example in examples(readme):
            if not (quick and example.slow):
                parts += [readme[done : example.start], workshop.output(example)]
                done = example.end
    return "".join([*parts, readme[done:]])


def main(words: list[str]) -> int:
    summary, _, rest = (__doc__ or "").partition("\n\n")
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="scripts/readme", description=summary, epilog=rest, formatter_class=raw)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when an output is another")
    parser.add_argument("--quick", action="store_true", help="skip the slow examples")
    wish = parser.parse_args(words)
    readme = README.read_text(encoding="utf-8")
    new = renewed(readme, wish.quick)
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
