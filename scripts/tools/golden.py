"""The guard: games, tables, words and audits that a change must keep.

    scripts/golden                    write everything under tests/golden again
    scripts/golden --check            compare instead; exit 1 and name each difference
    scripts/golden --check words      one part: texts, games, tables, words or audits
    scripts/golden --check games usa  one edition of it

Games are compared by a hash of their decoded rows, tables to 1e-9, words to the letter.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

import ttr_sim
from tests.engine.golden import file_of, game_text
from ttr_sim.cli.main import COMMANDS, main
from ttr_sim.edition import load_edition, official_names
from ttr_sim.log import TABLES

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"
PARTS = ("texts", "games", "tables", "words", "audits")
STYLES = ("random", "onestep", "hungry", "path", "longroute", "racer", "blocker", "planner")
SEEDS = (1, 2, 3)
SEARCH = "search:budget=4,planner"
# Their model and runs are to change, so intervals are compared by hand.
UNGUARDED_TABLES = ("rewards", "shape")
SPOILED_POINTS = 20  # of the first ticket of the board that is balanced


@dataclass
class Guard:
    """Writes files or, with `check`, compares them. `differences` are sentences."""

    check: bool
    editions: tuple[str, ...]
    folder: Path
    differences: list[str] = field(default_factory=list)

    def keep(self, name: str, text: str) -> None:
        file = GOLDEN / name
        known = file.read_text(encoding="utf-8") if file.is_file() else ""
        if not self.check:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif known != text:
            lines = itertools.zip_longest(known.splitlines(), text.splitlines())
            self.differences += [f"{name}: {old!r} became {new!r}" for old, new in lines if old != new]

    def keep_table(self, name: str, table: pd.DataFrame) -> None:
        file = GOLDEN / name
        if not self.check:
            file.parent.mkdir(parents=True, exist_ok=True)
            table.to_csv(file, index=False, float_format="%.17g", lineterminator="\n")
        elif not file.is_file():
            self.differences.append(f"{name}: is new")
        else:
            known = pd.read_csv(file, dtype=str, keep_default_na=False)
            self.differences += [f"{name}: {line}" for line in changed_cells(known, as_text(table))]


def as_text(table: pd.DataFrame) -> pd.DataFrame:
    text = table.to_csv(None, index=False, float_format="%.17g", lineterminator="\n")
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def changed_cells(known: pd.DataFrame, new: pd.DataFrame) -> Iterator[str]:
    if list(known.columns) != list(new.columns):
        gone, added = set(known.columns) - set(new.columns), set(new.columns) - set(known.columns)
        yield f"columns gone: {sorted(gone)}, added: {sorted(added)}, or in another order"
    if len(known) != len(new):
        yield f"{len(known)} rows became {len(new)}"
        return
    for column in [name for name in known.columns if name in new.columns]:
        cells = enumerate(zip(known[column], new[column], strict=True))
        found = [(row, old, other) for row, (old, other) in cells if not same_cell(old, other)]
        if found:
            row, old, other = found[0]
            yield f"{column} differs in {len(found)} rows, first in row {row}: {old!r} became {other!r}"


def same_cell(old: str, new: str) -> bool:
    if old == new:
        return True
    try:
        return math.isclose(float(old), float(new), rel_tol=1e-9, abs_tol=1e-9)
    except ValueError:
        return False


def run_command(*words: object) -> str:
    """Run ttr-sim in this process, giving its output. Findings (1) are fine."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main([str(word) for word in words])
    except SystemExit as exit_:
        if exit_.code not in (0, 1, None):
            raise SystemExit(f"ttr-sim {' '.join(map(str, words))} failed: {err.getvalue()}") from None
    return out.getvalue()


def counts(edition: str) -> range:
    fewest, most = load_edition(edition).players
    return range(fewest, most + 1)


def keep_texts(guard: Guard) -> None:
    for edition in guard.editions:
        guard.keep(file_of(edition).name, game_text(edition))


def keep_games(guard: Guard) -> None:
    for edition in guard.editions:
        hashes = {" ".join(map(str, words[1:])): hash_of_run(play(guard, *words)) for words in runs_of(edition)}
        guard.keep(f"games/{edition}.json", json.dumps(hashes, indent=1) + "\n")


def runs_of(edition: str) -> Iterator[tuple[str, int, str, int, int]]:
    """Edition, players, bots, games and seed: each style with planners, and a mix of all with three seeds."""
    for players in counts(edition):
        for style in STYLES:
            others = ("planner",) * (players - 1)
            yield edition, players, ",".join((style, *others)), 8, 1
        for seed in SEEDS:
            yield edition, players, ",".join(STYLES), 30, seed
    yield edition, counts(edition)[0], SEARCH, 2, 1


def play(guard: Guard, edition: str, players: int, bots: str, games: int, seed: int) -> Path:
    folder = guard.folder / f"{edition}-{players}-{bots.replace(',', '+').replace(':', '_')}-{seed}"
    options = ("--players", players, "--bots", bots, "--games", games, "--seed", seed)
    run_command("run", edition, *options, "--jobs", 2, "--out", folder, "-q")
    return folder


def hash_of_run(folder: Path) -> str:
    """Hash the rows as a reader of the log sees them, whatever the files' format."""
    sha = hashlib.sha256()
    for table in TABLES:
        for file in sorted((folder / table).glob("part-*.parquet")):
            rows = pq.read_table(file, partitioning=None).to_pydict()
            sha.update(json.dumps([table, rows]).encode())
    return sha.hexdigest()


