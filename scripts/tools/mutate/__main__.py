"""Play with every wrong rule of the catalog, in a copy of the program."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from scripts.tools.mutate.catalog import wrong_rules
from scripts.tools.mutate.sources import mutated_copy
from ttr_sim.files import cache_root


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these wrong rules; all by default")
    names = parser.parse_args().names
    rules = wrong_rules()
    unknown = set(names) - {rule.name for rule in rules}
    if unknown:
        parser.error(
            f"no wrong rule is called {sorted(unknown)[0]!r}; they stand in scripts/tools/mutate/wrong_rules.toml"
        )
    copy = mutated_copy(cache_root(), rules)
    command = [sys.executable, "-P", "-m", "scripts.tools.mutate.hunt", *names]
    return subprocess.run(command, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
