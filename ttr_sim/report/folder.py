"""The place of pages: only files of ours are replaced or removed there.

Beside each page lies a list of the files written with it, with their checksums. A file that is not listed, or was
changed since, is the user's. A file that stands alone, such as a drawing, carries its checksum itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from itertools import chain, count
from os.path import lexists
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

from ttr_sim.errors import UserError
from ttr_sim.files import write_whole

REPORTS = Path("reports")
PAGE = "index.html"
LIST = ".ttr-sim.json"
WAY_ON = "name another place with --out, or replace it with --force"
NOT_OURS = "was not written by ttr-sim, or was changed since"
PNG_START, PNG_END_SIZE = b"\x89PNG", 12  # the last chunk of a PNG is empty
PNG_MARK_SIZE, COMMENT_SIZE = 93, 83
COMPARED, BALANCED = ("headlines", "tickets", "routes"), ("asked", "targets", "path")


@dataclass(frozen=True, slots=True)
class PageSubject:
    """Kind and board of a page, which replaces only one of the same subject."""

    kind: str
    board: str
    brief: bool = field(default=False, compare=False)  # a quick page, which must not replace a full one unseen

    def __str__(self) -> str:
        return f"{self.kind} {self.board}"


report_on, changes_to = partial(PageSubject, "report on"), partial(PageSubject, "changes to")


def comparison_of(sides: Sequence[str]) -> PageSubject:
    return PageSubject("comparison of", " and ".join(sides))


class FileList:
    """Checksums of the files written with a page, by their names in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.subject: PageSubject | None = None
        self.checksums: dict[str, list[str]] = {}
        try:
            content = json.loads((folder / LIST).read_text(encoding="utf-8"))
            self.subject, self.checksums = PageSubject(**content["subject"]), {**content["files"]}
        except (OSError, ValueError, LookupError, TypeError):
            return  # without a list, nothing there is ours

    def write(self) -> None:
        assert self.subject
        content = {"subject": asdict(self.subject), "files": self.checksums}
        write_whole(self.folder / LIST, json.dumps(content, ensure_ascii=False, indent=1).encode())

    def has(self, name: str) -> bool:
        """Check for a file of ours that is as it was written."""
        file = self.folder / name
        is_plain = file.is_file() and not file.is_symlink() and not file.parent.is_symlink()
        return is_plain and _checksum(file) in self.checksums.get(name, ())

    def refuse_foreign(self, names: Sequence[str]) -> None:
        for name in names:
            if lexists(self.folder / name) and not self.has(name):
                raise UserError(f"{self.folder / name} {NOT_OURS}; {WAY_ON}")


def check_folder(folder: Path, subject: PageSubject, force: bool = False) -> None:
    """Refuse a folder with files of somebody else's, or a page of another subject."""
    from ttr_sim.analysis.tables import TABLES

    if force:
        return
    listed = FileList(folder)
    tables = {"comparison of": COMPARED, "changes to": BALANCED}.get(subject.kind, tuple(TABLES))
    listed.refuse_foreign([PAGE, *(f"tables/{name}.csv" for name in tables)])
    if listed.subject is None or not lexists(folder / PAGE):
        return
    if listed.subject != subject:
        raise UserError(f"{folder} holds the {listed.subject}, not the {subject}; {WAY_ON}")
    if subject.brief and not listed.subject.brief:
        raise UserError(f"{folder} holds the full {listed.subject}, which a quick one would replace; {WAY_ON}")


def quick_folder(folder: Path) -> Path:
    """Default folder of a quick page, never that of a full page."""
    listed = FileList(folder)
    is_full = listed.subject is not None and not listed.subject.brief and listed.has(PAGE)
    return folder.with_name(f"{folder.name}-quick") if is_full else folder


