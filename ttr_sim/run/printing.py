"""What users' bots print goes to stderr: stdout is the command's result, which may be JSON."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, redirect_stdout


def bots_print_to_stderr() -> AbstractContextManager[object]:
    return redirect_stdout(sys.stderr)
