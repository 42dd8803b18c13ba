"""Rule on a whole archive: cases a line in, rulings a line out, on every core or on a cluster."""
