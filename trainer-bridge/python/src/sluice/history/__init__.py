"""What a run was, batch by batch, as its control log and its trainers tell."""
