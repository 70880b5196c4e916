"""The page in a real browser: quiet, offline, sorting, pointing, keyboard, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.analysis.synthetic import World, write_run
from tests.report.balanced import balanced
from tests.report.conftest import NEEDS_BROWSER
from tests.report.fabricated import fabricated
from ttr_sim.analysis.compare import compare
from ttr_sim.edition import load_edition, official_names
from ttr_sim.report.balance_page import write_balance
from ttr_sim.report.compare_page import write_comparison
from ttr_sim.report.page import write_report
from ttr_sim.run.read import open_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect
COMPARISON, BALANCE = "comparison", "balance"
ROUTE_7 = "#map-route-7 path"
WIDE = "[...document.querySelectorAll('.wide')].filter(box => box.scrollWidth > box.clientWidth)"
pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module", params=[*official_names(), COMPARISON, BALANCE])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of page."""
    folder = tmp_path_factory.mktemp("report")
    if request.param == COMPARISON:
        return compared(folder)
    if request.param == BALANCE:
        return write_balance(balanced(load_edition("usa"), folder / "out"), "ttr-sim balance usa", folder)
    return write_report(fabricated(load_edition(request.param)), folder, pictures=False).page


def compared(folder: Path) -> Path:
    """A page that compares two runs between which one ticket became worth more."""
    runs = write_run(folder / "before", World(), 60), write_run(folder / "after", World(tickets={3: 15.0}), 60)
    return write_comparison(compare(*(open_run(run) for run in runs), 0.01), folder)


