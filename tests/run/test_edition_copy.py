from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttr_sim.edition import find_folder, load_edition, official_names
from ttr_sim.errors import UserError
from ttr_sim.run.edition_copy import copy_edition, overrides_of, toml_text

SETTINGS = ("trains=20", "tie_breaks=[]", "max_turns = 90", 'title="My \\"own\\" board"')

scalars = st.one_of(st.integers(-(2**63), 2**63 - 1), st.booleans(), st.text())
values = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3))
)


@given(st.dictionaries(st.text(), values, max_size=5))
def test_any_rules_are_written_so_that_they_read_the_same(rules: dict[str, object]) -> None:
    assert tomllib.loads(toml_text(rules)) == rules


@pytest.mark.parametrize("name", official_names())
def test_a_copy_holds_the_rules_that_were_set(tmp_path: Path, name: str) -> None:
    copy_edition(find_folder(name), tmp_path / "edition", SETTINGS)
    changed = load_edition(tmp_path / "edition")
    assert (changed.trains, changed.max_turns, changed.title) == (20, 90, 'My "own" board')
    assert changed.fingerprint == load_edition(name, overrides_of(SETTINGS)).fingerprint
    assert changed.fingerprint != load_edition(name).fingerprint
    assert [entry.name for entry in tmp_path.iterdir()] == ["edition"]


@pytest.mark.parametrize("name", official_names())
def test_without_settings_the_files_are_copied_as_they_are(tmp_path: Path, name: str) -> None:
    copy_edition(find_folder(name), tmp_path / "edition", ())
    for file in (tmp_path / "edition").iterdir():
        assert file.read_bytes() == (find_folder(name) / file.name).read_bytes()


@pytest.mark.parametrize("setting", ["trains", "=4", "trains=", ""])
def test_a_setting_is_a_key_and_a_value(setting: str) -> None:
    with pytest.raises(UserError, match="give a key and a value"):
        overrides_of([setting])
