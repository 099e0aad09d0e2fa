"""Which blocks each batch of a run has, by its control log alone."""
