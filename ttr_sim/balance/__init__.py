"""Targets of a board, and minimal edits to meet them."""
