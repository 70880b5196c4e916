"""The improvement when drawn: worked out on paper, and found when it is planted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.analysis.handmade import game, offer, seat, write_log
from tests.analysis.synthetic import World, write_run
from ttr_sim.analysis.drawn import Drawn, _best_beside, _over_best
from ttr_sim.analysis.jackknife import Estimate, Floats
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.tickets import Deals, ticket_value
from ttr_sim.run.opened import open_run

USA_TICKETS = 30
A, B, C, D, E = range(5)


def drawn_in(folder: Path, tickets: list[dict[str, object]]) -> Drawn:
    games = [game(number, number, 1) for number in (0, 1)]
    seats = [seat(number, place, "A", 100, float(place == 0)) for number in (0, 1) for place in (0, 1)]
    tables = {"games": games, "seats": seats, "tickets": tickets}
    return Drawn.of([open_run(write_log(folder, ["A"], 2, tables, log="results"))])


def test_tickets_count_one_when_they_come_up_and_their_chance_while_unseen(tmp_path: Path) -> None:
    found = drawn_in(
        tmp_path / "run",
        [
            offer(0, 0, 0, A),
            offer(0, 1, 1, B),
            offer(0, 2, 0, C, turn=6),
            offer(0, 3, 0, D, turn=6),
            offer(1, 0, 0, A),
        ],
    )
    assert found.came.total("n")[:5].tolist() == [0, 0, 1, 1, 0]
    first, second = 1 / (USA_TICKETS - 2), 1 / (USA_TICKETS - 3)
    assert found.could.total("n")[:5] == pytest.approx([0, 0, first, first + second, first + second])
    assert found.offers == ((C, D),)


def test_offers_with_a_returned_ticket_are_left_out(tmp_path: Path) -> None:
    found = drawn_in(
        tmp_path / "run",
        [
            offer(0, 0, 0, A, kept=False, completed=None, completed_turn=None),
            offer(0, 1, 1, B),
            offer(0, 2, 0, A, turn=6),
            offer(0, 3, 0, C, turn=6),
            offer(0, 4, 1, D, turn=7),
        ],
    )
    assert found.came.total("n")[:5].tolist() == [0, 0, 0, 1, 0]
    assert found.could.total("n")[E] == pytest.approx(1 / (USA_TICKETS - 3))


def test_no_offer_during_the_game_is_no_estimate(tmp_path: Path) -> None:
    found = drawn_in(tmp_path / "run", [offer(0, 0, 0, A), offer(1, 0, 0, B)])
    assert np.isnan(found.came.mean("win").value).all()
    assert found.offers == ()


def test_best_beside_a_ticket_in_its_offers() -> None:
    best = _best_beside(np.array([0.0, 1.0, 3.0, 7.0]), [(0, 1, 2), (1, 2), (2, 0)])
    assert best[:3] == pytest.approx([(3 + 3) / 2, (3 + 3) / 2, (1 + 1 + 0) / 3])
    assert np.isnan(best[3])


@pytest.mark.parametrize("noise", [0.005, 0.02, 0.08])
def test_value_above_the_best_is_right_however_noisy_the_effects(noise: float) -> None:
    """The best of noisy effects looks better than it is; true effects spread by 2 wins in 100."""
    chance = np.random.default_rng(1)
    held = []
    for _ in range(30):
        true = chance.normal(0, 0.02, USA_TICKETS)
        offers = [tuple(chance.choice(USA_TICKETS, 3, replace=False)) for _ in range(300)]
        seen = _over_best(estimated(true, noise, chance), offers)
        low, high = seen.interval()
        above = true - _best_beside(true, offers)
        held.append((low <= above) & (above <= high))
    assert 0.93 <= np.mean(held) <= 0.97


def estimated(true: Floats, noise: float, chance: np.random.Generator, groups: int = 100) -> Estimate:
    rows = true + noise * np.sqrt(groups) * chance.standard_normal((groups, len(true)))
    without = (rows.sum(axis=0) - rows) / (groups - 1)
    return Estimate(rows.mean(axis=0), without, np.full(len(true), groups), np.full(len(true), float(groups)))


def test_intervals_hold_the_truth_when_nothing_is_planted(tmp_path: Path) -> None:
    """Drawn tickets of made-up games do nothing: about 19 in 20 intervals hold 0, and none is far off."""
    source = Source([open_run(write_run(tmp_path / "run", World(), 3_000, players=3))])
    table = ticket_value([Deals(source)], drawn=[Drawn.of(source.runs)])
    for name in ("drawn_win", "drawn_points"):
        known = table.dropna(subset=[f"{name}_low"])
        assert len(known) == USA_TICKETS
        held = (known[f"{name}_low"] <= 0) & (known[f"{name}_high"] >= 0)
        assert held.sum() >= USA_TICKETS - 5
    assert table["drawn_n"].sum() == 3_000 * 3 * 3
