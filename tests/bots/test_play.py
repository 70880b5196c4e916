"""Every style on every edition: legal at every table, alike each time, and doing all it has a use for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.bots import bot_games
from ttr_sim.bots import FAST_STYLES
from ttr_sim.engine.play import AT_TURN, THOUGHTS, Games, new_control, play_batch
from ttr_sim.log import END_NAMES

CAPPED = END_NAMES.index("capped")
GIVEN_UP, CLAIMED = 0, 1
QUICK_SEARCH = "search:budget=8"
ALWAYS = {"draw", "claim"}
MORE = {
    **{"usa": {"tickets"}, "europe": {"tickets", "station"}, "germany": {"tickets"}},
    **{"amsterdam": {"tickets"}, "first_journey": {"discard"}},
}
# A style that lives on routes alone has no use for tickets, stations and discards.
ROUTES_ALONE = {"tickets", "station", "discard"}
WITHOUT = {"longroute": ROUTES_ALONE, "racer": ROUTES_ALONE, "onestep": {"station"}}
# With values that win more there, no ticket is worth the turn.
NO_TICKETS = {("planner", "amsterdam"), ("blocker", "amsterdam")}


@pytest.mark.parametrize("edition", bot_games.EDITIONS)
def test_all_styles_play_legally_at_every_table(edition: str) -> None:
    """Each style sits with every number of others; a failure would name the bot."""
    low, high = bot_games.edition_of(edition).players
    for players in range(low, high + 1):
        for first in range(len(FAST_STYLES)):
            lineup = [FAST_STYLES[(first + place) % len(FAST_STYLES)] for place in range(players)]
            log = bot_games.play(lineup, edition, blocks=3)
            assert log.failure is None
            assert CAPPED not in bot_games.column(log, "games", "end")


@pytest.mark.parametrize("edition", bot_games.EDITIONS)
@pytest.mark.parametrize("style", FAST_STYLES)
def test_style_does_all_it_has_a_use_for(style: str, edition: str) -> None:
    done: Counter[str] = Counter()
    for opponents in (["path", "hungry"], ["racer", "planner"]):
        done += bot_games.actions(bot_games.play([style, *opponents], edition, blocks=60), bot=0)
    without = {"tickets"} if (style, edition) in NO_TICKETS else WITHOUT.get(style, set())
    used = ALWAYS | (MORE[edition] - without)
    assert used <= set(done), f"{style} on {edition}: {done}"


@pytest.mark.parametrize("style", FAST_STYLES)
def test_tunnels_are_paid_and_given_up(style: str) -> None:
    log = bot_games.play([style] * 3, "europe", blocks=40)
    surcharge, claimed = bot_games.column(log, "turns", "tunnel_cost"), bot_games.column(log, "turns", "claimed")
    assert set(claimed[surcharge > 0]) == {GIVEN_UP, CLAIMED}


@pytest.mark.parametrize("edition", bot_games.SEARCHED_EDITIONS)
def test_search_plays_legally_at_every_table_and_alike_each_time(edition: str) -> None:
    low, high = bot_games.edition_of(edition).players
    for players in range(low, high + 1):
        first, second = (
            bot_games.play([QUICK_SEARCH, *["planner"] * (players - 1)], edition, blocks=1) for _ in range(2)
        )
        assert first.failure is None
        assert np.array_equal(bot_games.column(first, "turns", "route"), bot_games.column(second, "turns", "route"))
        assert np.array_equal(bot_games.column(first, "seats", "score"), bot_games.column(second, "seats", "score"))


def test_planner_draws_its_first_mix_by_chance_on_request() -> None:
    germany, log = bot_games.edition_of("germany"), bot_games.play(["planner:lottery=1"] * 2, "germany", blocks=100)
    game, seat, turn, ticket = (bot_games.column(log, "tickets", name) for name in ("game", "seat", "turn", "ticket"))
    is_short = np.array([germany.decks[each.deck].name == "short" for each in germany.tickets])
    of_seat = np.bincount((game * 2 + seat)[turn < 0], is_short[ticket[turn < 0]])
    assert set(of_seat) == {0, 1, 2, 3, 4}
    assert of_seat.mean() == pytest.approx(2, abs=0.3)


def test_planner_publishes_what_it_claims() -> None:
    # What ends a won game, or spends a hand when the deck runs out, is claimed without being planned.
    log = bot_games.play(["planner:finish=0,reach=0,thin=0", "random"], "usa", blocks=20)
    bots = bot_games.column(log, "seats", "bot").reshape(-1, 2)
    game, seat, wanted = (bot_games.column(log, "turns", name) for name in ("game", "seat", "wanted_by"))
    own_claims = (wanted >= 0) & (bots[game, seat] == 0)
    assert ((wanted >> seat) & 1)[own_claims].mean() > 0.9


OPPONENTS = ("onestep", "longroute", "hungry", "path", "racer")
DUELS = [("planner", opponent, 0.6) for opponent in OPPONENTS]
DUELS += [(style, "random", 0.9) for style in FAST_STYLES if style != "random"]
DUELS += [(QUICK_SEARCH, "path", 0.5)]


@pytest.mark.parametrize(("style", "opponent", "least"), DUELS)
def test_planner_is_the_strong_one_and_every_style_beats_chance(style: str, opponent: str, least: float) -> None:
    """Far below the measured shares, so that chance cannot fail it. `scripts/bench` has the table."""
    blocks = 10 if style == QUICK_SEARCH else 60
    assert bot_games.win_share(bot_games.play([style, opponent], "usa", blocks=blocks), bot=0) > least


@pytest.mark.parametrize(("bot", "thinks"), [("search:budget=8", True), ("random", False)])
def test_search_counts_its_thoughts_within_a_turn(bot: str, thinks: bool) -> None:
    """Or a watchdog would take it for a bot that hangs."""
    control, first = new_control(), np.zeros(1, np.int64)
    games = Games(first, first, np.zeros((1, 2), np.int64), np.array([[0, 1]]))
    play_batch(
        bot_games.board_of("first_journey"), 2, 1, games, bot_games.load([bot], "first_journey").table, False, control
    )
    assert (control[THOUGHTS] > control[AT_TURN]) == thinks
    assert thinks or control[THOUGHTS] == 0
