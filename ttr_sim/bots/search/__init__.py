"""Looking ahead: candidates, sampled worlds and playouts, for the style `search`."""
