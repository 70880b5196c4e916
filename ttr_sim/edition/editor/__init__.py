"""The files of the map editor (bjornhagstrom/ticket-to-ride-map-editor), read and written: see docs/editor.md."""

from ttr_sim.edition.editor.exporting import export_map
from ttr_sim.edition.editor.importing import import_map
from ttr_sim.edition.editor.sheets import is_table_file

__all__ = ["export_map", "import_map", "is_table_file"]
