"""What players that look ahead make of the official boards: too slow for a study, played once, read by reports."""
