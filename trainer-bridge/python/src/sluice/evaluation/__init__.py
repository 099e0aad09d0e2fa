"""The held-out blocks of a run's domains."""
