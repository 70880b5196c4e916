"""Where the checkout is: tools read and write it from whatever folder they are called in."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
