"""From the log to small tables with intervals, and from tables to findings in sentences."""