@pytest.fixture(scope="module")
def usa(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(fabricated(load_edition("usa")), tmp_path_factory.mktemp("usa"), pictures=False).page


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('.fold > details').forEach(part => { part.open = true; })")


@pytest.fixture
def page(browser: Browser, usa: Path) -> Iterator[Page]:
    """All sections unfolded, with 4 players."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(usa.as_uri())
    unfold(opened)
    opened.locator("label[for=p4]").click()
    yield opened
    opened.close()


@pytest.mark.parametrize("width", [1180, 390])
def test_quiet_offline_no_wider_than_the_window_and_readable_for_everybody(
    browser: Browser, file: Path, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = browser.new_page(viewport={"width": width, "height": 900})
    troubles: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    unfold(page)
    page.mouse.wheel(0, 5_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert (troubles, requests) == ([], [file.as_uri()])
    assert width < 1180 or page.evaluate(f"{WIDE}.map(box => box.ariaLabel)") == [], "no table is cut on a screen"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        rules = axe.run(page).response["violations"]
        assert [(rule["id"], len(rule["nodes"]), rule["nodes"][0]["html"][:300]) for rule in rules] == []
    page.close()


def column(page: Page, table: str, words: str) -> list[str]:
    """The first words of a column's visible cells, from the top."""
    found: list[str] = page.locator(f"#t-{table}").evaluate(
        """(block, words) => {
            const headings = [...block.querySelectorAll("thead th")];
            const place = headings.findIndex((heading) => heading.textContent.trim().startsWith(words));
            const rows = [...block.querySelectorAll("tbody tr")].filter((row) => row.offsetParent);
            return rows.map((row) => row.cells[place].firstChild.textContent);
        }""",
        words,
    )
    return found


def heading(page: Page, table: str, words: str) -> Locator:
    return page.locator(f"#t-{table} thead button", has_text=words).first


def numbers(cells: list[str]) -> list[float]:
    return [float(cell.replace("−", "-").replace(",", "")) for cell in cells if cell != "–"]


def test_headings_sort_numbers_and_names_both_ways(page: Page) -> None:
    heading(page, "routes", "length").click()
    downwards = numbers(column(page, "routes", "length"))
    assert downwards == sorted(downwards, reverse=True)
    heading(page, "routes", "length").press("Enter")
    assert numbers(column(page, "routes", "length")) == downwards[::-1]
    assert page.locator("#t-routes th[aria-sort=ascending]").count() == 1
    heading(page, "ticket_value", "effect on points").click()
    effects = numbers(column(page, "ticket_value", "effect on points"))
    assert effects == sorted(effects, reverse=True)
    assert min(effects) < 0 < max(effects)
    heading(page, "ticket_value", "ticket").click()
    names = column(page, "ticket_value", "ticket")
    assert names == sorted(names)


def test_rows_and_maps_point_at_each_other(page: Page) -> None:
    row = page.locator('#t-routes tr.q4[data-of="route-7"]')
    row.hover()
    assert page.locator('svg .on[data-of="route-7"]').count() == 2  # the board on top, and the map
    page.locator(ROUTE_7).dispatch_event("pointerover", {"bubbles": True})
    assert "on" in str(row.get_attribute("class"))
    told = page.locator("#tip").inner_text()
    assert "5 players" in told and "On the ways of" in told
    page.locator("#t-tickets tbody tr:visible").first.hover()
    assert page.locator("#map .way").count() > 0


def test_one_map_shows_the_chosen_number(page: Page) -> None:
    look = "path => getComputedStyle(path).strokeWidth + getComputedStyle(path).stroke"
    route, disc = page.locator(ROUTE_7), page.locator("#map .loads path").first
    seen = set()
    for subject in ("claims", "contention", "denial", "rounds", "paper"):
        page.locator(f"label[for=m-{subject}]").click()
        seen.add(route.evaluate(look))
        assert page.locator("#map figcaption [class^=of-]:visible").count() == 1
        assert disc.evaluate("path => getComputedStyle(path).stroke") == "none"
    assert len(seen) > 1
    page.locator("label[for=m-load]").click()
    assert disc.evaluate("path => getComputedStyle(path).stroke") != "none"


def test_a_phone_shows_the_whole_map_and_keeps_names_in_sight(browser: Browser, usa: Path) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(usa.as_uri())
    unfold(page)
    assert page.locator("#map svg").bounding_box()["width"] <= 390  # type: ignore[index]
    first = page.locator("#t-routes tbody tr:visible td").first
    page.locator("#t-routes .list").evaluate("list => { list.scrollLeft = 300; }")
    assert first.bounding_box()["x"] >= 0  # type: ignore[index]
    page.close()


def test_arrows_go_from_row_to_row_and_from_route_to_route(page: Page) -> None:
    for count in ("2", "4"):
        page.locator(f"label[for=p{count}]").click()
        rows, stops = page.locator("#t-routes tbody tr:visible"), page.locator("#t-routes tbody tr[tabindex='0']")
        assert stops.count() == 1
        stops.focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.dataset.of") == rows.nth(1).get_attribute("data-of")
    page.locator("#map a").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.closest('[data-of]').dataset.of") == "route-2"
    page.keyboard.press("Enter")
    row = page.locator(page.evaluate("location.hash"))
    assert row.get_attribute("data-of") == "route-2"
    assert row.is_visible()
    assert row.evaluate("row => row === document.activeElement"), "keys go on from the row"


def test_player_counts_and_further_columns_can_be_chosen(page: Page) -> None:
    rows, players = page.locator("#t-seats tbody tr:visible"), page.locator("#t-seats thead th", has_text="players")
    assert rows.count() == 4
    page.locator("label[for=p5]").click()
    assert rows.count() == 5
    assert page.locator("#map-route-0 path").evaluate("path => getComputedStyle(path).strokeWidth").endswith("px")
    expect(players).to_be_hidden()
    page.locator("label[for=p0]").click()
    expect(players).to_be_visible()
    hidden = page.locator("#t-ticket_value thead th", has_text="chance if nothing differed")
    expect(hidden).to_be_hidden()
    page.locator("label[for=more-ticket_value]").click()
    expect(hidden).to_be_visible()


def is_in_sight(row: Locator) -> bool:
    """Whether a row's middle is really to be seen: no heading over it, not scrolled away."""
    seen: bool = row.evaluate(
        """row => {
            const box = row.getBoundingClientRect();
            const there = document.elementFromPoint(box.left + 40, box.top + box.height / 2);
            return row.contains(there);
        }"""
    )
    return seen


def test_findings_lead_to_rows_below_the_headings_even_of_other_counts_and_filtered_ones(page: Page) -> None:
    page.locator("#fine .findings li").first.get_by_text("table").click()
    assert page.locator(page.evaluate("location.hash")).is_visible()
    page.locator("#t-routes .filter").fill("nowhere")
    page.evaluate("document.querySelectorAll('#numbers > details').forEach(part => { part.open = false; })")
    page.locator("#fine .findings li", has_text="Route 3").get_by_text("table").click()
    row = page.locator(".here")
    expect(row).to_be_visible()
    assert row.get_attribute("data-of") == "route-3"
    page.wait_for_function("document.querySelector('.here').getBoundingClientRect().top > 0")
    assert is_in_sight(row)
    assert page.locator("#t-routes .filter").input_value() == ""


def test_a_click_on_a_route_shows_its_row_at_the_chosen_count(page: Page) -> None:
    page.locator("label[for=p2]").click()
    page.locator("#map-route-7 a").dispatch_event("click", {"bubbles": True})
    row = page.locator(".here")
    expect(row).to_have_attribute("data-of", "route-7")
    assert "q2" in str(row.get_attribute("class"))
    assert is_in_sight(row)


def test_the_filter_takes_words_in_any_order_without_accents(page: Page) -> None:
    for typed, found in (
        ("Los Angeles Miami", "Los Angeles–Miami"),
        ("chicago los", "Los Angeles–Chicago"),
        ("montreal vancouver", "Vancouver–Montréal"),
    ):
        page.locator("#t-tickets .filter").fill(typed)
        texts = page.locator("#t-tickets tbody tr:visible").all_inner_texts()
        assert texts
        assert all(set(text.split("\t")[0].split("–")) == set(found.split("–")) for text in texts)
        assert page.locator("#t-tickets output").inner_text() == f"{len(texts)} of 30"
    page.locator("#t-tickets .clear").click()
    assert page.locator("#t-tickets tbody tr:visible").count() == 30


def test_the_first_screen_has_the_verdict_the_board_and_the_cards(page: Page) -> None:
    page.set_viewport_size({"width": 1400, "height": 900})
    page.evaluate("scrollTo(0, 0)")
    for part in ("h1", ".tally", "#board svg", ".cards"):
        box = page.locator(part).bounding_box()
        assert box and box["y"] + box["height"] <= 900
    topics = page.locator(".card .k").all_inner_texts()
    assert topics == ["Tickets", "Turn order", "Routes", "Strategy", "Cards"]
    assert page.locator(".fix tr[id]").count() == 8
    assert page.locator(".plot .by:visible").count() == 1


def test_the_player_count_changes_cards_effects_and_tabs(page: Page) -> None:
    four = page.locator(".card .big").all_inner_texts()
    page.locator("label[for=p2]").click()
    two = page.locator(".card .big").all_inner_texts()
    assert sum(a != b for a, b in zip(two, four, strict=True)) >= 4
    assert "first of 2" in two[1] or "second of 2" in two[1]
    page.locator("label[for=v2]").click()
    car = page.locator("#board .rt .car").nth(7)
    look = "path => getComputedStyle(path).fill"
    seen = car.evaluate(look)
    looks = {seen}
    for count in ("3", "4", "5"):
        page.locator(f"label[for=p{count}]").click()
        looks.add(car.evaluate(look))
    assert len(looks) > 1
    assert page.locator("#board .probs:visible").count() == 0


def test_commands_are_copied_and_marks_and_words_of_the_glossary_explained(page: Page) -> None:
    button = page.locator(".copy")
    button.click()
    expect(button).to_have_text(re.compile(r"Copied|Press"))
    page.locator("#seat-wins .tips circle").first.dispatch_event("pointerover", {"bubbles": True})
    expect(page.locator("#tip")).to_be_visible()
    assert "1st player: wins" in page.locator("#tip").inner_text()
    page.locator("dfn").first.focus()
    expect(page.locator("#tip")).to_be_visible()
    assert len(page.locator("#tip").inner_text()) > 20
    assert page.locator("dfn").count() == len({text.lower() for text in page.locator("dfn").all_inner_texts()})


def test_print_keeps_sections_together_repeats_headings_and_keeps_colors(page: Page) -> None:
    page.emulate_media(media="print")
    for selector, name, value in (
        ("#maps h2", "breakAfter", "avoid"),
        ("#t-routes > p", "breakAfter", "avoid"),
        ("#t-routes tbody tr", "breakInside", "avoid"),
        ("#map", "breakInside", "avoid"),
        ("#t-routes thead", "display", "table-header-group"),
        ("#t-routes thead button", "display", "contents"),
        (".scale b", "printColorAdjust", "exact"),
    ):
        assert page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).{name}") == value
    assert page.locator("#maps .choice:visible, .bar:visible").count() == 0


