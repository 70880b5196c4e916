"""The page of a game in a real browser: it steps to the log's final scores, by keys too, and asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.played_runs import play_run
from tests.report.conftest import NEEDS_BROWSER
from ttr_sim.cli.film import film_of
from ttr_sim.edition import official_names
from ttr_sim.referee.audit import one_game
from ttr_sim.report.replay import write_game
from ttr_sim.run.read import open_run
from ttr_sim.run.wants import wants_of_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

expect = pytest.importorskip("playwright.sync_api").expect
GAME = 1
LARGEST = 1_000_000
pytestmark = NEEDS_BROWSER
on_every_board = pytest.mark.parametrize("run", official_names(), indirect=True)


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("watched") / "run"
    play_run(folder, getattr(request, "param", "germany"), 3, ("planner", "racer", "random"), 3)
    return folder


@pytest.fixture(scope="module")
def file(run: Path) -> Path:
    return write_game(film_of(open_run(run), GAME), run.parent / "game.html")


@pytest.fixture
def troubles() -> list[str]:
    return []


@pytest.fixture
def page(browser: Browser, file: Path, troubles: list[str]) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.on("console", lambda message: troubles.append(message.text))
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("request", lambda request: troubles.append(request.url) if request.url != file.as_uri() else None)
    opened.goto(file.as_uri())
    yield opened
    opened.close()


@on_every_board
def test_stepping_ends_with_the_scores_and_trains_of_the_log(
    page: Page, run: Path, file: Path, troubles: list[str]
) -> None:
    def scores() -> list[int]:
        return [int(text.split()[0]) for text in page.locator("#players .score").all_inner_texts()]

    _, log = one_game(run, GAME)
    assert page.locator(".train:visible").count() == 0
    for turn in log.turns:
        page.keyboard.press("ArrowRight")
        assert scores()[turn.seat] == turn.score
    page.keyboard.press("ArrowRight")
    assert scores() == [seat.score for seat in log.seats]
    assert page.locator(".train:visible").count() == sum(seat.routes for seat in log.seats)
    assert "Final scores" in page.locator("#told").inner_text()
    assert troubles == []
    assert file.stat().st_size < LARGEST


def test_keys_buttons_and_slider_go_the_same_way_and_playing_stops(page: Page) -> None:
    slider, play = page.locator("#slider"), page.locator("#play")
    page.keyboard.press("End")
    end = slider.input_value()
    assert end == slider.get_attribute("max")
    page.keyboard.press("ArrowLeft")
    page.locator("#last").click()
    assert slider.input_value() == end
    page.keyboard.press("Home")
    assert slider.input_value() == "0"
    slider.fill("5")
    assert page.locator("#turns [aria-current]").inner_text().startswith("Turn 4")
    assert page.locator("#told").get_attribute("aria-live") == "polite"
    page.keyboard.press("Home")
    play.click()
    assert play.inner_text() == "Stop"
    expect(slider).to_have_value("1")
    page.keyboard.press("Home")
    assert play.inner_text() == "Play"


def test_only_one_hand_is_open_when_asked(page: Page, run: Path) -> None:
    page.locator("#view").select_option("0")
    hands = page.locator("#players .seat")
    assert hands.nth(0).locator("p", has_text="Hand").locator(".card").count() > 0
    assert hands.nth(1).locator("p", has_text="Hand").locator(".card").count() == 0
    setup = page.locator("#told p").all_inner_texts()
    assert all("–" in line for line in setup[:1])
    assert not any("–" in line for line in setup[1:3])
    assert "in the plans of" not in page.locator("#turns").inner_text()
    page.locator("#view").select_option("all")
    is_fought_over = any((turn.wanted_by or 0) & ~(1 << turn.seat) for turn in one_game(run, GAME)[1].turns)
    assert "in the plans of" in page.locator("#turns").inner_text() or not is_fought_over


@on_every_board
def test_plans_are_lines_that_follow_the_game_and_whose_hands_are_shown(page: Page, run: Path) -> None:
    def planned(seat: int) -> int:
        return page.locator(f".want.of{seat}:visible").count()

    _, log = one_game(run, GAME)
    wants = wants_of_game(open_run(run), log)
    assert wants is not None
    for step in (0, len(log.turns) // 2, len(log.turns)):
        page.locator("#slider").fill(str(step))
        taken = {turn.route for turn in log.turns[:step] if turn.action == "claim" and turn.claimed}
        assert [planned(seat) for seat in range(3)] == [len(wants[step][seat] - taken) for seat in range(3)]
    page.locator("#slider").fill("12")
    seat = max(range(3), key=planned)
    assert planned(seat) > 0
    page.locator("#view").select_option(str((seat + 1) % 3))
    assert planned(seat) == 0
    page.locator("#view").select_option("all")
    page.locator("#plans").uncheck()
    assert page.locator(".want:visible").count() == 0


def test_it_says_why_plans_are_left_out_and_draws_known_chances(browser: Browser, run: Path, tmp_path: Path) -> None:
    film = film_of(open_run(run), GAME)
    chances = [[0.5, 0.3, 0.2]] * (len(film.scenes) - 1)
    film = replace(film, plans={}, no_plans="another version of the engine played this game", chances=chances)
    page = browser.new_page()
    page.goto(write_game(film, tmp_path / "game.html").as_uri())
    assert "not drawn: another version of the engine" in page.locator("#made").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#plans").count() == page.locator(".want").count() == 0
    assert page.locator("#chance polyline").count() == 3
    page.close()


def test_hands_stand_beside_the_board_nothing_moves_when_asked_and_it_fits_a_phone(page: Page) -> None:
    page.keyboard.press("End")
    page.evaluate("document.querySelector('.train').classList.add('new')")
    train = page.locator(".train.new").first
    for motion, animation in (("reduce", "none"), ("no-preference", "arrive")):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        assert train.evaluate("train => getComputedStyle(train).animationName") == animation
    page.set_viewport_size({"width": 1400, "height": 900})
    for place in ("#row", "#players", "#told"):
        box = page.locator(place).bounding_box()
        assert box and box["y"] < 900 / 2
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_print_has_all_turns_and_the_end(page: Page) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#slider").input_value() == page.locator("#slider").get_attribute("max")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#slider").input_value() == "0"
    page.emulate_media(media="print")
    assert all(turn.is_visible() for turn in page.locator("#turns li").all())


@on_every_board
def test_everybody_can_read_it(page: Page) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.locator("#slider").fill("30")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        assert axe.run(page).response["violations"] == []
