"""What a board should be like (targets), and the fewest edits that make it so, proven on fresh games."""
