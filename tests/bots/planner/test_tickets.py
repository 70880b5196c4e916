"""What drawing tickets is worth, against brute force over all draws."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest

from tests.bots.bot_games import EDITIONS
from tests.bots.planner.skill_bench import Bench, bench
from ttr_sim.bots.planner.plan import best_plan
from ttr_sim.bots.planner.tickets import best_deck, best_mask, expected_best
from ttr_sim.bots.planner.ways import price_by_turns
from ttr_sim.bots.planner.worth import add_ticket, collect_goals, ticket_gain, ticket_loss
from ttr_sim.engine.networks import is_met

GAINS = [7.0, -3.0, 2.5, -8.0, 0.5, 4.0]


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_mean_of_the_best_of_a_draw(n: int) -> None:
    at = bench()
    at.memory["gains"][: len(GAINS)] = sorted(GAINS, reverse=True)
    draws = list(combinations(GAINS, n))
    best, good = expected_best(at.memory, len(GAINS), n)
    assert best == pytest.approx(sum(map(max, draws)) / len(draws))
    assert good == pytest.approx(sum(max(0.0, *draw) for draw in draws) / len(draws))


def test_tickets_are_worth_more_to_a_wide_network() -> None:
    at = bench()
    price_by_turns(at.board, at.view, at.seat, at.memory)
    before, _ = best_deck(at.board, at.view, at.memory, 20.0)
    ends = ("Seattle", "Helena", "Duluth", "Chicago", "Pittsburgh", "New York", "Boston")
    at.game.give(int(at.view["seat"]), *(at.game.route(a, b) for a, b in pairwise(ends)))
    price_by_turns(at.board, at.view, at.seat, at.memory)
    after, _ = best_deck(at.board, at.view, at.memory, 20.0)
    assert after > before + 3


def value_of_keeping(at: Bench, mask: int, turns: float, caution: float) -> float:
    """What the tickets of this mask gain, by the best of all trials, planned for them alone."""
    collect_goals(at.board, at.view, at.memory)
    value = 0.0
    for i, ticket in enumerate(at.view["offered"][: at.view["n_offered"]]):
        if not (mask >> i) & 1:
            continue
        value -= at.view["ticket_tie"][ticket]
        if is_met(at.board, at.view["network"][at.view["seat"]], ticket):
            value += ticket_gain(at.board, ticket)
        else:
            value -= ticket_loss(at.board, ticket) + caution
            add_ticket(at.board, at.memory, ticket)
    return value + float(best_plan(at.board, at.view, at.memory, turns))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("turns", [6.0, 12.0, 40.0])
def test_what_is_kept_is_the_best_of_all_masks(edition: str, turns: float) -> None:
    random, at = Random(3), bench(edition)
    for _ in range(10):
        tickets = random.sample(range(len(at.game.edition.tickets)), 6)
        at.view["n_offered"], at.view["n_tickets"], at.view["keep_at_least"] = 4, 2, random.choice([1, 2])
        at.view["offered"][:4], at.view["tickets"][:2] = tickets[:4], tickets[4:]
        at.memory["detour"] = random.choice([0.0, 1.0])
        at.game.give(int(at.view["seat"]), int(random.choice(np.flatnonzero(at.view["owner"] < 0)[:40])))
        price_by_turns(at.board, at.view, at.seat, at.memory)
        allowed = [mask for mask in range(16) if mask.bit_count() >= at.view["keep_at_least"]]
        values = {mask: value_of_keeping(at, mask, turns, 1.0) for mask in allowed}
        assert best_mask(at.board, at.view, at.memory, turns, 1.0) == max(values, key=values.__getitem__)
