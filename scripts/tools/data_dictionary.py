"""Write docs/log.md from the one place that names the log's columns; `--check` compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from scripts.tools.checkout import ROOT
from scripts.tools.written_page import write_or_check
from ttr_sim.log import TABLES, Column

PAGE = ROOT / "docs" / "log.md"
ROWS = {
    "games": "One row per game.",
    "seats": "One row per seat of a game.",
    "turns": "One row per turn; `--log results` omits this table.",
    "tickets": "One row per ticket offered to a seat.",
}
HEAD = """\
# The log of a run

Written by `scripts/data-dictionary` from `ttr_sim/log.py`; edit that file, not this page.

A run is a folder: `run.json` (the plan, its hash, the edition's fingerprint, versions, digests), `edition/` (the
folder that was played) and a folder per table, with Parquet files `part-00000.parquet` and so on. All can be read with
pandas, DuckDB or any other reader; `ttr_sim.open_run(folder)` joins the names.

- Ids are row numbers, from 0 and without the heading line, of the edition's CSV files.
- Card letters are those of `edition.toml`, `*` is a wild.
- null means that a column does not apply: the edition lacks the feature, or the action has no such field.
- `text` and `letter` are strings; `name` is a string out of a short list, stored as a dictionary.
"""


def page() -> str:
    return "\n".join([HEAD, *("\n".join(section(table)) for table in TABLES)])


def section(table: str) -> Iterator[str]:
    yield f"## {table}\n\n{ROWS[table]}\n\n| column | type | null | meaning |\n|---|---|---|---|"
    for column in TABLES[table]:
        yield f"| `{column.name}` | {column.type} | {'yes' if column.nullable else ''} | {meaning(column)} |"
    yield ""


def meaning(column: Column) -> str:
    values = f" ({', '.join(f'`{name}`' for name in column.names)})" if column.names else ""
    return column.meaning.replace("|", "\\|") + values


def main(words: list[str]) -> int:
    return write_or_check(words, PAGE, page, "scripts/data-dictionary")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
