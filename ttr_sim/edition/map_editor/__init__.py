"""The files of the map editor (bjornhagstrom/ticket-to-ride-map-editor), read and written: see docs/editor.md."""

from ttr_sim.edition.map_editor.exporting import export_map
from ttr_sim.edition.map_editor.importing import import_map
from ttr_sim.edition.map_editor.tables import is_table_file

__all__ = ["export_map", "import_map", "is_table_file"]
