"""Modules of the shell scripts: `scripts/NAME` sets .venv up and runs one of them from any folder."""
