"""Functions of one's own that decide a run's weights, round for round."""
