"""Pages in docs/ that a script writes, whole or in part: write one, or compare it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from scripts.tools.checkout import ROOT

END = "<!-- end -->"


def write_or_check(words: list[str], path: Path, page: Callable[[], str], script: str) -> int:
    """Write the page, or with `--check` say when it is out of date; return the exit code."""
    if words == ["--check"]:
        fresh = path.is_file() and path.read_text(encoding="utf-8") == page()
        if not fresh:
            sys.stderr.write(f"{path.relative_to(ROOT)} is out of date; run {script}\n")
        return 0 if fresh else 1
    if words:
        sys.stderr.write(f"Usage: {script} [--check]\n")
        return 2
    path.write_text(page(), encoding="utf-8")
    return 0


def page_with(page: str, made: str, begin: str) -> str:
    """Return the page with new text between the mark that begins it and the next END."""
    before, begin_found, rest = page.partition(begin)
    _, end, after = rest.partition(END)
    if not begin_found or not end:
        raise SystemExit(f"Error: the page has no lines {begin.strip()} and {END}, between which the table goes.")
    return f"{before}{begin}{made}{end}{after}"
