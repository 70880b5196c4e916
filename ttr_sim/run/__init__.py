"""Runs: plans carried out, part by part, into folders of Parquet files."""
