"""Runs: a plan carried out, part by part, into a folder of Parquet files."""
