"""A run's stream, as the batches of one rank."""