@contextmanager
def new_report(folder: Path, subject: PageSubject, force: bool = False) -> Iterator[Path]:
    """Yield an empty folder for a page, then put its files in place."""
    make_folder(folder)
    # Not as a brief one: the first page of a full study is brief too, and may replace a full page.
    check_folder(folder, PageSubject(subject.kind, subject.board), force)
    with _disk_errors_explained(folder), TemporaryDirectory(prefix=".report-", dir=folder) as place:
        new = Path(place)
        yield new
        names = [path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()]
        names.sort(key=lambda name: (name == PAGE, name))  # the page last: it never stands beside another's pictures
        before, after = FileList(folder), FileList(folder)
        if not force:
            before.refuse_foreign(names)
        written = {name: [_checksum(new / name)] for name in names}
        # After a kill in the middle, old and new files lie there together: the next page may replace all of them.
        either = {name: [*known, *written.get(name, ())] for name, known in before.checksums.items()}
        after.subject, after.checksums = subject, written | either
        after.write()
        for name in names:
            part = (folder / name).parent
            if part.is_symlink():
                part.unlink()  # forced: the link goes, not the place it leads to
            part.mkdir(exist_ok=True)
            (new / name).replace(folder / name)
        for name in set(before.checksums) - set(names):
            if before.has(name):
                (folder / name).unlink()
        after.checksums = written
        after.write()


def replace_page(folder: Path, text: str) -> None:
    listed = FileList(folder)
    if not listed.has(PAGE):
        raise UserError(f"{folder / PAGE} was changed by somebody else meanwhile; {WAY_ON}")
    with _disk_errors_explained(folder):
        listed.checksums[PAGE].append(sha256(text.encode()).hexdigest())
        listed.write()
        write_whole(folder / PAGE, text.encode())


@contextmanager
def own_file(path: Path, board: str, force: bool = False) -> Iterator[Path]:
    """Yield a temporary path, replacing only our own file for that board."""
    if lexists(path) and not force:
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        # The mark covers the content without it, so that a change by hand is seen.
        is_png = content.startswith(PNG_START)
        end = len(content) - (PNG_END_SIZE if is_png else 0)
        start = max(0, end - (PNG_MARK_SIZE if is_png else COMMENT_SIZE))
        if content != _marked(content[:start] + content[end:], board):
            raise UserError(f"{path} exists and was not written by ttr-sim for {board}, or was changed since; {WAY_ON}")
    make_folder(path.parent)
    with _disk_errors_explained(path), TemporaryDirectory(prefix=".report-", dir=path.parent) as new:
        yield Path(new) / path.name
        write_whole(path, _marked((Path(new) / path.name).read_bytes(), board))


def _marked(content: bytes, board: str) -> bytes:
    """Add a checksum of content and board: a text chunk, or a comment."""
    words = b"ttr-sim " + sha256(board.encode() + b"\0" + content).hexdigest().encode()
    if not content.startswith(PNG_START):
        return content + b"\n<!-- " + words + b" -->\n"
    chunk = b"tEXtSoftware\0" + words
    size, check = (number.to_bytes(4, "big") for number in (len(chunk) - 4, crc32(chunk)))
    return content[:-PNG_END_SIZE] + size + chunk + check + content[-PNG_END_SIZE:]


def check_file(path: Path, task: str, types: Sequence[str]) -> None:
    if path.suffix.lower() not in types:
        raise UserError(f"cannot {task} {path}: the file name must end in {' or '.join(types)}")
    if not path.parent.is_dir():
        raise UserError(f"cannot {task} {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise UserError(f"cannot {task} {path}: this is a folder, not a file")


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UserError(f"{folder} is a file; name a folder for the report with --out") from None
    except OSError as error:
        raise UserError(f"{folder} cannot be made ({error.strerror}); name another folder with --out") from None


def folder_names(editions: Sequence[str]) -> list[str]:
    """Choose a folder name for each edition as typed, none twice."""
    names: list[str] = []
    for edition in editions:
        path = Path(edition)
        name = (path.resolve() if path.name in ("", "..") else path).name
        further = (f"{name}-copy{number}" for number in count(1))
        names.append(next(free for free in chain([name], further) if free not in names))
    return names


@contextmanager
def _disk_errors_explained(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"the report cannot be written to {place} ({error.strerror})") from error


def _checksum(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()
