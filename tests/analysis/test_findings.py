"""Each rule speaks when its threshold is passed, with its number and interval, and is silent otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd
import pytest

from ttr_sim.analysis import board_findings as board
from ttr_sim.analysis import findings as play
from ttr_sim.analysis.analysis import TABLES
from ttr_sim.analysis.robustness import Finding
from ttr_sim.analysis.text import listed, number, percent, with_players

Topic = Callable[[Mapping[str, pd.DataFrame]], Iterator[Finding]]
Rows = list[dict[str, Any]]


def about(column: str, value: float, off: float) -> dict[str, Any]:
    """A number with its interval."""
    return {column: value, f"{column}_low": value - off, f"{column}_high": value + off}


def tables(**rows: Rows) -> dict[str, pd.DataFrame]:
    return {name: pd.DataFrame(rows.get(name, []), columns=table.column_names) for name, table in TABLES.items()}


def told(topic: Topic, **rows: Rows) -> list[Finding]:
    return list(topic(tables(**rows)))


def tickets(found: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    return board.tickets(found, {}, is_race=False)


def tickets_of_a_race(found: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    return board.tickets(found, {}, is_race=True)


def alone(topic: Callable[..., Iterator[Finding]], **elsewhere: Mapping[str, pd.DataFrame]) -> Topic:
    """A topic about the board, beside what other fields show."""
    return lambda found: topic(found, elsewhere)


def style(bot: str, share: float, verdict: str, players: int = 2) -> dict[str, Any]:
    return {"players": players, "bot": bot, "fair": 1 / players, "verdict": verdict, **about("win_share", share, 0.01)}


PAIR: Rows = [{"players": 2, "bot": "a", "opponent": "b", "share": 0.7, "p_adjusted": 0.5}]


def test_dominant_and_dominated_styles() -> None:
    rows = [style("a", 0.7, "dominant"), style("a", 0.5, "dominant", players=4), style("b", 0.3, "dominated")]
    dominant, dominated = told(play.styles, strategies=rows, matchups=PAIR)
    assert dominant.sentence == (
        "Pair by pair, the style a is clearly ahead of every other style with 2 and 4 players: with 4, it wins 50.0 % "
        "(49.0 to 51.0) of its seats, where 25 % is fair."
    )
    assert (dominant.rule, dominant.table, dominant.row, dominant.value) == ("dominant_style", "strategies", 1, 0.5)
    assert dominated.rule == "dominated_style"


def test_styles_in_a_circle() -> None:
    (found,) = told(
        play.styles, strategies=[style("a", 0.5, "")], matchups=PAIR, cycles=[
            {"players": 2, "cycle": "a > b > c > a", "margin": 0.1}
        ]
    )  # fmt: skip
    assert "a > b > c > a" in found.sentence
    assert "at least 60.0 %" in found.sentence


def test_quiet_styles_and_a_single_style() -> None:
    assert [found.notable for found in told(play.styles, strategies=[style("a", 0.5, "")], matchups=PAIR)] == [False]
    assert told(play.styles, strategies=[style("a", 0.5, "")]) == []


def seat(place: int, share: float, p: float, off: float = 0.01) -> dict[str, Any]:
    return {"players": 2, "seat": place, "fair": 0.5, "p_adjusted": p, **about("win_share", share, off)}


def test_turn_order_is_told_as_a_gradient_and_how_far_it_holds() -> None:
    rows = [seat(0, 0.54, 0.001), seat(1, 0.46, 0.001)]
    (found,) = told(alone(board.turn_order), seats=rows)
    assert found.sentence == (
        "Turn order matters. Wins from the first player to the last: 54.0 and 46.0 % (each ± 1.0) with 2 players, the "
        "earlier the better."
    )
    assert found.holds == "strong"
    same = tables(seats=rows)
    (other,) = told(alone(board.turn_order, rivals=same), seats=rows)
    assert other.holds == "strong", "nobody asked all styles"
    (other,) = told(alone(board.turn_order, rivals=same, all=same), seats=rows)
    assert other.holds == "all"
    turned = tables(seats=[seat(0, 0.46, 0.001), seat(1, 0.54, 0.001)])
    (other,) = told(alone(board.turn_order, rivals=same, all=turned), seats=rows)
    assert other.holds == "depends"


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.30, 0.31, 0.19, 0.20), "with 2 players, the first and second players do best."),
        ((0.24, 0.36, 0.19, 0.21), "with 2 players, the second player does best."),
        ((0.26, 0.27, 0.26, 0.265), "with 2 players."),
    ],
)
def test_turn_order_names_all_who_may_do_best(shares: tuple[float, ...], words: str) -> None:
    (found,) = told(alone(board.turn_order), seats=[seat(place, share, 0.001) for place, share in enumerate(shares)])
    assert found.sentence.endswith(words)


@pytest.mark.parametrize(("share", "p"), [(0.54, 0.2), (0.505, 0.001)])
def test_seat_that_is_not_sure_or_not_far_off(share: float, p: float) -> None:
    (found,) = told(alone(board.turn_order), seats=[seat(0, share, p), seat(1, 1 - share, p)])
    assert not found.notable
    assert f"{(share - 0.5 + 0.01) * 100:.1f} percentage points" in found.sentence


def test_seats_of_too_few_blocks() -> None:
    (found,) = told(alone(board.turn_order), seats=[seat(0, 1.0, float("nan"), off=float("nan"))])
    assert "too few blocks" in found.sentence


def ticket(row: int, excess: float, verdict: str, players: int = 2, **columns: Any) -> dict[str, Any]:
    return {
        "players": players, "ticket": row, "from": f"A{row}", "to": "B", "deck": "main", "points": 10, "class": "low",
        "verdict": verdict, "grade": "slight" if verdict else "", "holds": "strong", **about("excess", excess, 0.005),
        **about("win_effect", excess + 0.01, 0.005), **about("class_effect", 0.01, 0.002),
        **about("points_effect", excess * 100, 0.5), **columns,
    }  # fmt: skip


def test_tickets_beyond_their_class_with_the_largest_first() -> None:
    rows = [ticket(0, 0.04, "generous"), ticket(1, 0.09, "generous", grade="serious"), ticket(2, -0.04, "stingy")]
    generous, stingy = told(tickets, ticket_value=rows)
    assert generous.sentence.startswith("2 tickets are too generous, giving more than their class: A1–B (10) and A0–B")
    assert "gives +10.0 wins in 100 (9.5 to 10.5) and 9.0 points (8.5 to 9.5)" in generous.sentence
    assert "+9.0 wins in 100 (8.5 to 9.5) compared with its class. Serious: A1–B (10)." in generous.sentence
    assert (generous.row, generous.players, generous.holds) == (1, (2,), "strong")
    assert stingy.sentence.startswith("1 ticket is too stingy, giving less than its class: A2–B (10).")


def test_ticket_that_depends_on_who_plays_is_told_by_itself_and_how() -> None:
    rows = [ticket(0, 0.04, "generous", holds="all"), ticket(1, 0.09, "generous", holds="depends")]
    elsewhere = {
        "rivals": tables(ticket_value=[ticket(1, -0.02, "")]),
        "all": tables(ticket_value=[ticket(1, 0.02, "")]),
    }
    first, second = board.tickets(tables(ticket_value=rows), elsewhere, is_race=False)
    assert (first.holds, second.holds) == ("all", "depends")
    assert second.about_the_board("tickets", compared=True).sentence.endswith(
        " With other styles at the table it is the other way around, −2.0 wins in 100 (−2.5 to −1.5) among rivals of "
        "several styles: it depends on who plays."
    )
    assert "A1" not in first.sentence


def test_list_names_those_of_its_tickets_that_hold_no_matter_who_plays() -> None:
    rows = [ticket(0, 0.04, "generous", holds="all"), ticket(1, 0.09, "generous", holds="strong")]
    (found,) = told(tickets, ticket_value=rows)
    assert found.sentence.endswith("For A0–B (10) this holds no matter who plays; for the other it is not certain.")
    assert found.holds is None, "it needs no other words"


def test_deck_of_one_class_has_only_its_mean() -> None:
    (found,) = told(tickets, ticket_value=[ticket(0, 0.03, "generous", class_effect=0.0)])
    assert "giving more than its deck's mean: A0–B (10)" in found.sentence
    assert "class" not in found.sentence


def test_class_is_told_before_its_tickets() -> None:
    rows = [ticket(0, 0.04, "generous"), ticket(1, 0.0, "", **{"class": "high", "points": 20})]
    first, _ = told(tickets, ticket_value=rows)
    assert first.rule == "ticket_class"
    assert first.sentence.startswith("The tickets of 20 points and more give +1.0 wins in 100 (0.8 to 1.2)")


def test_largest_of_a_noisy_list_is_told_to_look_too_large() -> None:
    noisy = [ticket(row, effect, "") | about("excess", effect, 0.02) for row, effect in enumerate((0.03, -0.02, 0.0))]
    noisy[0]["verdict"] = "generous"
    (found,) = told(tickets, ticket_value=noisy)
    assert "looks larger than it is" in found.sentence
    few_games = [row | about("win_effect", row["win_effect"], 0.03) for row in noisy]
    best, _ = told(tickets, ticket_value=[row | {"class": "high"} for row in few_games])
    assert "A0–B (10) +4.0 wins in 100 (1.0 to 7.0). The first of a list looks larger than it is" in best.sentence


def test_all_player_counts_together_speak_for_tickets() -> None:
    rows = [ticket(0, 0, "", players=0), ticket(0, 0.09, "generous", players=2)]
    (found,) = told(tickets, ticket_value=rows)
    assert not found.notable
    assert "none differs by more than 0.5" in found.sentence


def test_tickets_of_too_few_games_are_not_told_apart() -> None:
    (found,) = told(tickets, ticket_value=[ticket(0, 0, "", excess_low=-3.0, excess_high=3.0)])
    assert found.sentence == "There are too few blocks to estimate what the tickets are worth."


def test_tickets_nobody_keeps_or_completes() -> None:
    names = {"players": 2, "from": "A", "to": "B", "points": 20}
    rows = [{**names, **about("dealt_kept", 0.1, 0.02), **about("completed", 0.2, 0.02)}]
    found = told(tickets, ticket_value=[ticket(0, 0, "")], tickets=rows)
    assert [one.rule for one in found[1:]] == ["ticket_rarely_kept", "ticket_rarely_completed"]


def test_race_tells_tickets_without_points() -> None:
    (found,) = told(tickets_of_a_race, ticket_value=[ticket(0, 0.03, "generous", points_effect=None)])
    assert "points" not in found.sentence
    assert "A0–B (10)" not in found.sentence


def reward(variant: str, share: float, p: float, bot: str = "") -> dict[str, Any]:
    return {
        "players": 4,
        "variant": variant,
        "bot": bot or variant,
        "fair": 0.25,
        "p_adjusted": p,
        **about("win_share", share, 0.004),
    }


def test_rewards_warn_of_a_simple_style_and_tell_what_costs() -> None:
    rows = [
        reward("racer", 0.3, 0.001),
        reward("path", 0.2, 0.001),
        reward("onestep", 0.001, 0.001),
        reward("draws more tickets", 0.22, 0.001, "planner:curiosity=2"),
        reward("blocks", 0.251, 0.7, "planner:block=2"),
    ]
    warning, simple, costs, nothing = told(play.rewards, rewards=rows)
    assert warning.rule == "simple_style_wins"
    assert "The planner is not strong enough here, or a simple plan beats this board." in warning.sentence
    assert "draws more tickets −3.0 wins in 100 (−3.4 to −2.6) with 4 players" in costs.sentence
    assert "blocks (−0.3 to 0.5)" in nothing.sentence
    assert not nothing.notable
    assert simple.sentence == (
        "No simple style wins its share among strong players: closest comes path with 4 players, which wins 20.0 % "
        "(19.6 to 20.4) where 25 % is fair."
    )


def test_a_simple_style_that_may_win_its_share_is_not_said_to_lose() -> None:
    (found,) = told(play.rewards, rewards=[reward("path", 0.249, 0.7), reward("racer", 0.2, 0.001)])
    assert found.sentence.startswith("No simple style clearly wins more than its share among strong players: closest")


def route(row: int, claimed: float, denial: float) -> dict[str, Any]:
    return {
        "players": 3, "route": row, "from": f"A{row}", "to": "B", **about("claimed", claimed, 0.001),
        **about("denial", denial, 0.01), **about("denied_win", -0.04, 0.01), **about("got_win", 0.02, 0.01),
    }  # fmt: skip


def test_what_is_below_a_limit_among_others_is_told_with_its_number() -> None:
    def connection(contention: float) -> dict[str, Any]:
        return {"players": 3, "from": "A", "to": "B", "group": 0, **about("contention", contention, 0.02)}

    strong = tables(connections=[connection(0.3)], routes=[route(0, 0.0, 0.0)])
    elsewhere = {"rivals": tables(connections=[connection(0.04)])}
    (found,) = board.routes(strong, elsewhere)
    assert found.holds == "depends"
    assert found.about_the_board("routes", compared=True).sentence.endswith(
        " With other styles at the table this is not so, 4.0 times in 100 games (2.0 to 6.0) among rivals of several "
        "styles: it depends on who plays."
    )


def test_contested_denied_and_dead_routes() -> None:
    ends = {"players": 3, "from": "A", "to": "B"}
    connections = [
        {**ends, "group": 0, **about("contention", 0.3, 0.02), **about("claims", 0.9, 0.02)},
        {**ends, "group": 1, **about("contention", 0, 0), **about("claims", 0.01, 0.002)},
    ]
    city = {"players": 3, "city": 0, "name": "Nowhere", **about("claims", 0.01, 0.005)}
    found = told(alone(board.routes), connections=connections, routes=[route(0, 0.5, 0.2)], cities=[city])
    assert [one.rule for one in found] == ["contested_connection", "denied_route"]
    assert "30.0 times in 100 games (28.0 to 32.0)" in found[0].sentence
    got = "and players who got it before a rival have +2.0 wins in 100 ("
    assert f"those rivals have −4.0 wins in 100 (−5.0 to −3.0), {got}" in found[1].sentence
    nobody_got_it = {**route(0, 0.5, 0.2), **about("got_win", float("nan"), 0)}
    found = told(alone(board.routes), connections=connections, routes=[nobody_got_it], cities=[city])
    assert "(−5.0 to −3.0) (a description" in found[1].sentence
    found = told(alone(board.dead), connections=connections, routes=[route(0, 0.5, 0.2)], cities=[city])
    assert [one.rule for one in found] == ["dead_connection", "dead_city"]
    assert found[0].sentence == (
        "A–B is hardly ever used, fewer than 2 times in 100 games at any player count: "
        "1.0 times in 100 games (0.8 to 1.2)."
    )
    assert "Nowhere" in found[1].sentence


def test_routes_hold_as_far_as_all_fields_show() -> None:
    rows = [{"players": 3, "group": 0, "from": "A", "to": "B", **about("contention", 0.3, 0.02)}]
    same = tables(connections=rows)
    for others, holds in (({"rivals": same}, "strong"), ({"rivals": same, "all": same}, "all")):
        (found,) = told(alone(board.routes, **others), connections=rows, routes=[route(0, 0.5, 0)])
        assert found.holds == holds


def test_connections_that_cannot_be_told_apart_are_named_together() -> None:
    rows = [
        {"players": 3, "group": group, "from": f"A{group}", "to": "B", **about("contention", at, 0.02)}
        for group, at in enumerate((0.3, 0.28, 0.15))
    ]
    (found,) = told(alone(board.routes), connections=rows, routes=[route(0, 0.5, 0)])
    assert found.sentence.startswith("A0–B and A1–B are fought over most with 3 players: 30.0 times in 100 games")


def test_what_leads_at_several_player_counts_is_told_once() -> None:
    claims = about("claims", 0.9, 0.02)
    fought = [(3, 0, 0.3), (3, 1, 0.2), (4, 0, 0.4), (5, 1, 0.35), (5, 0, 0.25)]
    connections = [
        {"players": players, "group": group, "from": f"A{group}", "to": "B", **claims, **about("contention", at, 0.01)}
        for players, group, at in fought
    ]
    found = told(alone(board.routes), connections=connections, routes=[route(0, 0.5, 0)], cities=[])
    first, second = (one.sentence for one in found)
    assert first.startswith("A0–B is fought over most with 3 and 4 players: with 4, 40.0 times in 100 games")
    assert second.startswith("A1–B is fought over most with 5 players: 35.0 times in 100 games")
    assert second.endswith("Next comes A0–B.")


def test_connection_alive_at_one_player_count_is_not_dead() -> None:
    rows = [
        {"players": players, "group": 0, "from": "A", "to": "B", **about("claims", claims, 0.001)}
        for players, claims in [(2, 0.001), (5, 0.4)]
    ]
    (found,) = told(alone(board.dead), connections=rows, routes=[route(0, 0.5, 0)])
    assert not found.notable


def test_shape_of_games() -> None:
    rows = [
        {"players": 2, "measure": "decided", "n": 80, **about("mean", 0.4, 0.01)},
        {"players": 4, "measure": "decided", "n": 90, **about("mean", 0.45, 0.01)},
        {"players": 2, "measure": "hidden", "n": 100, **about("mean", 0.2, 0.01)},
        {"players": 2, "measure": "shared", "n": 100, **about("mean", 0.1, 0.01)},
    ]
    early, shared = told(alone(board.shape), pace=rows)
    assert early.sentence == (
        "With 2 and 4 players, in the 80 % of games whose winner is ahead in open points at the end, the "
        "winner has led alone from 40.0 % (39.0 to 41.0) of the game onward, on average (with 2, where it is most "
        "marked)."
    )
    assert shared.rule == "shared_wins"


def test_quiet_games_are_told_with_their_numbers() -> None:
    rows = [
        {"players": 2, "measure": "decided", "n": 80, **about("mean", 0.9, 0.01)},
        {"players": 4, "measure": "decided", "n": 90, **about("mean", 0.8, 0.01)},
        {"players": 2, "measure": "hidden", "n": 100, **about("mean", 0.2, 0.01)},
        {"players": 2, "measure": "shared", "n": 100, **about("mean", 0.0, 0.0)},
    ]
    (quiet,) = told(alone(board.shape), pace=rows)
    assert "from 80.0 % (79.0 to 81.0) of the game onward, with 4 players." in quiet.sentence
    assert "In at most 20.0 % (19.0 to 21.0) of games" in quiet.sentence
    assert "shared" not in quiet.sentence, "it never happens"
    unknown = {"players": 2, "measure": "decided", "n": 1, **about("mean", 0.9, float("nan"))}
    (few,) = told(alone(board.shape), pace=[unknown])
    assert few.sentence == "There are too few games to say how they are decided."


def test_oddities_come_with_a_game_to_replay() -> None:
    stalled = {"players": 2, "kind": "stalled", "n": 2000, "games": 1, "run": "runs/x", "examples": "17, 40"}
    rare = {"players": 2, "kind": "passed", "n": 2000, "games": 3, "run": "runs/x", "examples": "1"}
    rows = [{**stalled, **about("share", 0.0005, 0.0004)}, {**rare, **about("share", 0.0015, 0.001)}]
    (found,) = told(play.oddities, oddities=rows)
    assert "1 of 2,000 games stalled" in found.sentence
    assert "`ttr-sim replay runs/x 17`" in found.sentence


def test_words() -> None:
    row = pd.Series({**about("x", -0.5, 0.25), "y": 1.0, "y_low": float("nan"), "y_high": float("nan")})
    assert percent(row, "x") == "−50.0 % (−75.0 to −25.0)"
    assert number(row, "y") == "1.0 (interval unknown)"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c", "d"], most=2) == "a, b and 2 more"
    assert with_players([0]) == "over all player counts"
