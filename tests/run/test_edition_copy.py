from __future__ import annotations

from pathlib import Path

from ttr_sim.edition import find_folder, load_edition
from ttr_sim.run.edition_copy import copy_edition


def test_the_copy_is_whole_or_absent(tmp_path: Path) -> None:
    (tmp_path / ".edition.new").mkdir()
    (tmp_path / ".edition.new" / "left.csv").write_text("from a crash", encoding="utf-8")
    copy_edition(find_folder("usa"), tmp_path / "edition", ["trains=20"])
    assert load_edition(tmp_path / "edition").trains == 20
    assert [entry.name for entry in tmp_path.iterdir()] == ["edition"]
    assert not (tmp_path / "edition" / "left.csv").exists()
