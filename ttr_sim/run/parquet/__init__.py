"""Parquet files of the log's columns, written straight from the engine's codes; they are read with Arrow and DuckDB.

Arrow's writer goes over each row of a column that may be null, and hashes each value for a dictionary, which takes
twice as long as all that is done here. The log needs little of Parquet: one group of rows, flat columns, zstd.
"""
