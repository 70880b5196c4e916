"""A small map as somebody would draw it in the editor, and `ttr-sim new` reading it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.conftest import Outcome

Command = Callable[..., Outcome]
NewMap = Callable[..., Outcome]

# A ring of seven with a double route, a tunnel, a boat and a junction, and enough tickets for two players.
STOPS = """\
Name,Type,Routes,Neighbours,Tickets,X,Y
Åre,Regular,3,2,2,100,100
Berg,Regular,3,2,2,300,80
Cove,Ferry port,2,2,2,500,100
Junction 1,Junction,2,2,0,500,300
Dale,Regular,2,2,2,300,350
Elm,Regular,2,2,2,200,400
Fen,Regular,2,2,2,90,300
"""
ROUTES = """\
From,To,Length,Colour,Type,Wagon style,Locomotives,Double route
Åre,Berg,3,Red,Railway,,0,yes
Åre,Berg,3,Purple,Railway,,0,yes
berg,COVE,2,Grey,Railway,Tunnel,0,
Cove,Junction 1,4,,Boat,,2,
Junction 1,Dale,7,Blue,Railway,,0,
Dale,Elm,1,Green,,,0,
Elm,Fen,2,White,Railway,,,
Fen,Åre,2,Black,Railway,,0,
"""
TICKETS = """\
Deck,From,To,Points,Shortest path,Length,Long deck
Main deck,Åre,Cove,5,5,short,
Main deck,Berg,Dale,9,9,medium,
Main deck,Cove,Elm,10,10,medium,
Main deck,Dale,Åre,5,5,short,
Main deck,Elm,Berg,7,7,short,
Main deck,Fen,Cove,7,7,short,
Main deck,Fen,Dale,3,3,short,yes
Main deck,Elm,Cove,10,10,long,yes
"""
FILES = {"stops.csv": STOPS, "routes.csv": ROUTES, "tickets.csv": TICKETS}


def written(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Write files as the editor does: UTF-8 with a byte-order mark, lines ending as on Windows."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    return folder


def changed(file: str, old: str, new: str) -> dict[str, str]:
    assert old in FILES[file]
    return {**FILES, file: FILES[file].replace(old, new)}


@pytest.fixture
def new_map(command: Command, tmp_path: Path) -> NewMap:
    """Make the edition `map` from files written into `drawn`, and from further sources."""

    def make(files: Mapping[str, str], *more: object) -> Outcome:
        sources = [written(tmp_path / "drawn", files), *more]
        return command("new", tmp_path / "map", *(word for source in sources for word in ("--from", source)))

    return make
