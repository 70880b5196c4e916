"""Walk through docs/tutorial.md: write its files, make its edits, run its commands, and put what they print and draw
into it; `--check` walks and compares.

Comments say what a reader does by hand: `file: NAME` before a block that is a file's text, `edit: NAME: old -> new`,
`output` before the block that shows what the last command printed (with the options of scripts/readme), and `not run`
before commands that do not end.
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
from pathlib import Path

from scripts.tools.checkout import ROOT, plain_environment
from scripts.tools.readme import excerpt, named

TUTORIAL = ROOT / "docs" / "tutorial.md"
PICTURES = ROOT / "docs" / "tutorial"
STEP = re.compile(r"(?:<!-- (?P<what>.*?) -->\n)?(?:```(?P<language>\w*)\n(?P<text>.*?)```\n|(?<=-->\n))", re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\(tutorial/([^)]*)\)")
FINE, FINDINGS = 0, 1
NOT_IN_A_TEST = ("--open",)


@dataclass
class Walk:
    """A folder in which the tutorial is followed; `printed` is the last command's output."""

    folder: Path
    printed: str = ""

    def follow(self, step: re.Match[str]) -> str:
        """Do what the step says and return its text, with the output that it shows brought up to date."""
        what, block = step["what"] or "", step["text"]
        if what.startswith("edit: "):
            self._edit(*what.removeprefix("edit: ").split(": ", 1))
        elif what.startswith("file: "):
            (self.folder / what.removeprefix("file: ")).write_text(block, encoding="utf-8")
        elif what.startswith("output"):
            return f"<!-- {what} -->\n```\n{excerpt(self.printed, named(what.split('; ')[1:]))}```\n"
        elif block is not None and not what:
            for line in block.splitlines():
                self._run(line)
        return step[0]

    def _edit(self, name: str, change: str) -> None:
        file = self.folder / name
        old, new = change.split(" -> ")
        text = file.read_text(encoding="utf-8")
        if old not in text:
            raise SystemExit(f'Error: {name} has no "{old}" to edit.')
        file.write_text(text.replace(old, new), encoding="utf-8")

    def _run(self, line: str) -> None:
        sys.stderr.write(f"{line}\n")
        program, *words = shlex.split(line)
        call = [sys.executable, "-m", "ttr_sim", *(word for word in words if word not in NOT_IN_A_TEST)]
        done = subprocess.run(
            call, cwd=self.folder, env=plain_environment(), capture_output=True, text=True, check=False
        )
        if program != "ttr-sim" or done.returncode not in (FINE, FINDINGS):
            raise SystemExit(f"Error: a command of the tutorial fails: {line}\n{done.stdout}{done.stderr}")
        self.printed = done.stdout


def walked(tutorial: str, folder: Path) -> str:
    """Return the tutorial with the present output of its commands."""
    walk = Walk(folder)
    return STEP.sub(walk.follow, tutorial)


def pictures(tutorial: str) -> list[str]:
    return PICTURE.findall(tutorial)


def main(words: list[str]) -> int:
    summary, _, rest = (__doc__ or "").partition("\n\n")
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="scripts/tutorial", description=summary, epilog=rest, formatter_class=raw)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when an output is another")
    wish = parser.parse_args(words)
    old = TUTORIAL.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        new = walked(old, Path(home))
        if not wish.check:
            PICTURES.mkdir(exist_ok=True)
            for name in pictures(new):
                shutil.copyfile(Path(home) / name, PICTURES / name)
    if wish.check:
        return FINDINGS if new != old else FINE
    TUTORIAL.write_text(new, encoding="utf-8")
    return FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
