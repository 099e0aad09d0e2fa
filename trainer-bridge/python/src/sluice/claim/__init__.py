"""A process's hold on one rank of a run's trainer."""
