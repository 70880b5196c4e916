"""`python -m ttr_sim`, the same as the command `ttr-sim`."""

import atexit
import os
from typing import NoReturn

from ttr_sim.cli.main import main
from ttr_sim.garbage import collect_seldom

_status: list[int] = []


def run() -> NoReturn:
    """Run a command, and leave at once when it is done: Python takes a third of a second to forget what a report has
    loaded."""
    collect_seldom()
    atexit.register(_leave)  # the first to be registered is the last to be called
    try:
        main()
    except SystemExit as leaving:
        _status.append(int(leaving.code or 0))
        raise


def _leave() -> None:
    if _status:
        os._exit(_status[0])


if __name__ == "__main__":
    run()
