"""Find tables with a solver: where two laws rule differently, or where a law contradicts itself."""
