"""Switch of the wrong rule that kernels follow. A copy of this file stands in the mutated copy's engine."""

import os
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

VARIABLE = "TTR_SIM_WRONG_RULE"  # for worker processes, which play with users' bots
SWITCH = np.array([int(os.environ.get(VARIABLE, "0"))])
SYMBOL = "ttr_sim_wrong_rule"
llvmlite.binding.add_symbol(SYMBOL, SWITCH.ctypes.data)


@intrinsic
def is_wrong(typing_context: Any, number: Any) -> Any:
    """Check the switch, by a symbol and not an address, so that kernels can be cached."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        found = builder.module.globals.get(SYMBOL)
        switch = ir.GlobalVariable(builder.module, word, SYMBOL) if found is None else found
        return builder.icmp_signed("==", builder.load(switch), arguments[0])

    return types.boolean(types.int64), codegen
