"""Every command lists the same targets as missed and open."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tools.same_verdict import lists_of, names_on
from tests.cli.conftest import set_points
from tests.mixed_editions import mixed_edition
from ttr_sim.balance import remedies
from ttr_sim.edition import load_edition
from ttr_sim.edition.write import write_folder
from ttr_sim.run.workers import ThisMachine


@pytest.mark.parametrize("board", ["amsterdam", "mixed"])
def test_commands_agree_on_what_is_missed(board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(remedies, "GAMES", 100)
    folder = mixed_edition(3, tmp_path / "mixed")
    if board == "amsterdam":
        folder = tmp_path / "spoiled"
        write_folder(load_edition(board), folder)
        set_points(20, folder)
    listed, same = lists_of(str(folder), 400, ThisMachine(2), (2,))
    assert "missed" in listed.values() or board == "mixed"
    assert [name for name, agrees in same.items() if not agrees] == []
    assert len(same) == 6


def test_names_on_a_page_are_those_of_the_table_and_of_the_line_below() -> None:
    row = '<span class="tk"><i class="no miss">1</i><span>A–B<small class="miss-t">✗ too stingy</small></span></span>'
    more = '<p class="note">And 2 more: C–D (maybe too stingy), E &amp; F–G (fought over too often).</p>'
    assert names_on(row + more) == {("A–B", "miss"), ("C–D", "open"), ("E & F–G", "miss")}
