"""Calling a bot by the address of its compiled code: the kernel never compiles for a set of bots."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from ttr_sim.engine.board import BOARD
from ttr_sim.engine.records import BOT_MEMORY, OWN, VIEW

BOARD_TYPE, VIEW_TYPE, MEMORY_TYPE = from_dtype(BOARD), from_dtype(VIEW), from_dtype(BOT_MEMORY)
BOT_SIGNATURE = types.int64(BOARD_TYPE, VIEW_TYPE, MEMORY_TYPE)
RAISED = -2  # the answer of a guarded bot whose code raised
OWN_BYTES = np.dtype(OWN).itemsize  # without the padding behind the last field of an aligned record
SPOILED = -3  # stands for its answer when it wrote to the board or the view


@intrinsic
def call_bot(typing_context: Any, address: Any, board: Any, view: Any, seat: Any) -> Any:
    """Call address(board, view, seat): an indirect call, which takes about 2 ns."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(64), [pointer] * 3)
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(function, [builder.bitcast(value, pointer) for value in arguments[1:]])

    return types.int64(types.int64, board, view, seat), codegen


@intrinsic
def copy_record(typing_context: Any, target: Any, source: Any) -> Any:
    """Copy all bytes of a record into another of the same type."""
    return types.void(target, source), _copier(source.size)


@intrinsic
def copy_own(typing_context: Any, view: Any, holding: Any) -> Any:
    """Copy the common beginning of both records: records.OWN."""
    return types.void(view, holding), _copier(OWN_BYTES)


@intrinsic
def clear_record(typing_context: Any, record: Any) -> Any:
    """Set all bytes of a record to 0."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
        cgutils.memset(builder, start, ir.Constant(ir.IntType(64), record.size), 0)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.void(record), codegen


def _copier(size: int) -> Any:
    """Code generator that copies this many bytes from the second record to the first."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        copy = builder.module.declare_intrinsic("llvm.memcpy", [pointer, pointer, ir.IntType(64)])
        to, of = (builder.bitcast(value, pointer) for value in arguments)
        builder.call(copy, [to, of, ir.Constant(ir.IntType(64), size), ir.Constant(ir.IntType(1), 0)])
        return context.get_dummy_value()

    return codegen


@intrinsic
def count_up(typing_context: Any, address: Any) -> Any:
    """Add 1 to the int64 at this address, so that other threads see it."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        builder.atomic_rmw("add", number, ir.Constant(ir.IntType(64), 1), "monotonic")
        return context.get_dummy_value()

    return types.void(types.int64), codegen


@intrinsic
def are_same(typing_context: Any, one: Any, other: Any) -> Any:
    """Whether two records of one type have the same bytes."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, size = ir.IntType(8).as_pointer(), ir.IntType(64)
        kind = ir.FunctionType(ir.IntType(32), [pointer, pointer, size])
        compare = cgutils.get_or_insert_function(builder.module, kind, "memcmp")  # type: ignore[no-untyped-call]
        records = [builder.bitcast(value, pointer) for value in arguments]
        difference = builder.call(compare, [*records, ir.Constant(size, one.size)])
        return builder.icmp_signed("==", difference, ir.Constant(ir.IntType(32), 0))

    return types.boolean(one, other), codegen


def address_of(bot: Any) -> int:
    """Compile a bot for its one signature and return its address."""
    bot.compile(BOT_SIGNATURE)
    result = bot.get_compile_result(BOT_SIGNATURE)
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


def guarded(bot: Any) -> Any:
    """Turn a bot's exceptions into the answer RAISED."""

    @njit
    def guard(board: Any, view: Any, seat: Any) -> Any:
        try:
            return bot(board, view, seat)
        except Exception:
            return RAISED

    return guard
