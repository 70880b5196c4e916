"""Charts: each is a function from an analysis to a Chart, or None when there is nothing to draw."""
