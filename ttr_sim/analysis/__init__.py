"""From the log to small tables with intervals, and from those to findings in sentences."""