def test_a_comparison_folds_its_map_and_unsure_rows(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(compared(tmp_path).as_uri())
    assert page.locator("h1").inner_text() == "after against before"
    page.locator("#map-fold summary").first.click()
    assert page.get_by_text("No route surely moved.").is_visible(), "only a ticket became worth more"
    unfold(page)
    rows = page.locator("#t-tickets tbody tr:visible")
    sure = rows.count()
    page.locator("label[for=unsure-tickets]").click()
    assert sure < rows.count()
    heading(page, "tickets", "difference").click()
    differences = numbers(column(page, "tickets", "difference"))
    assert differences == sorted(differences, reverse=True)
    modes = page.locator("label[for^=m-]")
    assert modes.count() == 4  # claimed and fought over in each: no change is sure
    looks = set()
    for number in range(4):
        modes.nth(number).click()
        assert page.locator("#map figcaption [class^=of-]:visible .scale span").count() >= 1
        looks.add(page.locator("#changes-route-7 path").evaluate("path => path.className.baseVal"))
        looks.add(page.locator("#map figcaption [class^=of-]:visible b").first.inner_text())
    assert len(looks) == 5  # all classes stand on the path at once; four titles
    page.locator("label[for=unsure-routes]").click()
    page.locator('#t-routes tr[data-of="route-7"]').hover()
    assert page.locator('svg .on[data-of="route-7"]').count() >= 1
    page.close()


def test_it_reads_without_script(browser: Browser, usa: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(usa.as_uri())
    assert page.locator("h1").inner_text().startswith("USA is ")
    assert not page.locator(".copy").is_visible()
    page.locator("#numbers summary").first.click()
    page.locator("label[for=p4]").click()
    assert page.locator("#t-routes tbody tr:visible").count() == 100
    page.locator("label[for=p2]").click()
    assert page.locator("#t-seats tbody tr:visible").count() == 2
    context.close()
