"""Kernels as other kernels call them: drafts, which are not machine code yet.

LLVM would optimize a function, and turn it into machine code, once more with each level of calls above it. A draft is
typed and lowered once; only what Python or a bot's address calls is optimized, together with all drafts below it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import llvmlite.binding as ll
from numba.core import compiler
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary

from ttr_sim.engine.kernel_cache import KernelCache

DRAFT = "draft"
OPTIONS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # nobody calls a draft but other kernels


class DraftLibrary(JITCodeLibrary):
    """The code of one draft, and the libraries of all drafts below it, which whoever calls it must link too."""

    description: Any = None  # of the function, as Numba makes it

    def finalize(self) -> None:
        """Link what is no draft, and leave the rest to the machine code that it becomes a part of."""
        others = dict.fromkeys(self._linking_libraries)
        self._linking_libraries = [library for library in others if isinstance(library, DraftLibrary)]
        for library in others:
            if not isinstance(library, DraftLibrary):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    @property
    def family(self) -> list[DraftLibrary]:
        """Itself and all below: each was given, with those it calls, what they call."""
        return [self, *self._linking_libraries]

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # there is none

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing, in place of the code generator: what has no machine code has no room for an environment."""


def _new_library(target: Any) -> DraftLibrary:
    return DraftLibrary(target.codegen(), DRAFT)  # type: ignore[no-untyped-call]


class DraftCompiler(compiler.Compiler):
    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        super().__init__(typing, target, _new_library(target), *others)  # type: ignore[no-untyped-call]


class _Filed(CompileResultCacheImpl):
    """How a draft is filed: its own code, and the names of the drafts that it calls."""

    def reduce(self, result: Any) -> Any:
        library, description = result.library, result.fndesc
        description.typemap = description.calltypes = None  # of use to nobody, and large
        called = [_reference(other.description) for other in library.family[1:]]
        return library._get_module_for_linking().as_bitcode(), called, description, result.signature, result.environment

    def rebuild(self, target: Any, filed: Any) -> Any:
        """Return the draft, or None when one that it calls has been compiled again since, and has another name now."""
        code, called, description, signature, environment = filed
        below = [_drafted(*reference) for reference in called]
        if None in below:
            return None
        library = _new_library(target)
        library._final_module = ll.parse_bitcode(code)
        library._linking_libraries = below
        library.finalize()
        return compiler.compile_result(  # type: ignore[no-untyped-call]
            typing_context=target.typing_context,
            target_context=target,
            entry_point=target.get_executable(library, description, environment),
            library=library,
            signature=signature,
            objectmode=False,
            fndesc=description,
            environment=environment,
        )


def _reference(description: Any) -> tuple[str, str, Any, str]:
    return description.modname, description.qualname, description.argtypes, description.mangled_name


def _drafted(module: str, name: str, kinds: Any, mangled: str) -> DraftLibrary | None:
    kernel = getattr(import_module(module), name, None)
    if kernel is None:  # made inside another function
        return None
    kernel.draft.compile(kinds)
    library: DraftLibrary = kernel.draft.overloads[kinds].library
    return library if library.description.mangled_name == mangled else None


class DraftCache(KernelCache):
    _impl_class = _Filed  # type: ignore[assignment]
    suffix = f".{DRAFT}"


def link_family(target: Any, result: Any) -> None:
    """Let whoever calls this draft link all that are below it."""
    result.library.description = result.fndesc
    target.remove_user_function(result.entry_point)
    target.insert_user_function(result.entry_point, result.fndesc, result.library.family)
