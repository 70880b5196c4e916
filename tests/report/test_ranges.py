from __future__ import annotations

from tests.report.fabricated import fabricated
from ttr_sim.edition import load_edition
from ttr_sim.report.ranges import Ranges, key_of, spans_of


def test_rows_all_editions_have_are_compared_one_by_one() -> None:
    analyses = [fabricated(load_edition(name), seed=seed) for seed, name in enumerate(("usa", "europe"))]
    ranges = Ranges(spans_of(analyses))
    seats = [table.set_index(["players", "seat"])["win_share"] for table in (a.tables["seats"] for a in analyses)]
    low, high = sorted(float(f"{table[(3, 1)]:.4g}") for table in seats)
    assert ranges.of("seats", 3, "1", "win_share") == (low, high)


def test_lists_are_compared_as_a_whole() -> None:
    analysis = fabricated(load_edition("usa"))
    span = Ranges(spans_of([analysis])).of("routes", 4, "*", "claimed")
    claimed = analysis.tables["routes"].query("players == 4")["claimed"]
    assert span is not None
    assert claimed.min() < span[0] < claimed.median() < span[1] < claimed.max()


def test_what_no_edition_tells_has_no_range() -> None:
    assert Ranges({}).of("seats", 2, "0", "win_share") is None


def test_keys() -> None:
    assert key_of("matchups", {"bot": "a", "opponent": "b"}) == "a|b"
    assert key_of("routes", {"route": 3}) == "*"
