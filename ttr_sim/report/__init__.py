"""Reports: charts, maps, tables and the page that holds them."""
