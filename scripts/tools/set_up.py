"""Make .venv and install the project into it, with the standard library alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TextIO

WRONG_USE, INTERRUPTED = 2, 130


def main(root: Path, wanted: str, extras: str) -> int:
    venv = root / ".venv"
    with (root / ".venv.lock").open("w") as lock:
        wait_for(lock)
        if not is_set_up(venv, wanted, extras):
            sys.stderr.write("Setting up .venv, once: this takes a minute or two ...\n")
            set_up(root, venv, extras)
            for name in {"run", extras or "run"}:
                stamp(venv, name).write_text(wanted)
    return 0


def wait_for(lock: TextIO) -> None:
    """Hold the lock until the file is closed: of two calls at once the second waits and finds the work done."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)


def is_set_up(venv: Path, wanted: str, extras: str) -> bool:
    file = stamp(venv, extras or "run")
    return (venv / "bin" / "python").exists() and file.is_file() and file.read_text() == wanted


def stamp(venv: Path, name: str) -> Path:
    return venv / f"set-up-{name}"


def set_up(root: Path, venv: Path, extras: str) -> None:
    """Bring the environment up to date, or make it again where it was left half-made."""
    unfinished = venv / "unfinished"
    if unfinished.exists() or not (venv / "bin" / "python").exists():
        shutil.rmtree(venv, ignore_errors=True)
    if not venv.exists():
        venv.mkdir()
        unfinished.touch()
        make_environment(venv)
    unfinished.touch()
    project = f"{root}[{extras}]" if extras else str(root)
    pip(venv, root / "constraints.txt", "install", "--editable", project)
    unfinished.unlink()


def make_environment(venv: Path) -> None:
    """Some systems split the part of Python off that puts pip into an environment: theirs then serves."""
    with_pip = [sys.executable, "-m", "venv", str(venv)]
    if subprocess.run(with_pip, capture_output=True, check=False).returncode:
        subprocess.run([*with_pip, "--without-pip"], check=True)


def pip(venv: Path, constraints: Path, *words: str) -> None:
    """Constrain by the environment, which also reaches build requirements, unlike --constraint."""
    python = str(venv / "bin" / "python")
    has_own = not subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode
    command = [python, "-m", "pip"] if has_own else [sys.executable, "-m", "pip", "--python", python]
    pinned = {"PIP_CONSTRAINT": str(constraints), "PIP_BUILD_CONSTRAINT": str(constraints)}  # the second since pip 25.3
    quiet = ["-qq", "--disable-pip-version-check"]
    subprocess.run([*command, *words, *quiet], check=True, env={**os.environ, **pinned})


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
    except (subprocess.CalledProcessError, OSError) as error:
        sys.stderr.write(f"Error: setting up .venv failed ({error}); see above, then try again.\n")
        sys.exit(WRONG_USE)
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; the next call starts over.\n")
        sys.exit(INTERRUPTED)