def keep_tables(guard: Guard) -> None:
    for edition in guard.editions:
        fewest, most = counts(edition)[0], min(counts(edition)[-1], 4)
        out = guard.folder / f"report-{edition}"
        words = ("study", edition, "--players", f"{fewest},{most}", "--games", 300, "--seed", 1, "--out", out)
        told = json.loads(run_command(*words, "--json", "-q"))
        tables = ttr_sim.analyze([run["run"] for run in told["runs"]]).tables
        for name, table in tables.items():
            if not name.startswith(UNGUARDED_TABLES):
                guard.keep_table(f"tables/{edition}/{name}.csv", table)
    if "usa" in guard.editions:
        sides = [guard.folder / f"compared-{trains}" for trains in (45, 40)]
        for side, trains in zip(sides, (45, 40), strict=True):
            options = ("--players", 3, "--games", 600, "--set", f"trains={trains}", "--out", side)
            run_command("run", "usa", *options, "-q")
        comparison = ttr_sim.compare(*sides)
        for name in ("headlines", "tickets", "routes"):
            guard.keep_table(f"tables/comparison/{name}.csv", getattr(comparison, name))
    if "amsterdam" in guard.editions:
        keep_balance(guard)


def keep_balance(guard: Guard) -> None:
    board = guard.folder / "spoiled"
    run_command("new", board, "--from", "amsterdam")
    tickets = (board / "tickets.csv").read_text(encoding="utf-8").splitlines()
    ends, _, deck = tickets[1].rsplit(",", 2)
    tickets[1] = f"{ends},{SPOILED_POINTS},{deck}"
    (board / "tickets.csv").write_text("\n".join(tickets) + "\n", encoding="utf-8")
    words = ("balance", board, "--players", 2, "--edits", 2, "--margin", 20, "--allow", "tickets")
    told = json.loads(run_command(*words, "--out", guard.folder / "balanced", "--json", "-q"))
    guard.keep_table("tables/balance/targets.csv", pd.json_normalize(told["targets"]))
    guard.keep_table("tables/balance/edits.csv", pd.json_normalize(told["edits"]))


def keep_words(guard: Guard) -> None:
    for command in COMMANDS:
        guard.keep(f"words/help/{command}.txt", run_command(command, "--help"))
    columns = {name: [[column.name, column.type] for column in table] for name, table in TABLES.items()}
    guard.keep("words/log_columns.json", lines_of(columns))
    study = guard.folder / "words-study"
    options = ("--players", 2, "--games", 40, "--out", study, "--json", "-q")
    shapes = {"study": shape_of(json.loads(run_command("study", "first_journey", *options)))}
    headings = {file.name: file.read_text("utf-8-sig").splitlines()[0] for file in sorted(study.glob("tables/*.csv"))}
    guard.keep("words/csv_headings.json", lines_of(headings))
    run, edition = guard.folder / "words-run", guard.folder / "words-edition"
    run_command("new", edition, "--from", "first_journey")
    spoken: dict[str, tuple[object, ...]] = {
        "run": ("run", "first_journey", "--players", 2, "--games", 40, "--out", run, "-q"),
        "audit": ("audit", run),
        "check": ("check", edition),
        "editions": ("editions",),
        "show": ("show", "europe"),
        "bots": ("bots",),
        "compare": ("compare", "first_journey", edition, "--players", 2, "--games", 60, "-q"),
        "balance": ("balance", edition, "--players", 2, "--edits", 1, "--margin", 20, "-q"),
    }
    for command, words in spoken.items():
        shapes[command] = shape_of(json.loads(run_command(*words, "--json")))
    guard.keep("words/json_shapes.json", json.dumps(shapes, indent=1) + "\n")


def lines_of(entries: dict[str, Any]) -> str:
    """JSON with one line an entry, so that a difference reads well."""
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(entry)}" for key, entry in entries.items()) + "\n}\n"


def shape_of(told: object) -> object:
    """Keys and types of a JSON value. A list has the shapes of its entries, merged."""
    if isinstance(told, dict):
        return {key: shape_of(entry) for key, entry in told.items()}
    if isinstance(told, list):
        shapes = [json.dumps(shape_of(entry)) for entry in told]
        return [json.loads(shape) for shape in sorted(set(shapes))]
    return type(told).__name__


def keep_audits(guard: Guard) -> None:
    for edition in guard.editions:
        for players in counts(edition):
            run = play(guard, edition, players, ",".join(STYLES), 30, 1)
            audit = json.loads(run_command("audit", run, "--json", "-q"))
            if audit["violations"] or not audit["digest_ok"]:
                guard.differences.append(f"audit of {edition} with {players} players: {audit}")


def run_guard(words: list[str]) -> int:
    check, named = "--check" in words, [word for word in words if word != "--check"]
    if any(word not in (*PARTS, *official_names()) for word in named):
        sys.stderr.write(f"Usage: scripts/golden [--check] [{'|'.join(PARTS)}]... [EDITION]...\n")
        return 2
    editions = tuple(name for name in official_names() if name in named) or tuple(official_names())
    with tempfile.TemporaryDirectory() as folder, chdir(folder):  # a study plays into runs/
        guard = Guard(check, editions, Path(folder))
        for part in [part for part in PARTS if part in named] or PARTS:
            globals()[f"keep_{part}"](guard)
            sys.stderr.write(f"golden {part}: {len(guard.differences)} differences so far\n")
    for difference in guard.differences:
        sys.stdout.write(f"{difference}\n")
    return 1 if guard.differences else 0


if __name__ == "__main__":
    sys.exit(run_guard(sys.argv[1:]))
