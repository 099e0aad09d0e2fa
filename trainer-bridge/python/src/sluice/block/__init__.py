"""The blocks of a run: read where they lie, usable or masked."""
