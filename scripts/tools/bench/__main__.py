"""The bench: subjects measured in one process, printed as a table or as JSON."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from typing import Any

from scripts.tools.bench.goals import with_goals
from scripts.tools.bench.measure import Row, machine

SUBJECTS = {
    "engine": "games and turns a second and core, by bot, edition and players, log columns off and on",
    "yardstick": "random and planner on USA, played, run and logged, against the same game in C where there is a gcc",
    "bots": "win shares of the planner against each style, scores and games a second of each against itself",
    "playouts": "playouts a second from the middle of games, by edition and players",
    "start": "cold compile, warm start to the first game, bytes a rollout copies",
    "runs": "two jobs against one, cost of the log and of its digests, bytes, memory",
    "cluster": "two local workers of a Dask cluster against two threads",
    "loop": "a quick study to the first sentence and to the verdict, a study told again, a save to the new verdict",
    "reports": "all tables, the page and a comparison, of 160,000 games and of a million",
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description=__doc__, epilog="example: scripts/bench engine --quick --json"
    )
    parser.add_argument("subjects", nargs="*", choices=[[], *SUBJECTS], metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--quick", action="store_true", help="shorter measures: rougher figures")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    words = parser.parse_args()
    results = {}
    for subject in words.subjects or SUBJECTS:
        sys.stderr.write(f"{subject}: {SUBJECTS[subject]}\n")
        rows = importlib.import_module(f"scripts.tools.bench.{subject}").measure(words.quick)
        results[subject] = [with_goals(subject, row) for row in rows]
        if not words.json:
            print_table(subject, results[subject])
    if words.json:
        print(json.dumps({"machine": machine(), "subjects": results}, indent=1))
    return 0


def print_table(subject: str, rows: list[Row]) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    print(f"\n{subject}")
    for line in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    sys.exit(main())
