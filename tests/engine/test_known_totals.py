"""Known results: what the best solitary USA players reach with 45 trains."""

from __future__ import annotations

from tests.engine.rig import edition_of, give, new_game, rig_tickets, score, scored
from ttr_sim.edition.model import Edition

# Found by searching over sets of routes; rows of routes.csv and tickets.csv.
BEST_ROUTES = (43, 45, 46, 52, 70, 82, 87, 97)
BEST_CLAIMS = (1, 2, 7, 9, 19, 21, 31, 38, 59, 67, 68, 76, 77, 82, 85, 88, 90, 98)
BEST_TICKETS = (0, 1, 2, 3, 6, 8, 11, 18, 19, 20, 21, 23, 24, 26, 28, 29)


def most_route_points(edition: Edition) -> int:
    """Best points for all trains, no two routes of a group: by trains left, one group after the other."""
    assert edition.route_scores is not None
    groups = {entry.group: entry.length for entry in edition.routes}
    best = [0] * (edition.trains + 1)
    for length in groups.values():
        for trains in range(edition.trains, length - 1, -1):
            best[trains] = max(best[trains], best[trains - length] + edition.route_scores[length - 1])
    return best[edition.trains]


def test_usa_best_route_points_with_45_trains_are_109() -> None:
    game = give(new_game("usa"), 0, *BEST_ROUTES)
    assert most_route_points(edition_of("usa")) == 109
    assert int(game.view["score"][0]) == 109
    assert int(game.view["trains"][0]) >= 0


def test_usa_best_solo_total_is_285() -> None:
    """62 points of routes and 223 of 16 tickets."""
    game = give(rig_tickets(new_game("usa"), {0: list(BEST_TICKETS)}), 0, *BEST_CLAIMS)
    result = score(game)[0]
    assert (int(game.view["score"][0]), int(game.view["trains"][0])) == (62, 0)
    assert (int(result["completed"]), scored(result, "ticket"), scored(result, "ticket_penalty")) == (16, 223, 0)
    assert int(result["score"]) - scored(result, "longest") == 285
