"""The folder of a report: made beside itself, then put in the place of the report that was there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ttr_sim.errors import UserError
from ttr_sim.files import write_whole
from ttr_sim.report.document import GENERATOR

PAGE = "index.html"
PARTS = {"charts": "*.png", "tables": "*.csv", "games": "*.html"}  # what a report's subfolders hold
HEAD = 2_000  # letters of a page within which its generator stands


@contextmanager
def new_report(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to write a report into; afterward it replaces the report in `folder`."""
    with _beside(folder) as new:
        yield new
        _replace(new, folder)


def add_file(folder: Path, name: str, text: str) -> None:
    """Put one more file into a report, or in the place of that file; whole or not at all."""
    make_folder(folder)
    with _disk_errors_explained(folder):
        write_whole(folder / name, text.encode())


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """Yield an empty folder in which files are finished before they are moved."""
    make_folder(folder)
    with _disk_errors_explained(folder), TemporaryDirectory(prefix=".report-", dir=folder) as beside:
        yield Path(beside)


@contextmanager
def _disk_errors_explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"the report cannot be written to {folder} ({error.strerror})") from error


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UserError(f"{folder} is a file; name a folder for the report with --out") from None
    except OSError as error:
        raise UserError(f"{folder} cannot be made ({error.strerror}); name another folder with --out") from None


def _replace(new: Path, folder: Path) -> None:
    """Move the page last, so that it never stands beside pictures of another report."""
    if is_report(folder):
        _remove_stale(new, folder)
    for part in PARTS:
        _move(new / part, folder / part)
    (new / PAGE).replace(folder / PAGE)


def is_report(folder: Path) -> bool:
    """Return whether its page is one of ours."""
    page = folder / PAGE
    return page.is_file() and GENERATOR in page.read_text(encoding="utf-8", errors="replace")[:HEAD]


def _remove_stale(new: Path, folder: Path) -> None:
    """Remove the old report's files that the new one lacks; whatever else lies there is the user's."""
    for part, pattern in PARTS.items():
        if (folder / part).is_symlink():
            continue
        for file in (folder / part).glob(pattern):
            if not (new / part / file.name).exists():
                file.unlink()


def _move(new: Path, old: Path) -> None:
    if not new.is_dir():
        return
    if old.is_symlink():
        old.unlink()  # what it leads to is not the report's to change
    old.mkdir(exist_ok=True)
    for file in new.iterdir():
        file.replace(old / file.name)
