"""The page of a balance: what to change and why, the map with the edits marked, each target before and after, the path
of edits, and how it was made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ttr_sim import __version__
from ttr_sim.balance.edits import TICKETS, Edit, describe_edit
from ttr_sim.balance.targets import Target, ticket_name
from ttr_sim.report.balance_targets import asked_view, table_of, targets_table, targets_view
from ttr_sim.report.change_maps import balance_map
from ttr_sim.report.document import write_document
from ttr_sim.report.figures import inline, settings, svg_of, write_picture
from ttr_sim.report.folder import PAGE, changes_to, new_report
from ttr_sim.report.numbers import interval, signed
from ttr_sim.report.ranges import official_ranges
from ttr_sim.report.spreadsheets import write_tables
from ttr_sim.report.views import Heading, PageCell, PageRow, View

if TYPE_CHECKING:
    from markupsafe import Markup

    from ttr_sim.balance.outcome import BalanceOutcome


def write_balance(outcome: BalanceOutcome, command: str, folder: Path, force: bool = False) -> Path:
    """Write index.html, the map and tables/*.csv; return the path of the page."""
    ranges = official_ranges(outcome.order.edition)
    asked = asked_view(outcome.proof.before.targets, ranges)
    tables = {
        "asked": table_of(asked),
        "targets": targets_table(outcome.proof.pairs),
        "path": _path_table(outcome),
    }
    views = {"asked": asked, "targets": targets_view(outcome.proof.pairs, ranges), "path": _path_view(outcome)}
    with new_report(folder, changes_to(outcome.order.edition.name), force) as beside:
        write_tables(tables, beside / "tables")
        (beside / "charts").mkdir()
        drawing = _map(outcome, beside / "charts") if outcome.edits else None
        write_document(beside / PAGE, "balance.html.j2", {"map": drawing} | views | _words(outcome, command))
    return folder / PAGE


def _map(outcome: BalanceOutcome, folder: Path) -> Markup:
    edition = outcome.order.edition
    with settings():
        figure, titles = balance_map(edition, outcome.edits)
        write_picture(figure, folder / "map-edits.png", f"Edits on the map of {edition.title}")
        return inline(svg_of(figure, "edits-", titles), "The edits on the map", "group")


def _words(outcome: BalanceOutcome, command: str) -> dict[str, Any]:
    order, proof = outcome.order, outcome.proof
    missed_before, missed = len(proof.before.missed), len(proof.missed)
    return {
        "edition": order.edition,
        "out": outcome.out,
        "edits": [(describe_edit(order.edition, edit), _why(outcome, edit)) for edit in outcome.edits],
        "missed": (missed_before, missed),
        "open": sum(pair.after.met is None for pair in proof.pairs),
        "unmended": outcome.unfixed,
        "spot_check": proof.spot_check.sentence if proof.spot_check else "",
        "margin": f"{order.wanted.margin:g}",
        "locks": order.wanted.locked,
        "kinds": ", ".join(sorted(order.kinds)),
        "games": sum(run.finished_games for run in proof.after.runs),
        "search_games": sum(run.finished_games for run in outcome.found.path[0].runs),
        "seeds": (outcome.found.sample.seed, proof.sample.seed),
        "command": command,
        "version": __version__,
    }


def _why(outcome: BalanceOutcome, edit: Edit) -> str:
    """Say what the edit mends: of a ticket's points, its wins before and after on the fresh deals."""
    if edit.file != TICKETS:
        return "it brings what is missed nearer to its limit, surely, on the deals of the search"
    name = ticket_name(outcome.order.edition, edit.row)
    pair = next(pair for pair in outcome.proof.pairs if pair.after.name == name)
    if pair.before is None:
        return ""
    kind = "too generous" if pair.before.value > 0 else "too stingy"
    return f"{kind}: {_wins(pair.before)} wins in 100 beyond its class before, {_wins(pair.after)} with the edits"


def _wins(target: Target) -> str:
    return f"{signed(target.value, 'change')} ({interval(target.low, target.high, 'change')})"


def _path_table(outcome: BalanceOutcome) -> pd.DataFrame:
    """Return what each further edit buys, on the deals of the search."""
    edition = outcome.order.edition
    rows: list[tuple[int, str, int, float]] = []
    before: frozenset[Edit] = frozenset()
    for board in outcome.found.path:
        added = " · ".join(describe_edit(edition, edit) for edit in board.edits if edit not in before)
        rows.append((len(board.edits), added, len(board.missed), board.worst))
        before = frozenset(board.edits)
    return pd.DataFrame(rows, columns=["edits", "edit", "missed", "worst"])


def _path_view(outcome: BalanceOutcome) -> View:
    headings = [
        Heading("edits", "", "in all", numeric=True),
        Heading("the last of them", "", "", numeric=False),
        Heading("targets missed", "", "on the deals of the search", numeric=True),
        Heading("the worst, beyond its limit", "%", "in parts of the limit", numeric=True),
    ]
    rows = [
        PageRow(
            "", None, "", [PageCell(str(edits)), PageCell(added), PageCell(str(missed)), PageCell(f"{worst * 100:.0f}")]
        )
        for edits, added, missed, worst in _path_table(outcome).itertuples(index=False, name=None)
    ]
    meaning = (
        "What 1, 2, 3 ... edits buy, those that buy most first: you may stop early. The first line rests on more games "
        "than the others."
    )
    return View("path", "The path of edits", meaning, headings, rows, [], "")
