"""Targets are met, missed or open by their intervals, and the verdict is one word with a card for each topic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.report.fabricated import fabricated
from ttr_sim.analysis.official import Ranges, official_most, official_ranges
from ttr_sim.analysis.targets import (
    CLAIMED,
    FOUGHT_OVER,
    MET,
    MISSED,
    OPEN,
    SEAT,
    STYLE,
    TICKET,
    Limit,
    Target,
    as_rows,
    find_targets,
)
from ttr_sim.analysis.tickets import Yardstick, ticket_facts
from ttr_sim.analysis.verdict import Verdict
from ttr_sim.edition import load_edition

USA = load_edition("usa")
MARGIN: Limit = (-0.05, 0.05)


def ticket(row: int, value: float, half: float = 0.01, limit: Limit = MARGIN) -> Target:
    return Target(f"ticket {row}", TICKET, 0, value, value - half, value + half, limit, row)


@pytest.mark.parametrize(
    ("value", "half", "limit", "state"),
    [
        (0.08, 0.02, MARGIN, MISSED),  # wholly beyond
        (-0.08, 0.02, MARGIN, MISSED),
        (0.06, 0.02, MARGIN, OPEN),  # may be within
        (0.04, 0.02, MARGIN, MET),  # known well enough
        (0.04, 0.03, MARGIN, OPEN),  # not known well enough
        (0.90, 0.20, (0.02, None), MET),  # wholly within
        (0.01, 0.005, (0.02, None), MISSED),
        (0.015, 0.01, (0.02, None), OPEN),
        (0.30, 0.02, (None, 0.5), MET),
        (0.60, 0.02, (None, 0.5), MISSED),
        (np.nan, np.nan, MARGIN, None),  # not measured
    ],
)
def test_a_target_is_met_missed_or_open(value: float, half: float, limit: Limit, state: str | None) -> None:
    assert ticket(0, value, half, limit).state == state


def test_there_is_a_target_for_each_thing_that_is_not_locked() -> None:
    analysis = fabricated(USA)
    targets = find_targets(USA, analysis.tables)
    by_measure = {measure: [t for t in targets if t.measure == measure] for measure in (TICKET, CLAIMED, SEAT, STYLE)}
    assert len(by_measure[TICKET]) == 30
    assert {target.players for target in by_measure[TICKET]} == {0}
    assert len(by_measure[CLAIMED]) == 78
    assert [target.players for target in by_measure[SEAT]] == [2, 3, 4, 5], "the best seat of each player count"
    assert all(target.limit[0] is None and 0 < (target.limit[1] or 0) < 0.7 for target in by_measure[SEAT])
    assert len({(t.key, t.players) for t in targets}) == len(targets)
    wanted = replace(USA.targets, locked=("Los Angeles–Miami", "Atlanta–Nashville"), margin=2.0, seats=3.0)
    fewer = find_targets(USA, analysis.tables, wanted)
    names = {target.name for target in fewer}
    assert "ticket Los Angeles–Miami regular" not in names
    assert not any("Atlanta–Nashville" in name for name in names)
    assert next(target.limit for target in fewer if target.measure == TICKET) == (-0.02, 0.02)
    assert all(target.limit[0] is not None for target in fewer if target.measure == SEAT)


def test_intervals_are_corrected_for_the_number_of_targets() -> None:
    tables = fabricated(USA).tables
    row = tables["ticket_value"].query("players == 0").iloc[0]
    target = next(target for target in find_targets(USA, tables) if target.measure == TICKET)
    assert (target.high - target.value) / (row["excess_high"] - row["excess"]) == pytest.approx(3.14 / 1.96, rel=0.01)


def test_rows_are_what_study_prints() -> None:
    edition = load_edition("first_journey")
    rows = as_rows(find_targets(edition, fabricated(edition).tables))
    assert set(rows[0]) == {"name", "measure", "players", "value", "low", "high", "limit", "state"}
    assert {row["state"] for row in rows} <= {MET, OPEN, MISSED, None}
    assert len({(row["name"], row["measure"], row["players"]) for row in rows}) == len(rows)
    (row,) = as_rows([Target("seat 1", SEAT, 2, 0.5, np.nan, np.nan, (None, None))])
    assert (row["value"], row["low"], row["high"]) == (0.5, None, None), "JSON has no NaN"


@pytest.mark.parametrize(
    ("value", "half", "games"),
    [
        (0.06, 0.02, 40_000),  # the interval must shrink to a half to lie beyond
        (0.00, 0.05, 40_000),  # half the limit is wanted
        (0.08, 0.02, 10_000),  # settled
    ],
)
def test_an_open_target_says_how_many_games_would_settle_it(value: float, half: float, games: int) -> None:
    assert ticket(0, value, half).games_to_settle(10_000) == pytest.approx(games, rel=0.05)


FINE, BAD, DOUBTFUL, UNSHARP = 0.0, 0.09, 0.055, 0.03


@pytest.mark.parametrize(
    ("tickets", "fights", "word"),
    [
        ([FINE] * 20, 0.5, "fair"),
        ([FINE] * 20 + [DOUBTFUL], 0.5, "not sure yet"),
        ([FINE] * 19 + [BAD], 0.5, "nearly fair"),
        ([FINE] * 19 + [BAD] + [DOUBTFUL], 0.5, "nearly fair"),
        ([FINE] * 8 + [BAD], 0.5, "not fair"),  # more than a tenth
        ([FINE] * 20, 0.99, "not fair"),  # something else than a ticket
    ],
)
def test_the_word_goes_by_the_states(tickets: list[float], fights: float, word: str) -> None:
    targets = [ticket(row, value) for row, value in enumerate(tickets)]
    targets.append(Target("route A–B red 0", FOUGHT_OVER, 4, fights, fights - 0.01, fights + 0.01, (None, 0.9), 0))
    verdict = Verdict(USA, {}, tuple(targets), Ranges({}))
    assert verdict.word == word
    assert sum(verdict.counts.values()) == len(targets)


def test_the_farthest_beyond_its_limit_is_shown_first_and_an_open_estimate_within_it_nowhere() -> None:
    verdict = Verdict(USA, {}, tuple(ticket(row, value) for row, value in enumerate([0.07, -0.2, 0.055])), Ranges({}))
    shown = [(target.row, target.side) for target in verdict.to_show()]
    assert shown == [(1, "stingy"), (0, "generous"), (2, "generous")]
    verdict = Verdict(USA, {}, (ticket(0, UNSHARP, 0.04), ticket(1, FINE)), Ranges({}))
    assert (verdict.word, verdict.counts[OPEN], verdict.to_show()) == ("fair", 1, []), "open, and not counted as met"


def test_cards_stand_in_one_order_and_each_has_a_state_and_a_sentence() -> None:
    verdict = fabricated(USA).verdict
    assert [card.topic for card in verdict.cards] == ["tickets", "turn order", "routes", "strategy", "cards"]
    assert all(card.state in ("met", "open", "missed", "odd") and card.sentence for card in verdict.cards)
    asked = replace(USA, targets=replace(USA.targets, margin=3.0))
    own = Verdict.of(asked, fabricated(USA).tables, official_ranges(USA)).cards[0]
    assert own.topic == "targets"
    assert own.sentence.endswith("of 30 of your own targets met")


def test_the_card_of_strategy_names_the_plan_that_may_be_too_strong() -> None:
    tables = fabricated(USA).tables
    rewards = tables["rewards"].copy()
    rewards[["win_share", "win_share_low", "win_share_high"]] = 0.1, 0.08, 0.12
    rewards.loc[0, ["variant", "bot"]] = "blocks", "planner:block=1.5"
    rewards.loc[0, ["win_share", "win_share_low", "win_share_high"]] = 0.53, 0.51, 0.55
    card = Verdict.of(USA, tables | {"rewards": rewards}, official_ranges(USA)).cards[3]
    assert card.state == OPEN
    assert card.sentence == "a plan may win more than its share (best: blocks, 53.0 %, fair is 50)"


def test_limits_of_turn_order_and_routes_are_those_of_the_official_boards_this_one_included() -> None:
    usual = official_ranges(USA).of_headline("first_seat", 4)
    assert usual is not None
    assert official_most("first_seat", 4) >= usual[1]
    assert official_most("first_seat", 6) == official_most("first_seat", 5), "no official board has six"


def test_the_yardstick_is_a_line_through_length_and_not_through_points() -> None:
    trains = ticket_facts(USA)["trains"].to_numpy(float)
    n = np.full(len(trains), 1_000.0)
    effect = -0.05 + 0.005 * trains
    effect[3] += 0.08
    yardstick = Yardstick.of(USA, trains, effect, n)
    assert yardstick.lines["regular"] == pytest.approx((-0.05, 0.005))
    excess = effect - yardstick.expect(USA, trains)
    assert excess[3] == pytest.approx(0.08)
    assert np.delete(excess, 3) == pytest.approx(0)
    # Another label on a ticket moves the yardstick of no ticket, neither the old one nor its own.
    for step in (1, 8):
        tickets = (replace(USA.tickets[0], points=USA.tickets[0].points + step), *USA.tickets[1:])
        edited = replace(USA, tickets=tickets)
        assert yardstick.expect(edited, ticket_facts(edited)["trains"].to_numpy(float)).tolist() == (
            yardstick.expect(USA, trains).tolist()
        )
        assert Yardstick.of(edited, trains, effect, n) == yardstick


def test_a_small_deck_and_a_race_are_held_against_the_mean_of_the_deck() -> None:
    europe, race = load_edition("europe"), load_edition("first_journey")
    for edition, deck in ((europe, "long"), (race, race.decks[0].name)):
        trains = ticket_facts(edition)["trains"].to_numpy(float)
        chance = np.random.default_rng(1)
        effect, n = chance.normal(0, 0.05, len(trains)), chance.integers(500, 900, len(trains)).astype(float)
        intercept, slope = Yardstick.of(edition, trains, effect, n).lines[deck]
        held = np.array([edition.decks[t.deck].name == deck for t in edition.tickets])
        assert (intercept, slope) == (pytest.approx(np.average(effect[held], weights=n[held])), 0.0)
