"""Copies of the official editions to edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ttr_sim.edition import Problem, Problems, check_folder, load_edition
from ttr_sim.edition.write import write_folder


@dataclass(frozen=True)
class Copy:
    """A folder to edit as text."""

    folder: Path

    def edit(self, file: str, old: str, new: str) -> Copy:
        """Replace the first occurrence, which must be there."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return self

    def append(self, file: str, text: str) -> Copy:
        with (self.folder / file).open("a", encoding="utf-8") as target:
            target.write(text)
        return self

    def check(self) -> Problems:
        return check_folder(self.folder)

    def errors(self) -> list[str]:
        return self._texts(self.check().errors)

    def warnings(self) -> list[str]:
        """Those that the official edition does not have."""
        return [text for text in self._texts(self.check().warnings) if "no ticket names" not in text]

    def _texts(self, problems: Iterable[Problem]) -> list[str]:
        # The cell follows from line and column; tests of messages name those two.
        return [str(problem._replace(cell="")) for problem in problems]


CopyOf = Callable[[str], Copy]


@pytest.fixture
def copy_of(tmp_path: Path) -> CopyOf:
    def copy(name: str) -> Copy:
        folder = tmp_path / name
        write_folder(load_edition(name), folder)
        return Copy(folder)

    return copy
