"""Whatever happens to a run's folder, commands answer in words, and no damaged run passes the audit.

Damage is done at random, by a seed: to the record, the parts, the edition. Some is listed again with its checksum, as
someone would who wants to hide it.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import Command, Outcome
from tests.run.forging import Rows, forge_rows, metadata_of, take_digests_anew
from tests.sealed_rows import write_rows
from ttr_sim.log import TABLES

CASES_OF_EACH = 10  # and one of each in the other test
Damage = Callable[[Path, random.Random], None]

FREE_FIELDS = {"command", "versions", "timings"}
STRANGE = ["", "1", -1, 0, 10**9, 10**30, 1.5, None, True, [], {}, [[]], "\x00", "part", {"a": 1}, ["random"] * 200]


def some_part(run: Path, chance: random.Random) -> Path:
    return chance.choice(sorted(run.glob("*/*.parquet")))


def change_bytes(run: Path, chance: random.Random) -> None:
    """Flip a bit of a file, cut it short, or replace it with junk."""
    file = some_part(run, chance)
    data = bytearray(file.read_bytes())
    flipped = bytearray(data)
    flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    junk = chance.randbytes(chance.choice([0, 4, 1_000]))
    file.write_bytes(chance.choice([flipped, data[: chance.randrange(len(data))], junk]))


def lose_a_file(run: Path, chance: random.Random) -> None:
    some_part(run, chance).unlink()


def swap_two_files(run: Path, chance: random.Random) -> None:
    one, other = chance.sample(sorted(run.glob("*/*.parquet")), 2)
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)


def add_a_stranger(run: Path, chance: random.Random) -> None:
    file = some_part(run, chance)
    name = chance.choice(["other.parquet", "part-00009.parquet", "part-1.parquet", "part-000000.parquet"])
    shutil.copy(file, file.with_name(name))


def make_a_folder_of_a_file(run: Path, chance: random.Random) -> None:
    file = chance.choice([some_part(run, chance), run / "run.json"])
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


def change_what_a_part_says_of_itself(run: Path, chance: random.Random) -> None:
    file = some_part(run, chance)
    metadata = metadata_of(file)
    name = chance.choice(sorted(metadata))
    if chance.random() < 0.3:
        del metadata[name]
    else:
        metadata[name] = chance.choice(["", "x", "-1", "9" * 5_000, "ä", "AAAA", "None"])
    write_rows(pq.read_table(file), file, metadata)
    take_digests_anew(run)


def change_the_columns(run: Path, chance: random.Random) -> None:
    """Lose a column, add one, rename one, give one another type, or put them in another order."""
    file = some_part(run, chance)
    rows, metadata = pq.read_table(file), metadata_of(file)
    names = rows.column_names
    place = chance.randrange(len(names))
    text = pa.array(["x"] * len(rows))
    changed = chance.choice(
        [
            rows.remove_column(place),
            rows.append_column("more", text),
            rows.rename_columns(["more" if number == place else name for number, name in enumerate(names)]),
            rows.set_column(place, names[place], text),
            rows.select(names[::-1]),
        ]
    )
    write_rows(changed.replace_schema_metadata(None), file, metadata)
    take_digests_anew(run)


def forge_a_stretch(run: Path, chance: random.Random) -> None:
    """Lose, double or swap rows of one table of the first part, then take all digests and checksums anew."""
    table = chance.choice(sorted(TABLES))

    def changed(rows: Rows) -> Rows:
        old = rows[table]
        order = list(range(len(old)))
        first = chance.randrange(len(old) - 1)
        last = chance.randrange(first + 2, len(old) + 1)
        stretch = order[first:last]
        order[first:last] = chance.choice([[], stretch * 2, stretch[::-1], stretch[1:] + stretch[:1]])
        return {**rows, table: old.take(order)}

    forge_rows(run, changed)


DAMAGES: tuple[Damage, ...] = (
    change_bytes,
    lose_a_file,
    swap_two_files,
    add_a_stranger,
    make_a_folder_of_a_file,
    change_a_field,
    break_the_record,
    change_the_edition,
    change_what_a_part_says_of_itself,
    change_the_columns,
    forge_a_stretch,
)


def refused_in_words(outcome: Outcome) -> bool:
    """One sentence on stderr, or findings; anything but success."""
    return outcome.code == 1 or (outcome.code == 2 and outcome.err.count("Error: ") == 1)


def has_rows_of(run: Path, other: Path) -> bool:
    """Whether the damage hit bytes that mean nothing, such as the name of the program that wrote a file."""
    files = sorted(file.relative_to(run) for file in run.glob("*/*.parquet"))
    return all(pq.read_table(run / file).equals(pq.read_table(other / file)) for file in files)


def survive(command: Command, clean: Path, place: Path, damage: Damage, seed: int) -> None:
    chance = random.Random(seed)
    run = Path(shutil.copytree(clean, place / "run"))
    damage(run, chance)
    audited = command("audit", run, "-q", "--jobs", 1)  # starting workers each time takes minutes
    assert refused_in_words(audited) or (audited.code == 0 and has_rows_of(run, clean)), (damage, seed, audited)
    other = chance.choice(
        (("replay", run, 0), ("report", run, "--out", place / "report"), ("run", "--resume", run, "-q"))
    )
    assert command(*other).code in {0, 1, 2}
    shutil.rmtree(place)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_is_refused_in_words(command: Command, clean: Path, tmp_path: Path, damage: Damage) -> None:
    survive(command, clean, tmp_path / "case", damage, 0)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_many_damaged_runs_are_refused_in_words(command: Command, clean: Path, tmp_path: Path, damage: Damage) -> None:
    for seed in range(1, CASES_OF_EACH + 1):
        survive(command, clean, tmp_path / str(seed), damage, seed)
