"""Loading bots: styles and users' files, compiled, as the table that games are played from."""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, redirect_stdout
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ttr_sim.bots.api import FILE_ENDING, Spec, load_style, parse_spec
from ttr_sim.bots.tuning import tuned_of
from ttr_sim.errors import UserError, did_you_mean

if TYPE_CHECKING:
    import numpy as np

    from ttr_sim.bots.plain_bots import Choose, CompiledBot, PlainBot
    from ttr_sim.edition.model import Edition


@dataclass(frozen=True, slots=True)
class LoadedBots:
    """Bots ready to play, in the order of the specs.

    `compiled` is false when one of them runs in plain Python, `slow` when one asks for small parts. `notes` are
    sentences for the user. `fingerprint` covers tuned parameters and users' files.
    """

    edition: Edition
    specs: tuple[str, ...]
    table: np.ndarray  # records.DRIVER
    slow: bool
    compiled: bool
    fingerprint: str
    notes: tuple[str, ...] = ()
    owners: tuple[Any, ...] = field(repr=False, default=())


def load_bots(specs: Sequence[str], edition: Edition, folder: Path | None = None) -> LoadedBots:
    """Parse the specs and compile their bots. A copy of a user's file in `folder` comes first."""
    import numpy as np

    from ttr_sim.engine.bot_abi import address_of
    from ttr_sim.engine.records import DRIVER

    parsed = [parse_spec(text) for text in specs]
    tuned, drivers = tuned_of(edition), np.zeros(len(parsed), DRIVER)
    drivers["bot"] = np.arange(len(parsed))
    owners, notes, slow = [], [], False
    for spec, driver in zip(parsed, drivers, strict=True):
        if spec.file is None:
            style, owner = load_style(spec.name), None
            values = style.values(spec, tuned.of(style.name, style.tuned_as))
            driver["address"], driver["parameters"][: len(values)] = address_of(style.choose), values
            driver["plans"], driver["searches"] = style.plans, style.searches
            slow = slow or style.searches
        else:
            found, owner, note = _load_user_bot(spec, folder)
            driver["address"], driver["guarded"] = owner.address, True
            driver["plans"] = bool(getattr(found, "plans", False))
            slow = slow or note is not None or bool(getattr(found, "slow", False))
            if note is not None and note not in notes:
                notes.append(note)
        owners.append(owner)
    return LoadedBots(
        edition=edition,
        specs=tuple(str(spec) for spec in parsed),
        table=drivers,
        slow=slow,
        compiled=not notes,
        fingerprint=fingerprint_of_bots(specs, edition, folder),
        notes=tuple(notes),
        owners=tuple(owners),
    )


def fingerprint_of_bots(specs: Sequence[str], edition: Edition, folder: Path | None = None) -> str:
    """Hash every parameter and every user's file, without running a file."""
    digest, tuned = hashlib.sha256(), tuned_of(edition)
    for spec in sorted(map(parse_spec, specs), key=str):  # their order is not part of the bots
        style = None if spec.file is not None else load_style(spec.name)
        values = () if style is None else style.values(spec, tuned.of(style.name, style.tuned_as))
        digest.update(f"{spec} {values}\n".encode())
        if spec.file is not None:
            for file in files_of(spec, folder):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _load_user_bot(spec: Spec, folder: Path | None) -> tuple[Any, CompiledBot | PlainBot, str | None]:
    """Load a function, or a class with a method `choose`: compiled when Numba can, else in plain Python.

    The note gives the reason why it is not compiled.
    """
    import numba

    from ttr_sim.bots.plain_bots import CompiledBot, PlainBot
    from ttr_sim.engine.bot_abi import address_of, guarded

    files = files_of(spec, folder)
    file, module = files[0], _import(files)
    own = {name: value for name, value in vars(module).items() if callable(value) and _is_of(module, value)}
    if spec.name not in own:
        raise UserError(f'{file.name} has no bot "{spec.name}"{did_you_mean(spec.name, own)}')
    found = own[spec.name]
    function: Choose | None = getattr(found, "py_func", found)
    if inspect.isclass(found):
        if not callable(getattr(found, "choose", None)):
            raise UserError(f"the class {spec.name} of {file.name} has no method choose(board, view, seat)")
        is_static = isinstance(inspect.getattr_static(found, "choose"), staticmethod)
        function = found.choose if is_static else None  # type: ignore[attr-defined]
    reason = "it keeps things in `self`"
    if function is not None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # With bounds checks, so that the bot reads nothing outside its records.
                guard = guarded(numba.njit(nogil=True, boundscheck=True)(function))
                return found, CompiledBot(file, function, guard, address_of(guard)), None
        except Exception as error:  # whatever Numba cannot compile, Python can run
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            noise = ("Failed in", "No implementation of", "Traceback")
            useful = [line for line in lines if not line.startswith(noise)]
            reason = (useful or lines or [type(error).__name__])[0][:160]
    bot = PlainBot(file, lambda: found().choose if function is None else function)
    return found, bot, f"{spec} runs in plain Python, slower than compiled: {reason}"


