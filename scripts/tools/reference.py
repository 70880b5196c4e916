"""Write the generated tables of docs/log.md and docs/statics.md. `--check` compares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.tools.command import ROOT
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.statics import MEASURES, shown, statics, values_of
from ttr_sim.log import TABLES

BEGIN, END = "<!-- made by: scripts/{} -->\n", "<!-- end -->"


def log_columns() -> Iterator[str]:
    for table, columns in TABLES.items():
        yield f"## {table}\n\n| column | type | null | meaning |\n|---|---|---|---|"
        for column in columns:
            values = f" ({', '.join(f'`{name}`' for name in column.names)})" if column.names else ""
            meaning = column.meaning.replace("|", "\\|") + values
            yield f"| `{column.name}` | {column.type} | {'yes' if column.nullable else ''} | {meaning} |"
        yield ""


def board_measures() -> Iterator[str]:
    yield "| measure | in | definition |\n|---|---|---|"
    for measure in MEASURES:
        yield f"| {measure.name} | {measure.unit} | {measure.definition} |"
    boards = [values_of(statics(load_edition(name))) for name in official_names()]
    yield f"\n| measure | {' | '.join(official_names())} | in |"
    yield "|---" + "|---:" * len(boards) + "|---|"
    for measure in MEASURES:
        values = " | ".join(shown(board[measure.name]) for board in boards)
        yield f"| {measure.name} | {values} | {measure.unit} |"
    yield ""


PAGES: dict[Path, Callable[[], Iterator[str]]] = {
    ROOT / "docs" / "log.md": log_columns,
    ROOT / "docs" / "statics.md": board_measures,
}


def page_with(page: str, made: str, script: str) -> str:
    """Replace the text between the script's mark and the next end mark."""
    begin = BEGIN.format(script)
    before, begin_found, rest = page.partition(begin)
    _, end, after = rest.partition(END)
    if not begin_found or not end:
        raise SystemExit(f"Error: the page has no lines {begin.strip()} and {END} around the generated text.")
    return f"{before}{begin}{made}{end}{after}"


def write_reference(words: list[str]) -> int:
    if words not in ([], ["--check"]):
        sys.stderr.write("Usage: scripts/reference [--check]\n")
        return 2
    stale = 0
    for file, lines in PAGES.items():
        page = file.read_text(encoding="utf-8")
        new = page_with(page, "\n".join(lines()) + "\n", "reference")
        if words and new != page:
            sys.stderr.write(f"{file.relative_to(ROOT)} is out of date; run scripts/reference\n")
            stale = 1
        if not words:
            file.write_text(new, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(write_reference(sys.argv[1:]))
