"""What trainers measure, on its way to their run."""
