"""Rare things that a rulebook hardly foresees: how often, and in which games to look at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, stack
from ttr_sim.analysis.tables import ODDITIES
from ttr_sim.edition.model import Edition

EXAMPLES = 5
STRANGE_GAMES = {
    "stalled": "SELECT game FROM games WHERE \"end\" = 'stalled'",
    "capped": "SELECT game FROM games WHERE \"end\" = 'capped'",
    "stuck_row": "SELECT game FROM games WHERE stuck > 0",
    "no_claim": "SELECT DISTINCT game FROM seats WHERE routes = 0",
}
STRANGE_TURNS = {
    "passed": "SELECT DISTINCT game FROM turns WHERE action = 'pass'",
    # A wild taken from the row is the only card by rule; any other lone card was the last to be had.
    "short_draw": """
        SELECT DISTINCT game FROM turns
        WHERE action = 'draw' AND card2 IS NULL AND NOT (card1 = '*' AND card1_from = 'row')
    """,
}
SHORT_OFFERS = """
    SELECT DISTINCT game FROM (
        SELECT game, turn FROM tickets WHERE turn >= 0 GROUP BY ALL HAVING count(*) < {offer}
    )
"""
BY_KIND = f"""
    SELECT kind, run, grp, count(*) AS games, min(game, {EXAMPLES}) AS first
    FROM ({{found}}) JOIN played USING (game) GROUP BY ALL
"""


def oddities(sources: Sequence[Source]) -> pd.DataFrame:
    """Return the share of games with each oddity, and the first games that show it."""
    return stack(ODDITIES, [measure_oddities(source) for source in sources])


def measure_oddities(source: Source) -> Measured:
    queries = dict(_queries(source))
    found = " UNION ALL ".join(f"SELECT '{kind}' AS kind, game FROM ({sql})" for kind, sql in queries.items())
    rows = source.rows(BY_KIND.format(found=found))
    keys = pd.DataFrame({"kind": list(queries)})
    sums = Sums.of(rows[["grp", "kind", "games"]], ["kind"]).spread_over(keys)
    examples = pd.DataFrame([_examples(source, rows[rows["kind"] == kind]) for kind in queries])
    counts = sums.total("games").astype(np.int64)
    keys = pd.concat([keys, examples], axis=1).assign(players=source.players, n=source.games, games=counts)
    return Measured(keys, {"share": source.per_game(sums["games"])}, source.blocks)


def _queries(source: Source) -> Iterator[tuple[str, str]]:
    """Yield what can be asked of this edition and log."""
    yield from STRANGE_GAMES.items()
    if source.has_turns:
        yield from STRANGE_TURNS.items()
    offer = _whole_offer(source.edition)
    if offer > 1:
        yield "short_offer", SHORT_OFFERS.format(offer=offer)


def _whole_offer(edition: Edition) -> int:
    """Return the tickets of one draw during the game; 0 where tickets come one by one as others are completed."""
    if edition.instant_tickets:
        return 0
    return edition.ticket_rules.draw_total if edition.ticket_rules.mix else sum(deck.draw for deck in edition.decks)


def _examples(source: Source, rows: pd.DataFrame) -> dict[str, str]:
    """Return the first games of the first run that has any."""
    if rows.empty:
        return {"run": "", "examples": ""}
    number = int(rows["run"].min())
    games = sorted(game for first in rows[rows["run"] == number]["first"] for game in first)
    return {"run": str(source.runs[number].path), "examples": ", ".join(str(game) for game in games[:EXAMPLES])}
