"""Follow the README or the tutorial: write its files, make its edits, run its commands, and renew the outputs it shows.

Comments say what a reader does by hand: `file: NAME` before a block that is a file's text, `edit: NAME: old -> new`,
`not run: REASON` before commands to leave out, and `output` before the block that shows what the last command printed.
Options of `output`, as in `output; until: file://`, choose lines: with `lines` those that contain one of the texts,
with `until` those before the first that contains the text.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from scripts.tools.command import FINDINGS, FINE, ROOT, plain_environment

PAGES = {"readme": ROOT / "README.md", "tutorial": ROOT / "docs" / "tutorial.md"}
STEP = re.compile(r"(?:<!-- (?P<what>.*?) -->\n)?(?:```(?P<language>\w*)\n(?P<text>.*?)```\n|(?<=-->\n))", re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\((tutorial/[^)]*)\)")
NOT_IN_A_TEST = ("--open",)


@dataclass
class Walk:
    """A folder in which a page is followed. `printed` is the last command's output."""

    folder: Path
    printed: str = ""

    def follow(self, step: re.Match[str]) -> str:
        """Carry out a step, giving its text with the output brought up to date."""
        kind, _, rest = (step["what"] or "run").partition(": ")
        if kind == "edit":
            name, change = rest.split(": ", 1)
            old, new = change.split(" -> ")
            file = self.folder / name
            text = file.read_text(encoding="utf-8")
            if old not in text:
                raise SystemExit(f'Error: {name} has no "{old}" to edit.')
            file.write_text(text.replace(old, new), encoding="utf-8")
        elif kind == "file":
            (self.folder / rest).write_text(step["text"], encoding="utf-8")
        elif kind.startswith("output"):
            return f"<!-- {step['what']} -->\n```\n{excerpt(self.printed, step['what'])}```\n"
        elif kind == "run" and step["text"]:
            for line in step["text"].splitlines():
                self.run(line)
        return step[0]

    def run(self, line: str) -> None:
        sys.stderr.write(f"{line}\n")
        program, *words = shlex.split(line, comments=True)
        call = [sys.executable, "-m", "ttr_sim", *(word for word in words if word not in NOT_IN_A_TEST)]
        done = subprocess.run(
            call, cwd=self.folder, env=plain_environment(), capture_output=True, text=True, check=False
        )
        if program != "ttr-sim" or done.returncode not in (FINE, FINDINGS):
            raise SystemExit(f"Error: a command of the page fails: {line}\n{done.stdout}{done.stderr}")
        self.printed = done.stdout


def excerpt(printed: str, what: str) -> str:
    """Choose the lines that a page shows of an output, without spaces at their ends."""
    options = dict(option.partition(": ")[::2] for option in what.split("; ")[1:])
    lines = printed.strip("\n").splitlines()
    if "lines" in options:
        lines = [line for line in lines if any(text in line for text in options["lines"].split(", "))]
    if "until" in options:
        lines = [*takewhile(lambda line: options["until"] not in line, lines)]
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def main(words: list[str]) -> int:
    name, *words = words
    summary, _, rest = (__doc__ or "").partition("\n\n")
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog=f"scripts/{name}", description=summary, epilog=rest, formatter_class=raw)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when an output is another")
    is_check, page = parser.parse_args(words).check, PAGES[name]
    old = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        new = STEP.sub(Walk(Path(home)).follow, old)
        if not is_check:
            page.write_text(new, encoding="utf-8")
            for picture in PICTURE.findall(new):
                (page.parent / picture).parent.mkdir(exist_ok=True)
                shutil.copyfile(Path(home, Path(picture).name), page.parent / picture)
            return FINE
    known = set(old.splitlines())
    changed = [line for line in new.splitlines() if line not in known]
    if new != old:
        sys.stderr.write("\n".join([f"{page.name} is out of date; run scripts/{name}. New are:", *changed, ""]))
    return FINDINGS if new != old else FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
