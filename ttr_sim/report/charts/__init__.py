"""Charts: one subject per file, each a function from an analysis to a Chart, or None when there is nothing to draw."""
