"""Each rule speaks when its threshold is passed, with its number and interval, and is silent otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from ttr_sim.analysis import findings
from ttr_sim.analysis.findings import Finding
from ttr_sim.analysis.tables import TABLES
from ttr_sim.analysis.text import listed, ranked, with_players
from ttr_sim.edition import load_edition

Rows = list[dict[str, Any]]
Topic = Callable[[Mapping[str, pd.DataFrame], Mapping[str, Mapping[str, pd.DataFrame]]], Iterator[Finding]]

USA, RACE = load_edition("usa"), load_edition("first_journey")
PAIR: Rows = [{"players": 2, "bot": "a", "opponent": "b", "share": 0.7, "p_adjusted": 0.5}]


def about(column: str, value: float, off: float) -> dict[str, Any]:
    """A number with its interval."""
    return {column: value, f"{column}_low": value - off, f"{column}_high": value + off}


def tables(**rows: Rows) -> dict[str, pd.DataFrame]:
    return {name: pd.DataFrame(rows.get(name, []), columns=table.column_names) for name, table in TABLES.items()}


def said(topic: Topic, others: Mapping[str, Mapping[str, pd.DataFrame]] | None = None, **rows: Rows) -> list[Finding]:
    return list(topic(tables(**rows), others or {}))


def style(bot: str, share: float, verdict: str, players: int = 2) -> dict[str, Any]:
    return {"players": players, "bot": bot, "fair": 1 / players, "verdict": verdict, **about("win_share", share, 0.01)}


def test_styles_ahead_behind_in_a_circle_quiet_or_alone() -> None:
    rows = [style("a", 0.7, "dominant"), style("a", 0.5, "dominant", players=4), style("b", 0.3, "dominated")]
    dominant, dominated = findings.styles(tables(strategies=rows, matchups=PAIR))
    assert dominant.sentence == "The style a beats every other style with 2 and 4 players."
    assert (dominant.rule, dominant.table, dominant.row, dominant.value) == ("dominant_style", "strategies", 1, 0.5)
    assert dominated.rule == "dominated_style"
    cycle: Rows = [{"players": 2, "cycle": "a > b > c > a", "margin": 0.1}]
    even = [style("a", 0.5, "")]
    (found,) = findings.styles(tables(strategies=even, matchups=PAIR, cycles=cycle))
    assert "a > b > c > a" in found.sentence
    assert [one.notable for one in findings.styles(tables(strategies=even, matchups=PAIR))] == [False]
    assert list(findings.styles(tables(strategies=even))) == [], "a page with one style says nothing of styles"


def seat(place: int, share: float, p: float, off: float = 0.01) -> dict[str, Any]:
    return {"players": 2, "seat": place, "fair": 0.5, "p_adjusted": p, **about("win_share", share, off)}


def test_turn_order_says_who_was_asked_and_what_they_say() -> None:
    rows = [seat(0, 0.54, 0.001), seat(1, 0.46, 0.001)]
    (alone,) = said(findings.turn_order, seats=rows)
    assert alone.sentence == "The first player wins 54.0 ± 1.0 % of games with 2 players, where 50 % is even."
    assert alone.holds == {}
    others = {
        "rivals": tables(seats=rows),
        "all": tables(seats=[seat(0, 0.46, 0.001), seat(1, 0.54, 0.001)]),
        "own": tables(seats=[seat(0, 0.5, 0.9), seat(1, 0.5, 0.9)]),
    }
    (found,) = said(findings.turn_order, others, seats=rows)
    assert found.holds == {"rivals": "same", "all": "reversed", "own": "unsure"}
    for share, p in ((0.54, 0.2), (0.505, 0.001)):  # not sure, or not far off
        (found,) = said(findings.turn_order, seats=[seat(0, share, p), seat(1, 1 - share, p)])
        assert not found.notable


def ticket(row: int, excess: float, state: str = "met", side: str = "", **columns: Any) -> dict[str, Any]:
    return {
        "players": 0, "ticket": row, "from": f"A{row}", "to": "B", "deck": "main", "points": 10, "holds": "",
        "state": state, "side": side, **about("excess", excess, 0.005), **about("win_effect", excess, 0.005), **columns,
    }  # fmt: skip


def tickets(found: Mapping[str, pd.DataFrame], others: Any) -> Iterator[Finding]:
    return findings.tickets(USA, found, others)


def test_tickets_beyond_their_limit_the_worst_first_and_open_ones_are_doubted() -> None:
    rows = [
        ticket(0, 0.06, "open", "generous"),
        ticket(1, -0.09, "missed", "stingy", holds="rivals=same, racer=reversed"),
        ticket(2, 0.02),
    ]
    stingy, generous = said(tickets, ticket_value=rows)
    assert stingy.sentence == (
        "A1–B is too stingy: being dealt it gives 9.0 ± 0.5 fewer wins per 100 games than tickets as long."
    )
    assert (stingy.rule, stingy.row, stingy.holds) == ("ticket_stingy", 1, {"rivals": "same", "racer": "reversed"})
    assert generous.sentence.startswith("A0–B may be too generous: being dealt it gives 6.0 ± 0.5 more wins")
    (race,) = findings.tickets(RACE, tables(ticket_value=[ticket(0, 0.09, "missed", "generous")]), {})
    assert race.sentence.endswith("than the average ticket.")


def test_tickets_within_their_limits_or_not_known_or_that_nobody_keeps_or_completes() -> None:
    (quiet,) = said(tickets, ticket_value=[ticket(0, 0.02)])
    assert (quiet.notable, quiet.sentence) == (False, "No ticket is beyond its limit compared with tickets as long.")
    assert said(tickets, ticket_value=[ticket(0, 0.0, "open")]) == []
    names = {"players": 2, "from": "A", "to": "B", "points": 20}
    rows = [{**names, **about("dealt_kept", 0.1, 0.02), **about("completed", 0.2, 0.02)}]
    found = said(tickets, ticket_value=[ticket(0, 0)], tickets=rows)
    assert [one.rule for one in found[1:]] == ["ticket_rarely_kept", "ticket_rarely_completed"]
    assert found[1].sentence == "A–B is kept when dealt only 10.0 ± 2.0 % of the time with 2 players."


def reward(variant: str, share: float, p: float, bot: str = "") -> dict[str, Any]:
    found = {"players": 4, "variant": variant, "bot": bot or variant, "fair": 0.25, "p_adjusted": p}
    return found | about("win_share", share, 0.004)


def test_rewards_warn_of_a_simple_plan_and_say_what_costs() -> None:
    rows = [
        reward("racer", 0.3, 0.001),
        reward("path", 0.2, 0.001),
        reward("draws more tickets", 0.22, 0.001, "planner:curiosity=2"),
        reward("blocks", 0.251, 0.7, "planner:block=2"),
    ]
    warning, costs = findings.rewards(tables(rewards=rows))
    assert warning.rule == "simple_style_wins"
    assert warning.sentence.startswith("Warning: racer, a simple plan, wins 30.0 ± 0.4 % of games with 4 players")
    assert costs.sentence == (
        "A strong player who draws more tickets costs wins: −3.0 wins per 100 games with 4 players."
    )
    (quiet,) = findings.rewards(tables(rewards=[reward("path", 0.249, 0.7)]))
    assert quiet.sentence == "No simple plan wins its share among strong players."


def connection(group: int, players: int = 3, contention: float = 0.0, claims: float = 0.9) -> dict[str, Any]:
    ends = {"players": players, "group": group, "from": f"A{group}", "to": "B"}
    return ends | about("contention", contention, 0.02) | about("claims", claims, 0.002)


def route(row: int, denial: float = 0.0) -> dict[str, Any]:
    return {"players": 3, "route": row, "from": f"A{row}", "to": "B", **about("denial", denial, 0.01)}


def test_routes_fought_over_and_routes_that_block() -> None:
    rows = [connection(0, contention=0.3), connection(1)]
    fought, blocks = said(findings.routes, connections=rows, routes=[route(0, 0.2)])
    assert fought.sentence == (
        "A0–B is fought over most with 3 players: in 30.0 ± 2.0 % of games a rival wants it, too."
    )
    assert blocks.rule == "denied_route"
    (quiet,) = said(findings.routes, connections=[connection(0)], routes=[route(0)])
    assert not quiet.notable
    # A leader at several player counts is named once.
    leads = [(3, 0, 0.3), (3, 1, 0.2), (4, 0, 0.4), (5, 1, 0.35), (5, 0, 0.25)]
    rows = [connection(group, players, at) for players, group, at in leads]
    first, second = (one.sentence for one in said(findings.routes, connections=rows, routes=[route(0)]))
    assert first.startswith("A0–B is fought over most with 3 and 4 players: with 4, in 40.0 ± 2.0 %")
    assert second.startswith("A1–B is fought over most with 5 players: in 35.0 ± 2.0 %")


def test_a_route_is_dead_only_if_nobody_uses_it_at_any_player_count() -> None:
    dead = [connection(0, claims=0.01), connection(0, players=5, claims=0.005)]
    (found,) = said(findings.dead, connections=dead, routes=[route(0)])
    assert found.sentence == "A0–B is hardly ever used, at most 1.0 times per 100 games."
    (alive,) = said(findings.dead, connections=[*dead, connection(0, players=4, claims=0.4)], routes=[route(0)])
    assert not alive.notable
    others = {"all": tables(connections=[connection(0, claims=0.3)])}
    (used,) = said(findings.dead, others, connections=dead, routes=[route(0)])
    assert not used.notable, "another style uses it"
    others = {"all": tables(connections=dead)}
    (found,) = said(findings.dead, others, connections=dead, routes=[route(0)])
    assert found.sentence.endswith("per 100 games among all styles too.")


def test_shape_of_games() -> None:
    rows = [
        {"players": 2, "measure": "decided", "n": 80, **about("mean", 0.4, 0.01)},
        {"players": 4, "measure": "decided", "n": 90, **about("mean", 0.45, 0.01)},
        {"players": 2, "measure": "hidden", "n": 100, **about("mean", 0.2, 0.01)},
        {"players": 2, "measure": "shared", "n": 100, **about("mean", 0.1, 0.01)},
    ]
    early, shared = said(findings.shape, pace=rows)
    assert early.sentence == "With 2 players the winner leads for good from 40.0 ± 1.0 % of the game on."
    assert shared.rule == "shared_wins"
    (quiet,) = said(findings.shape, pace=rows[2:3])
    assert not quiet.notable


def test_oddities_come_with_a_game_to_replay() -> None:
    stalled = {"players": 2, "kind": "stalled", "n": 2000, "games": 1, "run": "runs/x", "examples": "17, 40"}
    rare = {"players": 2, "kind": "passed", "n": 2000, "games": 3, "run": "runs/x", "examples": "1"}
    rows = [{**stalled, **about("share", 0.0005, 0.0004)}, {**rare, **about("share", 0.0015, 0.001)}]
    (found,) = findings.oddities(tables(oddities=rows))
    assert "of games stalled because nobody could move" in found.sentence
    assert "`ttr-sim replay runs/x 17`" in found.sentence


def test_words() -> None:
    assert [listed(""), listed("a"), listed("ab"), listed("abcd", most=2)] == ["", "a", "a and b", "a, b and 2 more"]
    assert with_players([0]) == "over all player counts"


def test_lists_that_name_the_largest_first_hang_on_no_row() -> None:
    names = {"from": list("BACA"), "to": list("XZXY")}
    table = pd.DataFrame({**names, "players": [2, 2, 3, 3], "claims": [1.0, 2.0, 2.0, 2.0]})
    for rows in (table, table[::-1]):
        assert list(ranked(rows, "claims")["to"]) == ["Y", "Z", "X", "X"], "equals by their names"
    order = ranked(table, "players", "claims", ascending=(True, False))
    assert list(order["from"] + order["to"]) == ["AZ", "BX", "AY", "CX"], "each column in its own order"
