"""The play styles: one idea a file."""
