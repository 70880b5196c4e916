"""Folders changed in hundreds of random ways: clean, warned of or refused with precise errors, never a traceback,
never a silent repair."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttr_sim.edition import Problems, check_folder, load_edition, official_names
from ttr_sim.edition.map_tables import color_key
from ttr_sim.edition.rules import overrides_of
from ttr_sim.edition.write import write_folder
from ttr_sim.errors import UserError

FILES = ("edition.toml", "cities.csv", "routes.csv", "tickets.csv")
TABLES = FILES[1:]
NASTY = (
    *("", " ", '"', '""', "'", ",", ";", "\t", "\n", "\r", "\0", "\ufeff", "=1+1", "@x", "#", "\u2028", "é", "e\u0301"),
    *("-1", "0", "1", "7", "12", "13", "999999999999", "1.5", "1e400", "nan", "inf", "-inf", "٣", "0x10", "1_000"),
    *("gray", "grey", "ferry", "tunnel", "regular", "long", "red", "Boston", "Berlin", "Dänemark", "true", "[]", "{}"),
    *("{ letter = 'r' }", "[1, 2]", "1979-05-27", "x" * 300, "[row]", "[stations]\ncount = 1", "mix = true"),
)
pieces = st.one_of(st.sampled_from(NASTY), st.text(max_size=8))


@contextmanager
def copy_of(edition: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        write_folder(load_edition(edition), Path(place) / "copy")
        yield Path(place) / "copy"


def assert_sound(folder: Path, report: Problems) -> None:
    """Errors have a place in a file, and without errors the edition loads and survives a copy."""
    for problem in (*report.errors, *report.warnings):
        assert problem.file in FILES
        assert problem.line >= 1 and problem.column >= 1
        assert problem.message and "\n" not in str(problem)
    if report.errors:
        with pytest.raises(UserError):
            load_edition(folder)
        return
    edition = load_edition(folder)
    write_folder(edition, folder.parent / "written", [f"trains={edition.trains}"])
    assert load_edition(folder.parent / "written").fingerprint == edition.fingerprint


@st.composite
def text_changes(draw: st.DrawFn) -> tuple[str, float, float, str]:
    """A file, a stretch of it as shares of its length, and what stands there instead."""
    start = draw(st.floats(0, 1))
    length = draw(st.sampled_from((0.0, 0.0, 0.001, 0.002, 0.01, 0.1, 1.0)))
    return draw(st.sampled_from(FILES)), start, length, draw(pieces)


@settings(max_examples=120)
@given(st.sampled_from(official_names()), st.lists(text_changes(), min_size=1, max_size=4))
def test_any_text(edition: str, changes: list[tuple[str, float, float, str]]) -> None:
    with copy_of(edition) as folder:
        for file, start, length, piece in changes:
            text = (folder / file).read_bytes().decode("utf-8")
            first = int(start * len(text))
            changed = text[:first] + piece + text[first + round(length * len(text)) :]
            (folder / file).write_bytes(changed.encode("utf-8", errors="surrogatepass"))
        assert_sound(folder, check_folder(folder))


@settings(max_examples=120)
@given(st.sampled_from(official_names()), st.sampled_from(TABLES), st.data())
def test_a_changed_cell_is_an_error_or_shows(edition: str, file: str, data: st.DataObject) -> None:
    with copy_of(edition) as folder:
        before = load_edition(folder).fingerprint
        lines = (folder / file).read_text(encoding="utf-8").splitlines()
        row = data.draw(st.integers(1, len(lines) - 1))
        cells = lines[row].split(",")
        place = data.draw(st.integers(0, len(cells) - 1))
        others = [line.split(",")[place] for line in lines[1:]]
        cell = data.draw(st.one_of(pieces, st.sampled_from(others)))
        is_color = lines[0].split(",")[place] == "color"
        same = cell.strip() == cells[place] or (not cell.strip() and cells[place] in ("0", "plain"))
        same = same or (is_color and color_key(cell.strip()) == cells[place])
        cells[place] = '"' + cell.replace('"', '""') + '"'
        lines[row] = ",".join(cells)
        (folder / file).write_bytes("\n".join(lines).encode("utf-8", errors="surrogatepass"))
        report = check_folder(folder)
        assert_sound(folder, report)
        assert same or report.errors or load_edition(folder).fingerprint != before


@settings(max_examples=120)
@given(
    st.sampled_from(official_names()),
    st.lists(st.sampled_from(("row", "tickets", "stations", "count", "trains", "points", "2", "x", "")), max_size=3),
    st.one_of(pieces, st.integers().map(str)),
)
def test_any_override(edition: str, keys: list[str], value: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        setting = f"{'.'.join(keys)}={value}"
        try:
            overridden = load_edition(edition, overrides_of([setting]))
        except UserError as error:
            assert str(error)
            return
        write_folder(overridden, Path(place) / "copy", [setting])
        assert load_edition(Path(place) / "copy").fingerprint == overridden.fingerprint
