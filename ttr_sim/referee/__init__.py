"""The rules once more in plain Python, read from the rulebooks: audits games and tells them.

Knows the edition and the log and nothing else, so that a mistake in playing is not repeated in checking.
"""
