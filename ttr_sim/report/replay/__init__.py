"""A page that steps through a logged game turn by turn."""
