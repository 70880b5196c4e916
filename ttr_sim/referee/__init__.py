"""An independent implementation of the rules in plain Python: audits logged games and retells them.

It imports the edition and the log and nothing of the engine, so that a mistake in playing is not repeated in checking.
"""
