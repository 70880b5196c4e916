"""A user's own bot, from a Python file: a function, or a class with a method `choose`."""

from __future__ import annotations

import hashlib
import inspect
import sys
import warnings
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from ttr_sim.bots.model import Entry, Spec
from ttr_sim.bots.plain import Choose, PlainBot
from ttr_sim.errors import UserError
from ttr_sim.spelling import did_you_mean


def load_user_bot(spec: Spec, folder: Path | None) -> Entry:
    """Compiled when Numba can, else in plain Python; a copy of the file in `folder` comes first."""
    file = _find(Path(spec.file or ""), folder)
    found = _pick(_import(file), file, spec.name)
    plans, slow = bool(getattr(found, "plans", False)), bool(getattr(found, "slow", False))
    function = _function_of(found)
    reason = "it keeps things in `self`"
    if function is not None:
        try:
            address, owner = _compile(function)
            return Entry(address, plans=plans, guarded=True, slow=slow, file=file, owner=owner)
        except Exception as error:  # whatever Numba cannot do, Python may
            reason = _first_line(error)
    bot = PlainBot(file, _maker(found, function))
    note = f"{spec} is played in plain Python, slower than compiled: {reason}"
    return Entry(bot.address, plans=plans, guarded=True, slow=True, file=file, owner=bot, note=note)


def _find(file: Path, folder: Path | None) -> Path:
    copy = folder / file.name if folder is not None else None
    if copy is not None and copy.is_file():
        return copy
    if not file.is_file():
        raise UserError(f'there is no file "{file}" with bots in it')
    return file.resolve()


def _import(file: Path) -> ModuleType:
    """Under a name of its content, so that two files of one name do not meet."""
    name = f"ttr_sim_user_{hashlib.sha256(file.read_bytes()).hexdigest()[:16]}"
    if name in sys.modules and sys.modules[name].__file__ == str(file):
        return sys.modules[name]
    specification = spec_from_file_location(name, file)
    assert specification is not None and specification.loader is not None
    module = module_from_spec(specification)
    try:
        specification.loader.exec_module(module)
    except SyntaxError as error:
        raise UserError(f"{file}:{error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise UserError(f"{file} cannot be imported: {type(error).__name__}: {error}") from None
    sys.modules[name] = module
    return module


def _pick(module: ModuleType, file: Path, name: str) -> Any:
    own = {
        key: value
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", None) == module.__name__
    }
    if name not in own:
        raise UserError(f'{file.name} has no bot "{name}"{did_you_mean(name, own)}')
    found = own[name]
    if inspect.isclass(found) and not callable(getattr(found, "choose", None)):
        raise UserError(f"the class {name} of {file.name} has no method choose(board, view, seat)")
    return found


def _function_of(found: Any) -> Choose | None:
    """The code to compile; None for a class that needs instances."""
    if not inspect.isclass(found):
        return getattr(found, "py_func", found)  # type: ignore[no-any-return]
    is_static = isinstance(inspect.getattr_static(found, "choose"), staticmethod)
    return found.choose if is_static else None  # type: ignore[attr-defined]


def _maker(found: Any, function: Choose | None) -> Callable[[], Choose]:
    """A chooser for one seat of one game."""
    if function is not None:
        return lambda: function
    return lambda: found().choose


def _compile(function: Choose) -> tuple[int, Any]:
    """With bounds checks, so that it reads nothing but what it is shown."""
    import numba

    from ttr_sim.engine.calls import address_of, guarded

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        guard = guarded(numba.njit(nogil=True, boundscheck=True)(function))
        return address_of(guard), guard


def _first_line(error: Exception) -> str:
    """What Numba says, without its pages."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "No implementation of", "Traceback"))]
    return (telling or lines or [type(error).__name__])[0][:160]
