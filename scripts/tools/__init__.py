"""What the shells in scripts/ run: `scripts/NAME` sets .venv up and runs `scripts.tools.NAME` from any folder."""
