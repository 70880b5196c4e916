"""Damage a run's folder at random, by a seed: its record, its parts, its edition."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

Damage = Callable[[Path, random.Random], None]

FREE_FIELDS = {
    "command",
    "versions",
    "started",
    "jobs",
    "backend",
    "seconds",
    "games_per_second",
    "sessions",
    "timings",
}
STRANGE = ["", "1", -1, 0, 10**9, 10**30, 1.5, None, True, [], {}, [[]], "\x00", "part", {"a": 1}, ["random"] * 200]


def flip_a_byte(run: Path, chance: random.Random) -> None:
    file = _some_part(run, chance)
    data = bytearray(file.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(data)


def cut_a_file(run: Path, chance: random.Random) -> None:
    file = _some_part(run, chance)
    data = file.read_bytes()
    file.write_bytes(data[: chance.randrange(len(data))])


def lose_a_file(run: Path, chance: random.Random) -> None:
    _some_part(run, chance).unlink()


def swap_two_files(run: Path, chance: random.Random) -> None:
    one, other = chance.sample(_parts(run), 2)
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)


def add_a_stranger(run: Path, chance: random.Random) -> None:
    file = _some_part(run, chance)
    name = chance.choice(["other.parquet", "part-00009.parquet", "part-1.parquet", "part-000000.parquet"])
    shutil.copy(file, file.with_name(name))


def replace_with_junk(run: Path, chance: random.Random) -> None:
    _some_part(run, chance).write_bytes(chance.randbytes(chance.choice([0, 4, 1_000])))


def make_a_folder_of_a_file(run: Path, chance: random.Random) -> None:
    file = chance.choice([*_parts(run), run / "run.json"])
    file.unlink()
    file.mkdir()


def change_a_field(run: Path, chance: random.Random) -> None:
    """Give a field of run.json that means something another value, or take it away."""
    file = run / "run.json"
    record = json.loads(file.read_text("utf-8"))
    holder: Any = record if chance.random() < 0.5 else record["plan"]
    name = chance.choice(sorted(set(holder) - FREE_FIELDS))
    old = holder[name]
    new = chance.choice([value for value in STRANGE if value != old or type(value) is not type(old)])
    if chance.random() < 0.2:
        del holder[name]
    else:
        holder[name] = new
    file.write_text(json.dumps(record), "utf-8")


def break_the_record(run: Path, chance: random.Random) -> None:
    file = run / "run.json"
    text = file.read_text("utf-8")
    junk = ["", "{", "[]", "null", text[: chance.randrange(1, len(text) - 2)], "[" * 100_000, '{"plan":' * 5_000]
    file.write_text(chance.choice(junk), "utf-8")


def change_the_edition(run: Path, chance: random.Random) -> None:
    """Change a digit of the map or the rules, cut a file, or put bytes in it that are no text."""
    file = run / "edition" / chance.choice(["cities.csv", "edition.toml", "routes.csv", "tickets.csv"])
    data = file.read_bytes()
    digits = [place for place, byte in enumerate(data) if chr(byte).isdigit() and byte != ord("9")]
    how = chance.randrange(3)
    if how == 0 and file.suffix == ".csv":
        place = chance.choice(digits)
        file.write_bytes(data[:place] + bytes([data[place] + 1]) + data[place + 1 :])
    elif how == 1:
        file.write_bytes(data[: len(data) // 2])
    else:
        file.write_bytes(b"\xff\xfe" + data)


def _parts(run: Path) -> list[Path]:
    return sorted(run.glob("*/*.parquet"))


def _some_part(run: Path, chance: random.Random) -> Path:
    return chance.choice(_parts(run))


DAMAGES: tuple[Damage, ...] = (
    flip_a_byte,
    cut_a_file,
    lose_a_file,
    swap_two_files,
    add_a_stranger,
    replace_with_junk,
    make_a_folder_of_a_file,
    change_a_field,
    break_the_record,
    change_the_edition,
)