def find_file(spec: Spec, folder: Path | None) -> Path:
    """Find a bot's file: the copy in the run's folder, or else the user's own."""
    file = Path(spec.file or "")
    copy = folder / file.name if folder is not None else None
    if copy is not None and copy.is_file():
        return copy
    if not file.is_file():
        raise UserError(f'there is no file "{file}" to load a bot from')
    return file.resolve()


def files_of(spec: Spec, folder: Path | None) -> list[Path]:
    """The bot's file, then the modules of its folder that it imports, directly or through each other."""
    files = [find_file(spec, folder)]
    for file in files:
        for name in _imported_names(file):
            neighbor = file.with_name(f"{name}{FILE_ENDING}")
            if not neighbor.is_file() or neighbor in files:
                continue
            # Another module of this name that Python finds comes first.
            installed = None if name in _neighbors else find_spec(name)
            if installed is None or Path(installed.origin or "").resolve() == neighbor.resolve():
                files.append(neighbor)
    return files


def _imported_names(file: Path) -> list[str]:
    names: set[str] = set()
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (SyntaxError, ValueError):
        return []  # reported where the file is imported
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return sorted({name.partition(".")[0] for name in names})


# Modules beside users' bot files, by name. On the path, the folder would let any file in it be imported.
_neighbors: dict[str, Path] = {}


class _NeighborFinder:
    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(name, _neighbors[name]) if name in _neighbors else None


sys.meta_path.append(_NeighborFinder)


def _import(files: Sequence[Path]) -> ModuleType:
    """Import a bot's file under a name made from all its contents, so that two files of one name do not clash."""
    file = files[0]
    contents = hashlib.sha256(b"".join(file.read_bytes() for file in files))
    name = f"ttr_sim_user_{contents.hexdigest()[:16]}"
    if name in sys.modules and sys.modules[name].__file__ == str(file):
        return sys.modules[name]
    for neighbor in files[1:]:
        _neighbors[neighbor.stem] = neighbor
        sys.modules.pop(neighbor.stem, None)  # another bot's, or one that was edited since
    specification = spec_from_file_location(name, file)
    assert specification is not None and specification.loader is not None
    module = module_from_spec(specification)
    try:
        specification.loader.exec_module(module)
    except SyntaxError as error:
        place = file if error.lineno is None else f"{error.filename or file}:{error.lineno}"
        raise UserError(f"{place}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise UserError(f"{file} cannot be imported: {type(error).__name__}: {error}") from None
    sys.modules[name] = module
    return module


def bots_in(file: Path) -> list[str]:
    """List the specs of all bots in a user's file. This runs the file."""
    module = _import(files_of(Spec("", str(file)), None))
    bots = []
    for name, value in vars(module).items():
        function = getattr(value, "py_func", value)
        if inspect.isclass(value):
            is_bot = callable(getattr(value, "choose", None))
        else:
            arguments = list(inspect.signature(function).parameters) if inspect.isfunction(function) else []
            is_bot = arguments == ["board", "view", "seat"]
        if is_bot and _is_of(module, value):
            bots.append(f"{file}:{name}")
    return bots


def _is_of(module: ModuleType, value: object) -> bool:
    """Check that a value is the module's own, not imported."""
    return getattr(value, "__module__", None) == module.__name__


def bots_print_to_stderr() -> AbstractContextManager[object]:
    """Redirect the prints of users' bots away from stdout, which may be JSON."""
    return redirect_stdout(sys.stderr)
